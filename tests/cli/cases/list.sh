# SPDX-License-Identifier: BSD-2-Clause
# Recorded machines: a Raspberry Pi, a PC with a USB reader, one whose disks are all in use; readers
# with several slots, two that share a serial number, slots without a disk.
for machine in pi4 pc busy reader4 twins pi-wifi sdhci2; do
	echo "== $machine"
	"$CARDASSAY" list --sysroot="$FIXTURES/sysfs/$machine"
done
"$CARDASSAY" list --sysroot="$FIXTURES/sysfs/pi4" --format=json
"$CARDASSAY" list --sysroot="$FIXTURES/sysfs/reader4" --format=json |
	grep -E '"(node|host_path|by_path|confirm|refused_because|slot|slot_count|empty)"'
