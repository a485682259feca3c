# SPDX-License-Identifier: BSD-2-Clause
# Recorded machines: a Raspberry Pi, a PC with a USB reader, one whose disks are all in use.
for machine in pi4 pc busy; do
	echo "== $machine"
	"$CARDASSAY" list --sysroot="$FIXTURES/sysfs/$machine"
done
"$CARDASSAY" list --sysroot="$FIXTURES/sysfs/pi4" --format=json
