#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Measures cardassay against its peers, in one run on one machine, and prints ratios: machines differ,
# ratios travel. Not part of the tests. Each round runs all of them one after the other; the best round
# of each counts, since what else runs on the machine only ever adds, and beside it stands the median of
# the ratios taken within a round. It installs nothing: what is missing is said, and left out.
#   bench.sh CARDASSAY [SIZE_MIB [ROUNDS]]
# Needs root, SIZE in a tmpfs (TMPDIR, else /dev/shm), and what is built beside CARDASSAY with
# -DCARDASSAY_TESTS=ON (CARDFUSE and PATTERN_COST say where, if it is elsewhere).
set -eu
cardassay=$(readlink -f "${1:?usage: bench.sh CARDASSAY [SIZE_MIB [ROUNDS]]}")
mib=${2:-4096}
rounds=${3:-5}
small_mib=$((mib < 512 ? mib : 512)) # for what only its CPU or its memory is asked of
cardfuse=${CARDFUSE:-$(dirname "$cardassay")/tests/device/cardfuse}
pattern_cost=${PATTERN_COST:-$(dirname "$cardassay")/tests/peers/pattern_cost}
LC_ALL=C
CARDASSAY_CONFIG=/dev/null
export LC_ALL CARDASSAY_CONFIG
[ "$(id -u)" -eq 0 ] || {
	echo "bench.sh needs root, for loop devices"
	exit 77
}
has()
{
	command -v "$1" >/dev/null || [ -x "$1" ]
}
# needs PACKAGE COMMAND...
needs()
{
	package=$1
	shift
	for command; do
		has "$command" || echo "missing: $command ($package)"
	done
}
needs mount losetup
needs fio fio
needs f3 f3write f3read f3probe
needs e2fsprogs badblocks mkfs.ext4
needs valgrind valgrind
needs binutils strip
needs fuse3 fusermount3
[ -x "$cardfuse" ] || echo "missing: cardfuse (build with libfuse3-dev)"
[ -x "$pattern_cost" ] || echo "missing: pattern_cost (build with -DCARDASSAY_TESTS=ON)"
if ! has losetup || ! has fio; then
	exit 77
fi

work=$(mktemp -d "${TMPDIR:-/dev/shm}/cardassay-bench-XXXXXX")
mkdir "$work/mnt" "$work/fuse" "$work/figures"
loops=
zram=
group=
cleanup()
{
	trap - EXIT INT TERM HUP PIPE
	umount "$work/mnt" 2>/dev/null || :
	for each in $loops; do
		losetup -d "$each" 2>/dev/null || :
	done
	fusermount3 -u "$work/fuse" 2>/dev/null || :
	[ -z "$zram" ] || echo 1 >"/sys/block/zram$zram/reset" || :
	[ -z "$zram" ] || echo "$zram" >/sys/class/zram-control/hot_remove || :
	[ -z "$group" ] || rmdir "$group" 2>/dev/null || :
	rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP PIPE
# attach FILE: a loop device over it, its name in $device
attach()
{
	device=$(losetup -f --show --direct-io=on "$1")
	loops="$loops $device"
}
word()
{
	echo "${1#/dev/}-$(blockdev --getsize64 "$1")"
}

# ---- figures: one file a name, one line a round

note()
{
	echo "$2" >>"$work/figures/$1"
}
least()
{
	sort -n "$work/figures/$1" | head -n 1
}
# paired NAME NAME: the median of the ratios within a round
paired()
{
	paste "$work/figures/$1" "$work/figures/$2" | awk '{ print $1 / $2 }' | sort -n |
		awk '{ v[NR] = $1 } END { printf "%.2f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
calculate()
{
	awk "BEGIN { printf \"${2:-%.2f}\", $1 }"
}
ratio()
{
	echo "$(calculate "$(least "$1") / $(least "$2")"), within a round $(paired "$1" "$2")"
}
# measure NAME MIB COMMAND...: wall seconds and CPU seconds a GB, to NAME_s and NAME_cpu; output in
# $work/out
measure()
{
	name=$1
	gb="($2 * 1.048576 / 1000)"
	shift 2
	start=$(date +%s%N)
	# the second line of times is that of the children of this subshell: of the command alone
	("$@" >"$work/out" 2>&1 </dev/null && times >"$work/times") || {
		echo "failed: $*" >&2
		cat "$work/out" >&2
		exit 1
	}
	end=$(date +%s%N)
	cpu=$(awk -F '[ms ]+' 'NR == 2 { print $1 * 60 + $2 + $3 * 60 + $4 }' "$work/times")
	note "${name}_s" "$(calculate "($end - $start) / 1e9" %.3f)"
	note "${name}_cpu" "$(calculate "$cpu / $gb" %.3f)"
}
# peak COMMAND...: largest resident set in MiB, asked of the kernel all the time
peak()
{
	"$@" >"$work/out" 2>&1 </dev/null &
	pid=$!
	most=0
	while line=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$line" ]; do
		most=$line
		sleep 0.02
	done
	wait "$pid" || :
	calculate "$most / 1024" %.1f
}
# without FEATURES COMMAND...: with these features hidden from libgcrypt, which reads of them in /etc;
# a copy of it takes its place for this command alone
without()
{
	[ -d "$work/etc" ] || cp -a /etc "$work/etc"
	mkdir -p "$work/etc/gcrypt"
	for feature in $1; do
		echo "$feature"
	done >"$work/etc/gcrypt/hwf.deny"
	shift
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare -m sh -ec 'mount --bind "$1" /etc; shift; exec "$@"' sh "$work/etc" "$@"
}
no_aes="intel-aesni intel-vaes-vpclmul intel-avx intel-avx2 arm-aes"

# ---- the commands

# fill DEVICE [OPTION...]
fill()
{
	target=$1
	shift
	"$cardassay" fill "$target" --erase="$(word "$target")" --erase-files --progress none \
		--format json "$@"
}
plain_fill()
{
	without "$no_aes" "$cardassay" fill "$1" --erase="$(word "$1")" --erase-files --progress none
}
# Seconds of the transfers alone, as the tools timed them: their start is no part of the comparison.
fill_seconds()
{
	awk -F '[:,]' '/"(write|read)_ns"/ { sum += $2 } END { printf "%.3f", sum / 1e9 }' "$work/out"
}
# fio_moves DEVICE MIB: seconds to write it and to read it, with nothing made and nothing checked
fio_moves()
{
	for direction in write read; do
		fio --name=x --filename="$1" --direct=1 --bs=1M --ioengine=io_uring --iodepth=4 --thread \
			--rw="$direction" --size="${2}M" --output-format=terse --terse-version=3
	done | awk -F ';' '/^3;/ { ms += $9 + $50 } END { printf "%.3f", ms / 1000 }'
}
# fio_verify DEVICE MIB KIND
fio_verify()
{
	fio --name=x --filename="$1" --direct=1 --bs=1M --ioengine=io_uring --iodepth=4 --thread \
		--rw=write --size="${2}M" --verify="$3" --do_verify=1 --verify_fatal=1
}
# f3 DEVICE MIB: both halves, their sum as f3_s and f3_cpu
f3()
{
	mkfs.ext4 -q -F -m 0 "$1"
	mount "$1" "$work/mnt"
	measure f3w "$2" f3write "$work/mnt"
	measure f3r "$2" f3read "$work/mnt"
	umount "$work/mnt"
	for unit in s cpu; do
		written=$(tail -n 1 "$work/figures/f3w_$unit")
		note "f3_$unit" "$(calculate "$written + $(tail -n 1 "$work/figures/f3r_$unit")" %.3f)"
	done
}
# row TITLE NAME
row()
{
	[ -s "$work/figures/${2}_s" ] || return 0
	printf '  %-28s %9.2f %12.2f\n' "$1" "$(least "${2}_s")" "$(least "${2}_cpu")"
}
peak_fill()
{
	peak "$cardassay" fill "$1" --erase="$(word "$1")" --erase-files --progress none
}

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "Machine: $cpu, $(nproc) cores, Linux $(uname -r), load $(cut -d ' ' -f 1-3 /proc/loadavg)"
has f3write && f3write -V | head -n 1
echo "$(fio --version), $("$cardassay" --version | head -n 1)"

# ---- loop device over tmpfs

truncate -s "${mib}M" "$work/card"
attach "$work/card"
loop=$device
# The first pass allocates the pages of the tmpfs; nobody's figure shall hold that.
dd if=/dev/zero of="$loop" bs=1M count="$mib" oflag=direct status=none
without all true # makes the copy of /etc
round=0
while [ "$round" -lt "$rounds" ]; do
	round=$((round + 1))
	note fio_s "$(fio_moves "$loop" "$mib")"
	measure fill "$mib" fill "$loop"
	note moving_s "$(fill_seconds)"
	measure plain "$mib" plain_fill "$loop"
	if has f3write && has mkfs.ext4; then
		f3 "$loop" "$mib"
	fi
	has badblocks && measure badblocks "$mib" badblocks -w -t random -b 4096 -c 256 "$loop"
	measure crc32c "$mib" fio_verify "$loop" "$mib" crc32c
	measure xxhash "$mib" fio_verify "$loop" "$mib" xxhash
	[ "$round" -gt 1 ] || measure sha256 "$small_mib" fio_verify "$loop" "$small_mib" sha256
done
echo
echo "Write and read back of $mib MiB, loop device with direct I/O over tmpfs, best of $rounds rounds"
printf '  %-28s %9s %12s\n' "" "wall s" "CPU s per GB"
row "cardassay fill" fill
row "the same without AES, AVX" plain
row "f3write + f3read" f3
row "badblocks -w -t random" badblocks
row "fio --verify=crc32c" crc32c
row "fio --verify=xxhash" xxhash
row "fio --verify=sha256, $small_mib MiB" sha256
echo "  fio without verify: $(least fio_s) s (O_DIRECT, io_uring, 1 MiB, depth 4; its transfers alone)"
echo "  fill, its transfers alone: $(least moving_s) s"
echo "  (a) wall time to fio without verify: $(ratio moving_s fio_s) (goal 1.05)," \
	"start and checkpoints included $(ratio fill_s fio_s)"
if [ -s "$work/figures/f3_cpu" ]; then
	echo "      wall time to f3: $(ratio fill_s f3_s)"
	echo "  (b) CPU to f3: $(ratio fill_cpu f3_cpu) (goal 0.45)"
	echo "      without AES and AVX: $(ratio plain_cpu f3_cpu) (goal 0.90)"
fi

# ---- memory

echo
echo "Peak resident set, MiB"
echo "  (c) cardassay fill of $mib MiB: $(peak_fill "$loop") (goal 24)"
truncate -s "${small_mib}M" "$work/small"
attach "$work/small"
small=$device
echo "      of $small_mib MiB: $(peak_fill "$small")"
if has badblocks; then
	echo "      badblocks: $(peak badblocks -w -t random -b 4096 -c 256 "$small")"
fi

# ---- zram

if [ -e /sys/class/zram-control/hot_add ]; then
	zram=$(cat /sys/class/zram-control/hot_add)
	echo "${small_mib}M" >"/sys/block/zram$zram/disksize"
	disk=/dev/zram$zram
	fill "$disk" >"$work/out" 2>&1 # allocates its pages
	round=0
	while [ "$round" -lt "$rounds" ]; do
		round=$((round + 1))
		note zram_fio_s "$(fio_moves "$disk" "$small_mib")"
		measure zram_fill "$small_mib" fill "$disk"
		note zram_moving_s "$(fill_seconds)"
	done
	echo
	echo "Write and read back of $small_mib MiB, zram (the CPU compresses), best of $rounds rounds"
	echo "  cardassay fill: $(least zram_moving_s) s, fio without verify: $(least zram_fio_s) s:" \
		"$(ratio zram_moving_s zram_fio_s)"
else
	echo "zram: left out, the kernel has none loaded"
fi

# ---- one core, no help from the CPU at all, and a device of 20 MB/s

slow_mib=64
group=/sys/fs/cgroup/blkio/cardassay-bench-$$
echo
if mkdir "$group" 2>/dev/null; then
	truncate -s "${slow_mib}M" "$work/slow"
	attach "$work/slow"
	number=$(cat "/sys/block/${device#/dev/}/dev")
	echo "$number 20000000" >"$group/blkio.throttle.read_bps_device"
	echo "$number 20000000" >"$group/blkio.throttle.write_bps_device"
	# shellcheck disable=SC2016 # expanded by the inner shell
	measure slow "$slow_mib" without all sh -ec 'echo $$ >"$1/cgroup.procs"; shift; exec taskset -c 0 "$@"' sh \
		"$group" "$cardassay" fill "$device" --erase="$(word "$device")" --progress none
	note own_s "$(calculate "2 * $slow_mib * 1.048576 / 20" %.3f)"
	echo "One core without AES and SIMD, a device of 20 MB/s, $slow_mib MiB"
	echo "  (e) cardassay fill: $(least slow_s) s, the device alone $(least own_s) s:" \
		"$(paired slow_s own_s) (goal 1.30)"
else
	group=
	echo "One core, a device of 20 MB/s: left out, there is no blkio controller of cgroup v1 here"
fi

# ---- instructions a byte

# instructions KIND WORK FUNCTION
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$3" \
		"$pattern_cost" "$1" "$2" 8 2>&1 | awk '/Collected/ { printf "%.2f", $4 / 8 / 1048576 }'
}
if [ -x "$pattern_cost" ]; then
	echo
	echo "The pattern alone, on one core"
	for kind in aes chacha20; do
		for action in generate check; do
			each=ca_pattern_generate
			[ "$action" = generate ] || each=ca_pattern_is_intact
			count=-
			has valgrind && count=$(instructions "$kind" "$action" "$each")
			echo "  $kind $action: $count instructions a byte, $("$pattern_cost" "$kind" "$action" 512)"
		done
	done
fi

# ---- how soon a fake is named

# counts DEVICE: reads, sectors read, writes, sectors written
counts()
{
	awk '{ print $1, $3, $5, $7 }' "/sys/block/${1#/dev/}/stat"
}
# probed TITLE COMMAND...: of $device
probed()
{
	title=$1
	shift
	before=$(counts "$device")
	start=$(date +%s%N)
	"$@" >"$work/out" 2>&1 </dev/null || : # what it says is looked at, whatever the exit
	end=$(date +%s%N)
	echo "$before $(counts "$device") $start $end" | awk -v title="$title" -v said="$(verdict)" '{
		printf "    %-9s %6.2f s  %6d reads %7.1f MB  %6d writes %7.1f MB  %s\n", title,
			($10 - $9) / 1e9, $5 - $1, ($6 - $2) * 512 / 1e6, $7 - $3, ($8 - $4) * 512 / 1e6, said }'
}
verdict()
{
	sed -n -e 's/^Good news: .* is \(the real thing\).*/\1/p' \
		-e 's/^Bad news: .* is a counterfeit of type \(.*\)/\1/p' \
		-e 's/^Bad news: .* is \(damaged\).*/\1/p' \
		-e 's/^\(PASS\|FAIL\|SCREENED\|INCONCLUSIVE\): /\1: /p' "$work/out" | head -n 1
}
# fake TITLE ANNOUNCED_MIB KIND [REAL_MIB]
fake()
{
	title=$1
	announced=$(($2 * 1048576))
	kind=$3
	real=${4:-}
	"$cardfuse" "$work/fuse" "$work/backing" "$announced" "$kind" ${real:+$((real * 1048576))} 2>/dev/null &
	fuse=$!
	tries=100
	until [ -e "$work/fuse/card" ] || [ "$tries" -eq 0 ]; do
		tries=$((tries - 1))
		sleep 0.05
	done
	attach "$work/fuse/card"
	echo "  $title"
	probed cardassay "$cardassay" probe "$device" --confirm="$(word "$device")" \
		--journal="$work/journal" --progress none
	rm -f "$work/journal"
	has f3probe && probed f3probe f3probe --destructive "$device"
	losetup -d "$device"
	fusermount3 -u "$work/fuse"
	wait "$fuse" || : # it ends when it is unmounted
	rm -f "$work/backing"
}
if [ -x "$cardfuse" ] && has fusermount3; then
	echo
	echo "Probe, which puts back what was there, and f3probe --destructive, which does not"
	fake "4 GiB, sound" 4096 sound
	fake "4 GiB, 1 GiB real, wraps" 4096 wrap 1024
	fake "4 GiB, 1 GiB real, the rest is lost" 4096 drop 1024
	fake "64 GiB, sound" 65536 sound
	fake "64 GiB, 8 GiB real, wraps" 65536 wrap 8192
	fake "64 GiB, 7249 MiB real, wraps" 65536 wrap 7249
	fake "64 GiB, 61440 MiB real, wraps" 65536 wrap 61440
	fake "64 GiB, 8 GiB real, the rest is lost" 65536 drop 8192
	fake "1 TiB, sound" 1048576 sound
	fake "1 TiB, 64 GiB real, wraps" 1048576 wrap 65536
	fake "1 TiB, 64 GiB real, the rest is lost" 1048576 drop 65536
fi

# ---- what it takes to install, and to look at registers

echo
cp "$cardassay" "$work/stripped"
has strip && strip "$work/stripped"
echo "Size"
echo "  program: $(wc -c <"$work/stripped") bytes$(has strip && echo ", stripped")"
ldd "$cardassay" | awk '/=> \// { print $3 }' | sort -u >"$work/libs"
if has dpkg-query; then
	while IFS= read -r lib; do
		# usr-merged systems know some libraries by their old path only
		real=$(readlink -f "$lib")
		dpkg-query -S "$real" 2>/dev/null || dpkg-query -S "${real#/usr}" 2>/dev/null || :
	done <"$work/libs" | cut -d : -f 1 | sort -u >"$work/packages"
	# shellcheck disable=SC2046 # one package a word
	dpkg-query -W -f '${Installed-Size} ${Package}\n' $(cat "$work/packages") |
		awk '{ sum += $1; names = names " " $2 } END { print "  library packages: " sum " KiB installed:" names }'
fi

echo
echo "Inspect"
card="cid: ad4c535553443030615a17c0de01853d
csd: 400e00325b5900001d177f800a40008d
scr: 0235848300000000"
echo "$card" >"$work/one"
awk 'BEGIN { for (i = 0; i < 10000; i++) {
	d = sprintf("/sys/class/mmc_host/mmc%d/mmc%d:0001", i, i)
	print d "/cid:ad4c535553443030615a17c0de01853d"
	print d "/csd:400e00325b5900001d177f800a40008d"
	print d "/scr:0235848300000000" } }' >"$work/many"
for count in one many; do
	start=$(date +%s%N)
	status=0
	"$cardassay" inspect "$work/$count" >"$work/out" 2>&1 || status=$?
	end=$(date +%s%N)
	echo "  $count card$([ $count = one ] || echo "s (10,000)"): $(((end - start) / 1000)) us, exit $status"
done
