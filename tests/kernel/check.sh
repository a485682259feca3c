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
	says '16.8 MB (16 MiB)' '4.3 GB (4 GiB)' '536.9 MB (512 MiB)' 'QEMU!' 'QEMU NVMe Ctrl' \
		'pci0000:00/0000:00:10.0' 'pci0000:00/0000:00:11.0' 'pci0000:00/0000:00:12.0' \
		'pci0000:00/0000:00:14.0' '--erase=CA00001' '--erase=0xdeadbeef-mmcblk' \
		'USB reader with 2 slots' '  slot 1 of 2  /dev/sd' '  slot 2 of 2  /dev/sd'
	exits inspect-sd 0
	says 'MID maker         0xaa' 'OID sold by       0x5859 "XY"' 'PNM name          "QEMU!"' \
		'card type         SDSC' 'classes claimed   none'
	exits sd 0
	fact "$results/sd.out" .origin live .evidence.device.bus mmc .evidence.device.media sd \
		.evidence.device.host_path pci0000:00/0000:00:10.0 \
		.evidence.device.bytes 16777216 .decoded.cid.mid 170 \
		.evidence.host.kernel.value "$(guest_kernel)" \
		.evidence.host.bus_timing.value 'sd high-speed' .evidence.host.bus_width.number 4 \
		.evidence.host.signal_voltage.number 3300 .evidence.host.command_queue.number 0 \
		.evidence.host.cache.number 0
	check_commands
	check_vendor_health
	exits inspect-nvme 0
	says 'model MN          "QEMU NVMe Ctrl"' 'serial SN         "CA00001"' \
		'33,554,432 bytes' 'SMART' 'temperature       50 degrees C'
	exits nvme 0
	fact "$results/nvme.out" .origin live .evidence.device.registers_from ioctl \
		.evidence.nvme.pci_vid 6966 .evidence.nvme.pci_ssvid 6900 .decoded.nvme.ctrl.vid 6966 \
		.decoded.nvme.ns.nsze 65536 .decoded.nvme.smart.temperature_k 323 \
		.evidence.host.pcie_width.number 1 .evidence.host.command_queue.number 1
	exits usb 0
	fact "$results/usb.out" .origin live .evidence.device.bus usb .evidence.registers.cid null \
		.evidence.host.usb_speed.number 5000
	jq -e '.evidence.device.hidden_because | startswith("a USB reader hides")' \
		"$results/usb.out" >/dev/null || fail 'the USB reader does not say that it hides registers'
	exits nvme-controller 0
	same_findings "$results/nvme.out" "$results/nvme-controller.out"
}

# QEMU's card answers every such query with one and the same byte, which is no answer.
check_vendor_health()
{
	exits vendor 0
	fact "$results/vendor.out" '.evidence.vendor_health.answers | length' 6 \
		'[.evidence.vendor_health.answers[].result] | unique | join(",")' answer \
		'[.evidence.vendor_health.answers[].data[0:8]] | unique | join(",")' ecececec \
		.evidence.vendor_health.not_asked_because '' .decoded.vendor_health null \
		'[.findings[] | select(.rule == "VENDOR-MAKER")] | length' 0 \
		'[.findings[] | select(.rule == "VENDOR-HEALTH").found | test("one byte throughout")] | join(",")' \
		true
	exits vendor-usb 0
	fact "$results/vendor-usb.out" \
		'.evidence.vendor_health.not_asked_because | startswith("a USB reader does not pass CMD56 on")' true
	exits vendor-nvme 0
	fact "$results/vendor-nvme.out" \
		'.evidence.vendor_health.not_asked_because | startswith("CMD56 is a command of SD cards")' true
}

# The kernel read the card's status over one data line, before it switched to four, and QEMU's card
# claims no class: zeros. The same command by ioctl shows the four lines.
check_commands()
{
	exits mmc-commands 0
	zeros=$(printf '%0126d' 0)
	[ "$(cat "$results/kernel-ssr")" = "00$zeros" ] || fail "QEMU's card has another SSR now"
	says "sd-status 0 80$zeros" 'check-function 0 00018001' 'general-read 0 ' \
		"sd-status-again 0 80$zeros" 'switch-function -1' 'others 256 refused 256'
	fact "$results/sd.out" .evidence.registers.ssr "80$zeros" \
		.evidence.device.registers_from 'sysfs, ssr by ioctl'
}

# services FILE STATE NAME...: what selfcheck found of each
services()
{
	file=$1
	wanted=$2
	shift 2
	for service; do
		fact "$file" ".checks[] | select(.name == \"$service\").state" "$wanted"
	done
}

# host_facts FILE NAME VALUE ...: VALUE "absent" = looked for and not there, "none of it" = of no
# such device
host_facts()
{
	file=$1
	shift
	while [ $# -gt 0 ]; do
		case $2 in
		absent) fact "$file" "[.absent[].name] | contains([\"$1\"])" true ;;
		'none of it') fact "$file" "[.not_applicable[]] | contains([\"$1\"])" true ;;
		*) fact "$file" ".facts.$1.value" "$2" ;;
		esac
		shift 2
	done
}

check_selfchecks()
{
	for kind in sd nvme usb; do
		file=$results/selfcheck-$kind-json.out
		exits selfcheck-$kind-json 0
		exits selfcheck-$kind 0
		says 'Services that work' 'Services that are absent' 'Facts that were read' \
			'Not applicable here'
		! grep -q '.\{81\}' "$results/selfcheck-$kind.out" ||
			fail "selfcheck-$kind has lines of more than 80 columns"
		services "$file" works o_direct io_uring size diskseq write-protect debugfs \
			kernel-log uevents
		services "$file" absent clock
		host_facts "$file" kernel "$(guest_kernel)" arch x86_64 clock 'not synchronised' \
			log_errors none logical_block_bytes '512 bytes' read_only 0 \
			read_ahead_bytes '128 KiB' cpu_governor absent throttled absent \
			undervoltage absent
	done
	check_selfcheck_sd "$results/selfcheck-sd-json.out"
	check_selfcheck_nvme "$results/selfcheck-nvme-json.out"
	check_selfcheck_usb "$results/selfcheck-usb-json.out"
}

# QEMU's card names no power limit, and no class: zeros in its SSR.
check_selfcheck_sd()
{
	services "$1" works cid csd scr ocr acmd13 cmd6 reinit
	services "$1" absent ssr
	services "$1" not_applicable cmd48 ext_csd identify smart
	host_facts "$1" driver sdhci-pci bus_timing 'sd high-speed' bus_width '4 bits' \
		signal_voltage '3.30 V' err_stats none \
		log_card 'new high speed SD card at address 4567' queue_tags 64 nr_requests 128 \
		scheduler mq-deadline max_request_bytes '512 KiB' max_segments 128 \
		power_limit_mw absent usb_id 'none of it' pcie_width 'none of it'
	fact "$1" .facts.signal_voltage.number 3300 .facts.command_queue.number 0 \
		'.facts.bus_clock_hz.number > 20000000' true .facts.cache.number 0
}

check_selfcheck_nvme()
{
	services "$1" works identify identify-ns smart reinit
	services "$1" not_applicable cid csd scr ssr acmd13 cmd6 cmd48 ext_csd
	host_facts "$1" driver nvme scheduler none pcie_speed '2.5 GT/s PCIe' pcie_width 1 \
		pcie_speed_max '2.5 GT/s PCIe' pcie_width_max 1 bus_timing 'none of it' \
		err_stats 'none of it' usb_id 'none of it'
	fact "$1" .facts.pcie_speed.number 2500 .facts.command_queue.number 1 .facts.cache.number 1 \
		'.facts.queue_tags.number == .facts.nr_requests.number' true
}

check_selfcheck_usb()
{
	services "$1" absent reinit
	services "$1" not_applicable cid csd scr ssr acmd13 identify
	host_facts "$1" driver xhci_hcd usb_driver usb-storage usb_id 46f4:0001 \
		usb_bridge 'QEMU QEMU USB HARDDRIVE, revision 00.00' usb_speed '5000 Mbit/s' \
		discard_max_bytes '0 bytes' command_queue absent err_stats 'none of it' \
		pcie_width 'none of it'
}

reader=pci0000:00/0000:00:17.0/usb2/2-1/2-1:1.0

# slots FILE HOST-PATH JQ VALUE: of the entry of this slot
slots()
{
	fact "$1" "[.[] | select(.host_path == \"$2\")][0] | $3" "$4"
}

# The two cards of the reader have one serial and one size.
check_slots()
{
	exits list-json 0
	list=$results/list-json.out
	for slot in 10 11 12; do
		slots "$list" pci0000:00/0000:00:$slot.0 '"\(.kind) \(.slot)/\(.slot_count)"' 'sd 1/1'
	done
	slots "$list" $reader '"\(.slot)/\(.slot_count) \(.serial) \(.bytes)"' '1/2 READER1 16777216'
	slots "$list" $reader/lun1 '"\(.slot)/\(.slot_count) \(.serial) \(.bytes)"' \
		'2/2 READER1 16777216'
	slots "$list" $reader '.hidden_because | startswith("a USB reader hides")' true
	slots "$list" pci0000:00/0000:00:15.0/ns2 .serial RESULTS
	slots "$list" pci0000:00/0000:00:18.0 '"\(.kind) \(.serial)"' 'nvme CA00002'
	for each in host_path confirm; do
		fact "$list" "([.[].$each] | unique | length) == length" true
	done
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
	exits lent-endurance 0
	says 'SanDisk (Western Digital)' '"SH32G"' 'A2                ssr: A2' \
		'V30               ssr: V30' 'U3                ssr: U3' 'C10               ssr: C10'
	exits lent-kingston 0
	says Kingston 'A2                ssr: A2'
	exits lent-longsys 0
	says Longsys '"USD00"'
	for card in sandisk endurance kingston longsys; do
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
	says 'PASS: capacity 16.8 MB while powered'
	fact "$results/certify.json" .origin live .evidence.capacity.kind sound \
		.evidence.capacity.verified_bytes 16777216 .evidence.capacity.good_bytes 16777216 \
		.evidence.capacity.reinit reinit
	fact "$results/certify.json" \
		'.findings[] | select(.rule == "CAPACITY").why | contains("took the card anew")' true
	no_finding certify BUS-ERRORS
	exits certify-nvme 0
	fact "$results/certify-nvme.json" .origin live .evidence.capacity.good_bytes 33554432 \
		'.evidence.nvme.smart_after != .evidence.nvme.smart_before' true \
		.evidence.capacity.reinit reinit
	exits locked 3
	says 'it is read-only'
	exits list-locked 0
	slots "$results/list-locked.out" pci0000:00/0000:00:12.0 .read_only true
	exits fake 1
	says 'FAIL: capacity 4.3 GB announced'
	fact "$results/fake.json" .origin live .evidence.capacity.kind wrap \
		.evidence.capacity.announced_bytes $fake_bytes \
		.evidence.capacity.real_capacity_bytes $fake_real
	exits speed 2
	says 'INCONCLUSIVE: A1' 'the bus mode is one in which the rule does not'
	measured=$(jq .evidence.speed.random[0].milliiops "$results/speed.json")
	[ "$measured" -gt $((slow_iops * 970)) ] && [ "$measured" -lt $((slow_iops * 1030)) ] ||
		fail "$measured milli-IOPS of a card that is throttled to $slow_iops IOPS"
	for run in certify certify-nvme fake speed; do
		valid "$results/$run.json"
	done
}

no_finding()
{
	fact "$results/$1.json" "[.findings[].rule] | contains([\"$2\"])" false
}

check_failing()
{
	exits reinit-usb 3
	says 'Nothing was written' 'does not empty the cache of the card'
	exits reinit-two 3
	says 'Nothing was written' 'also drives another namespace'
	exits reinit-shared 3
	says 'Nothing was written' 'more than one controller'
	for run in bad-usb bad-nvme; do
		exits $run 1
		says 'FAIL: capacity 16.8 MB announced, 1 bad sector'
		fact "$results/$run.json" .evidence.capacity.classes.unreadable 1 \
			.evidence.capacity.first_bad_offset $((bad_sector * 512)) \
			.evidence.capacity.good_bytes $((16 * mib - 512)) \
			'.evidence.host.log_errors.number > 0' true
		valid "$results/$run.json"
	done
	# which line is the last differs: the kernel leaves some out when there are many
	fact "$results/bad-usb.json" \
		'.evidence.host.log_errors.value | test("error.*dev sd|[[]sd")' true
	fact "$results/bad-nvme.json" \
		'.evidence.host.log_errors.value | test("nvme[0-9]")' true
	for name in sd nvme; do
		grep -q "error, dev $name" "$results/dmesg-bad" ||
			fail "the kernel said nothing of the bad sector of $name"
	done
}

# Another card while the driver was away: nothing is read from it or written to it. Then a fill
# during which the host counts an error, before it takes the card anew.
check_reinit()
{
	exits swapped 5
	says 'is not the card that was there: nothing is written to it' 'INCONCLUSIVE: capacity'
	fact "$results/swapped.json" .evidence.capacity.end changed \
		.evidence.capacity.verified_bytes 0 .evidence.capacity.reinit none
	[ "$(cat "$results/swapped.writes")" = 0 ] || fail 'something was written to the other card'
	exits list-unbound 0
	! grep -q 0000:00:10.0 "$work/out" || fail 'a card without a driver is still listed'
	exits list-swapped 0
	slots "$results/list-swapped.out" pci0000:00/0000:00:10.0 .bytes 33554432
	exits disturbed 0
	fact "$results/disturbed.json" .evidence.capacity.reinit reinit \
		'.evidence.host | .err_stats_after.number - .err_stats.number' 1 \
		'[.findings[] | select(.rule == "BUS-ERRORS").verdict] | join(" ")' warning
	says 'PASS: capacity 33.6 MB while powered' '1 transfer error counted during this run'
	for run in swapped disturbed; do
		valid "$results/$run.json"
	done
}

check_leaving()
{
	for run in pulled pulled-usb pulled-nvme; do
		exits $run 5
		says 'the device went away'
		fact "$results/$run.json" .origin live .evidence.capacity.end lost
		valid "$results/$run.json"
	done
	exits pulled-reading 5
	valid "$results/pulled-reading.json"
	exits list-pulled 0
	slots "$results/list-pulled.out" pci0000:00/0000:00:12.0 \
		'"\(.node) \(.empty) \(.bytes) \(.confirm)"' ' true 0 '
	fact "$results/list-pulled.out" '[.[] | select(.host_path | contains("00:16.0"))] | length' 0
	exits list-back 0
	slots "$results/list-back.out" pci0000:00/0000:00:12.0 '"\(.empty) \(.bytes)"' \
		'false 536870912'
	exits list-empty 0
	slots "$results/list-empty.out" $reader '"\(.empty) \(.bytes) \(.slot)/\(.slot_count)"' \
		'true 0 1/2'
	slots "$results/list-empty.out" $reader/lun1 .bytes 16777216
	slots "$results/list-back.out" $reader '"\(.empty) \(.bytes) \(.serial)"' \
		'false 33554432 READER1'
}

# What left and appeared while the station ran, in this order; each was inspected.
check_station()
{
	exits station 0
	says 'cards or drives appeared'
	jq -r '"\(.event) \(.host_path) \(.bytes)"' "$results/station.out" >"$work/events"
	cat >"$work/expected" <<-end
		left pci0000:00/0000:00:12.0 0
		left pci0000:00/0000:00:16.0/usb2/2-1/2-1:1.0 0
		appeared pci0000:00/0000:00:12.0 536870912
		appeared pci0000:00/0000:00:16.0/usb2/2-2/2-2:1.0 33554432
		left $reader 0
		appeared $reader 33554432
		appeared pci0000:00/0000:00:19.0 33554432
		left pci0000:00/0000:00:19.0 0
		left pci0000:00/0000:00:10.0 0
	end
	diff "$work/expected" "$work/events" >"$work/out" || fail 'the station saw other events'
	jq -s -e '[.[] | select(.event == "appeared") | .bytes == .inspection.evidence.device.bytes and
		.host_path == .inspection.evidence.device.host_path] | all' "$results/station.out" \
		>/dev/null || fail 'the station inspected something else than what appeared'
	jq -s -e '.[2].inspection.decoded.cid.pnm == "QEMU!" and
		(map(select(.host_path | endswith("19.0")))[0].inspection.decoded.nvme.ctrl.sn |
		startswith("CA00003"))' "$results/station.out" >/dev/null ||
		fail 'the station did not read the registers'
}

guest_kernel()
{
	basename "$work"/kernel/boot/vmlinuz-* | sed 's/^vmlinuz-//'
}

# recipe ROW KIND REAL
recipe()
{
	exits "recipe-$1" 1
	fact "$results/recipe-$1.json" .origin live .evidence.capacity.kind "$2" \
		.evidence.capacity.real_capacity_bytes "$3"
	valid "$results/recipe-$1.json"
}

check_recipes()
{
	recipe 1a wrap 4096000
	recipe 1b limbo 1500160
	recipe 1c chain 750080
	recipe 1d ring null
}

check_results()
{
	results=$1
	check_selfchecks
	check_slots
	check_reading
	check_capture
	check_lent
	check_runs
	check_recipes
	check_failing
	check_reinit
	check_leaving
	check_station
}
