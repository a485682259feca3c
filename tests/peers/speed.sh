#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Compares the measuring engine with fio on the same devices, in pairs that alternate, and prints the
# median of the ratios: ours to fio's, of the figure and of the CPU time a transfer. Not part of the
# tests: how fast a bare loop device is changes from one moment to the next; a paced one is not.
# Needs root, fio, jq, and 400 MiB in a tmpfs (TMPDIR, else /dev/shm).
#   speed.sh CARDASSAY [CARDFUSE [PAIRS [SECONDS]]]
set -eu
cardassay=$(readlink -f "${1:?usage: speed.sh CARDASSAY [CARDFUSE [PAIRS [SECONDS]]]}")
cardfuse=${2:+$(readlink -f "$2")}
pairs=${3:-5}
seconds=${4:-2}
LC_ALL=C
CARDASSAY_CONFIG=/dev/null
export LC_ALL CARDASSAY_CONFIG
for tool in losetup fio jq; do
	command -v "$tool" >/dev/null || {
		echo "speed.sh needs $tool"
		exit 77
	}
done
# who measures is not held back by what else runs on the machine, neither of the two
urgent=
! chrt -f 10 true 2>/dev/null || urgent='chrt -f 10'
work=$(mktemp -d "${TMPDIR:-/dev/shm}/cardassay-speed-XXXXXX")
loop=
zram=
mounted=
fast= # a device of many transfers a second
cleanup()
{
	[ -z "$loop" ] || losetup -d "$loop" 2>/dev/null || :
	[ -z "$zram" ] || echo "${zram#/dev/zram}" >/sys/class/zram-control/hot_remove 2>/dev/null || :
	[ -z "$mounted" ] || fusermount3 -u "$mounted" 2>/dev/null || :
	cd /
	rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP PIPE
cd "$work" # fio leaves a file where it is interrupted

# in_times COMMAND...: runs it, its CPU seconds in $work/cpu
in_times()
{
	("$@" >"$work/out" 2>"$work/err" </dev/null || [ -s "$work/out" ]
	times >"$work/times")
	# the second line is that of the children of the subshell: of the command alone
	awk -F '[ms ]+' 'NR == 2 { printf "%.3f\n", $1 * 60 + $2 + $3 * 60 + $4 }' \
		"$work/times" >"$work/cpu"
}

# Both print: the figure (operations or bytes a second), CPU microseconds a transfer of the time that
# was measured. What starting the program costs is taken from a run of one operation.
fio_figure()
{
	case $1 in
	random-read) set -- randread 4k "$2" ;;
	random-write) set -- randwrite 4k "$2" ;;
	seq-read) set -- read 4M "$2" ;;
	seq-write) set -- write 4M "$2" ;;
	esac
	engine=io_uring
	[ "$3" -gt 1 ] || engine=psync
	length="--runtime=$seconds --time_based"
	case $1 in
	read | write) length= ;;
	esac
	# shellcheck disable=SC2086 # lists of words
	in_times $urgent fio --name=x --filename="$device" --direct=1 --bs="$2" --rw="$1" \
		--size="$size" --ioengine=$engine --iodepth="$3" --norandommap --thread \
		--randrepeat=0 $length --output-format=json
	jq -r '.jobs[0] | (.read, .write) | select(.total_ios > 0) |
		"\(if .io_bytes / .total_ios > 5000 then .bw_bytes else .iops end) \(.total_ios)"' \
		"$work/out" >"$work/fio"
	# user and system share of the job alone, in percent of its time
	jq -r '.jobs[0] | (.usr_cpu + .sys_cpu) / 100 * .job_runtime * 1000' "$work/out" |
		awk '{ cpu = $1; getline < "'"$work/fio"'"; printf "%s %.3f\n", $1, cpu / $2 }'
}
own_figure()
{
	# shellcheck disable=SC2086 # lists of words
	in_times $urgent "$cardassay" speed "$device" --only="$1" --queue-depth="$2" \
		--seconds="$seconds" --erase="$word" --progress=none --format=json
	# writing the range before the random writes is in it: it counts as transfers of 1 MiB
	jq -r --argjson cpu "$(cat "$work/cpu")" --argjson start "$start_cpu" '.evidence.speed |
		if .random[0] then .random[0] | [.milliiops / 1000, .operations]
		else .sequential[0] | [.bytes_per_second, .total_bytes / .request_bytes] end |
		"\(.[0]) \(($cpu - $start) * 1000000 / .[1])"' "$work/out"
}
median()
{
	sort -n "$1" | awk '{ v[NR] = $1 }
		END { printf "%.3f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
compare()
{
	: >"$work/figures"
	: >"$work/cpus"
	pair=0
	while [ "$pair" -lt "$pairs" ]; do
		pair=$((pair + 1))
		# who begins changes
		if [ $((pair % 2)) -eq 1 ]; then
			theirs=$(fio_figure "$1" "$2")
			ours=$(own_figure "$1" "$2")
		else
			ours=$(own_figure "$1" "$2")
			theirs=$(fio_figure "$1" "$2")
		fi
		echo "$ours $theirs" | awk '{ printf "%.5f\n", $1 / $3 }' >>"$work/figures"
		echo "$ours $theirs" | awk '{ printf "%.5f\n", $2 / $4 }' >>"$work/cpus"
	done
	# where transfers are few the start of the program is most of what it costs
	cpu=
	case $fast$1 in
	yesrandom*) cpu="CPU a transfer $(median "$work/cpus")" ;;
	esac
	printf '  %-12s depth %-2s  figure %s   %s (last pair: %s)\n' "$1" "$2" \
		"$(median "$work/figures")" "$cpu" "${ours%% *} to ${theirs%% *}"
}
all_kinds()
{
	# processor time of the program beside measuring: opening, judging, printing
	word=${device#/dev/}-$(blockdev --getsize64 "$device")
	size=$(blockdev --getsize64 "$device")
	in_times "$cardassay" inspect "$device" --format=json
	start_cpu=$(cat "$work/cpu")
	for kind in random-read random-write seq-read seq-write; do
		compare $kind 1
		compare $kind 32
	done
}
begin_card()
{
	mkdir "$work/mnt"
	"$cardfuse" "$work/mnt" "$work/backing" 33554432 paced "$@" 2>/dev/null &
	card=$!
	mounted=$work/mnt
	until [ -e "$work/mnt/card" ]; do
		sleep 0.1
	done
	[ -z "$urgent" ] || chrt -a -f -p 10 $card
	loop=$(losetup -f --show --direct-io=on "$work/mnt/card")
	device=$loop
}
end_card()
{
	losetup -d "$loop"
	loop=
	fusermount3 -u "$work/mnt"
	mounted=
	wait $card || :
	rm -rf "${work:?}/mnt" "$work/backing"
}

echo "Ours to fio's, median of $pairs pairs of $seconds s (goals: figure 0.99 to 1.01, CPU at most 1)"
if [ -x "$cardfuse" ]; then
	echo 'A device of known delay: 2,000 reads and 1,000 writes a second'
	begin_card 2000 1000 400000000 400000000
	all_kinds
	end_card
	echo 'A device of known rate: 20 MB/s reading, 10 MB/s writing'
	begin_card 100000 100000 20000000 10000000
	for kind in seq-read seq-write; do
		word=${device#/dev/}-33554432
		size=33554432
		compare $kind 1
	done
	end_card
fi
fast=yes
echo 'Loop device with direct I/O over tmpfs'
truncate -s 256M "$work/card"
loop=$(losetup -f --show --direct-io=on "$work/card")
device=$loop
dd if=/dev/urandom of="$device" bs=1M count=256 oflag=direct status=none
all_kinds
losetup -d "$loop"
loop=
rm "$work/card"
if number=$(cat /sys/class/zram-control/hot_add 2>/dev/null); then
	zram=/dev/zram$number
	echo 256M >"/sys/block/zram$number/disksize"
	device=$zram
	echo 'zram'
	dd if=/dev/urandom of="$device" bs=1M count=256 oflag=direct status=none
	all_kinds
fi
