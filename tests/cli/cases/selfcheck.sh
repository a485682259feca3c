# SPDX-License-Identifier: BSD-2-Clause
# What a host provides: recorded machines, a simulated card, targets that are no devices.
"$CARDASSAY" selfcheck --sysroot "$FIXTURES/sysfs/pi4" /dev/mmcblk0
echo "== pc: a USB reader"
"$CARDASSAY" selfcheck --sysroot "$FIXTURES/sysfs/pc" /dev/sdc
echo "== simulated"
"$CARDASSAY" selfcheck sim:genuine-4g
echo "== JSON"
"$CARDASSAY" selfcheck --format json --sysroot "$FIXTURES/sysfs/pc" /dev/nvme0n1
for target in /dev/no-such-card /dev/null "$FIXTURES/cards/C0001" image:no-such-file; do
	status=0
	"$CARDASSAY" selfcheck "$target" || status=$?
	echo "$target: $status"
done
"$CARDASSAY" selfcheck --sysroot "$FIXTURES/sysfs/pi4" /dev/mmcblk7
