# SPDX-License-Identifier: BSD-2-Clause
# A small sound card, end to end: text, JSON, the same bytes on a second run, masked serials.
"$CARDASSAY" certify sim:announced=64M,read-iops=3200,write-iops=1200,read-rate=90M,write-rate=30M,seed=3 \
	--label '64 MB A1 blue' --progress=none -o one.json
echo "-> $?"
"$CARDASSAY" certify sim:announced=64M,read-iops=3200,write-iops=1200,read-rate=90M,write-rate=30M,seed=3 \
	--label '64 MB A1 blue' --progress=none -o two.json >/dev/null 2>&1
cmp one.json two.json && echo 'the same bytes on a second run'
