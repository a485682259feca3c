# SPDX-License-Identifier: BSD-2-Clause
# Judges what the guest left in $results; sourced by run.sh.

# exits NAME CODE: how the step ended; what it printed becomes what `says` looks at
exits()
{
	cat "$results/$1.out" "$results/$1.err" >"$work/out" 2>/dev/null || :
	[ -s "$results/$1.code" ] || fail "the guest never came to $1"
	found=$(cat "$results/$1.code")
	[ "$found" = "$2" ] || fail "$1: exit $found, not $2"
}

# fact FILE PATH VALUE ...: jq's paths in a certificate
fact()
{
	certificate=$1
	shift
	while [ $# -gt 0 ]; do
		found=$(jq -r "$1" "$certificate")
		[ "$found" = "$2" ] || fail "$1 is '$found', not '$2', in ${certificate##*/}"
		shift 2
	done
}

# same_findings A B: where a device stood does not matter
same_findings()
{
	for each; do
		jq -S '[.findings[] | {rule, verdict, found, where}]' "$each" >"$each.findings"
	done
	cmp -s "$1.findings" "$2.findings" || fail "${1##*/} and ${2##*/} find different things"
}

check_reading()
{
	exits list 0
	says '33.6 MB (32 MiB)' '4.3 GB (4 GiB)' '536.9 MB (512 MiB)' 'QEMU!' 'QEMU NVMe Ctrl' \
		'pci0000:00/0000:00:10.0' 'pci0000:00/0000:00:11.0' 'pci0000:00/0000:00:12.0' \
		'pci0000:00/0000:00:14.0' '--erase=CA00001' '--erase=0xdeadbeef-mmcblk'
	exits inspect-sd 0
	says 'MID maker         0xaa' 'OID sold by       0x5859 "XY"' 'PNM name          "QEMU!"' \
		'card type         SDSC' 'classes claimed   none'
	exits sd 0
	fact "$results/sd.out" .origin live .evidence.device.bus mmc .evidence.device.media sd \
		.evidence.device.host_path pci0000:00/0000:00:10.0 \
		.evidence.device.bytes 33554432 .decoded.cid.mid 170 \
		.evidence.host.kernel.value "$(guest_kernel)" \
		.evidence.host.bus_timing.value 'sd high-speed' .evidence.host.bus_width.number 4 \
		.evidence.host.signal_voltage.number 3300 .evidence.host.command_queue.number 0 \
		.evidence.host.cache.value 'write through'
	check_commands
	exits inspect-nvme 0
	says 'model MN          "QEMU NVMe Ctrl"' 'serial SN         "CA00001"' \
		'67,108,864 bytes' 'SMART' 'temperature       50 degrees C'
	exits nvme 0
	fact "$results/nvme.out" .origin live .evidence.device.registers_from ioctl \
		.evidence.nvme.pci_vid 6966 .evidence.nvme.pci_ssvid 6900 .decoded.nvme.ctrl.vid 6966 \
		.decoded.nvme.ns.nsze 131072 .decoded.nvme.smart.temperature_k 323 \
		.evidence.host.pcie_width.number 1 .evidence.host.command_queue.number 1
	exits usb 0
	fact "$results/usb.out" .origin live .evidence.device.bus usb .evidence.registers.cid null \
		.evidence.host.usb_speed.number 5000
	jq -e '.evidence.device.hidden_because | startswith("a USB reader hides")' \
		"$results/usb.out" >/dev/null || fail 'the USB reader does not say that it hides registers'
	exits nvme-controller 0
	same_findings "$results/nvme.out" "$results/nvme-controller.out"
}

# The kernel read the card's status over one data line, before it switched to four, and QEMU's card
# claims no class: zeros. The same command by ioctl shows the four lines.
check_commands()
{
	exits mmc-commands 0
	zeros=$(printf '%0126d' 0)
	[ "$(cat "$results/kernel-ssr")" = "00$zeros" ] || fail "QEMU's card has another SSR now"
	says "sd-status 0 80$zeros" 'check-function 0 00018001' 'general-read 0 ' \
		"sd-status-again 0 80$zeros" 'switch-function -1'
	fact "$results/sd.out" .evidence.registers.ssr "80$zeros" \
		.evidence.device.registers_from 'sysfs, ssr by ioctl'
}

check_capture()
{
	for kind in sd nvme; do
		exits capture-$kind 0
		exits captured-$kind 0
		same_findings "$results/$kind.out" "$results/captured-$kind.out"
	done
	fact "$results/captured-sd.out" .origin recorded
}

check_lent()
{
	exits lent-sandisk 0
	says 'SanDisk (Western Digital)'
	fact "$results/lent-sandisk.json" .origin live .decoded.cid.pnm SC16G \
		.evidence.device.bytes 15931539456
	exits lent-kingston 0
	says Kingston 'A2                ssr: A2'
	exits lent-longsys 0
	says Longsys '"USD00"'
	for card in sandisk kingston longsys; do
		valid "$results/lent-$card.json"
		fact "$results/lent-$card.json" .evidence.device.registers_lent false \
			.evidence.registers.cid "$(cat "$work/root/cards/$card/cid")" \
			.evidence.registers.csd "$(cat "$work/root/cards/$card/csd")" \
			.evidence.registers.ssr "$(cat "$work/root/cards/$card/ssr")"
	done
	exits sd-again 0
	same_findings "$results/sd.out" "$results/sd-again.out"
}

check_runs()
{
	exits certify 0
	says 'PASS: capacity 33.6 MB while powered'
	fact "$results/certify.json" .origin live .evidence.capacity.kind sound \
		.evidence.capacity.verified_bytes 33554432 .evidence.capacity.good_bytes 33554432
	exits certify-nvme 0
	fact "$results/certify-nvme.json" .origin live .evidence.capacity.good_bytes 67108864 \
		'.evidence.nvme.smart_after != .evidence.nvme.smart_before' true
	exits locked 3
	says 'it is read-only'
	exits list-locked 0
	fact "$results/list-locked.out" '.[] | select(.host_path == "pci0000:00/0000:00:12.0").read_only' true
	exits fake 1
	says 'FAIL: capacity 4.3 GB announced'
	fact "$results/fake.json" .origin live .evidence.capacity.kind wrap \
		.evidence.capacity.announced_bytes $fake_bytes \
		.evidence.capacity.real_capacity_bytes $fake_real
	exits speed 2
	says 'INCONCLUSIVE: A1' 'the bus mode is one in which the rule does not'
	measured=$(jq .evidence.speed.random[0].milliiops "$results/speed.json")
	[ "$measured" -gt $((slow_iops * 800)) ] && [ "$measured" -lt $((slow_iops * 1100)) ] ||
		fail "$measured milli-IOPS of a card that is throttled to $slow_iops IOPS"
	for run in certify certify-nvme fake speed; do
		valid "$results/$run.json"
	done
}

check_leaving()
{
	for run in pulled pulled-usb; do
		exits $run 5
		says 'the device went away'
		fact "$results/$run.json" .origin live .evidence.capacity.end lost \
			.evidence.capacity.announced_bytes 536870912
		valid "$results/$run.json"
	done
	exits pulled-reading 5
	valid "$results/pulled-reading.json"
	exits list-pulled 0
	! grep -qE '0000:00:1[26].0' "$work/out" || fail "what was pulled is still listed"
	exits list-unbound 0
	! grep -q 0000:00:10.0 "$work/out" || fail "a card without a driver is still listed"
	exits sd-rebound 0
	fact "$results/sd-rebound.out" .evidence.device.host_path pci0000:00/0000:00:10.0
	same_findings "$results/sd.out" "$results/sd-rebound.out"
}

guest_kernel()
{
	basename "$work"/kernel/boot/vmlinuz-* | sed 's/^vmlinuz-//'
}

check_results()
{
	results=$1
	check_reading
	check_capture
	check_lent
	check_runs
	check_leaving
}
