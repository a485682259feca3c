#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Measures cardassay against its peers, in one run on one machine, and prints ratios. Not part of
# the tests: figures depend on the machine. Each round runs all of them one after the other, and the
# best round of each counts: what else runs on the machine only ever adds.
# Needs root, fio, f3, and SIZE in a tmpfs (TMPDIR, else /dev/shm).
#   bench.sh CARDASSAY [SIZE_MIB [ROUNDS]]
# shellcheck disable=SC2154 # best and measure assign by name
set -eu
cardassay=$(readlink -f "${1:?usage: bench.sh CARDASSAY [SIZE_MIB [ROUNDS]]}")
mib=${2:-4096}
rounds=${3:-5}
LC_ALL=C
CARDASSAY_CONFIG=/dev/null
export LC_ALL CARDASSAY_CONFIG
for tool in losetup fio f3write f3read mkfs.ext4 strip unshare taskset; do
	command -v "$tool" >/dev/null || {
		echo "bench.sh needs $tool"
		exit 77
	}
done
work=$(mktemp -d "${TMPDIR:-/dev/shm}/cardassay-bench-XXXXXX")
loop=
slow=
group=
cleanup()
{
	umount "$work/mnt" 2>/dev/null || :
	[ -z "$loop" ] || losetup -d "$loop" 2>/dev/null || :
	[ -z "$slow" ] || losetup -d "$slow" 2>/dev/null || :
	[ -z "$group" ] || rmdir "$group" 2>/dev/null || :
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP PIPE
mkdir "$work/mnt"
truncate -s "${mib}M" "$work/card"
loop=$(losetup -f --show --direct-io=on "$work/card")
word=${loop#/dev/}-$(blockdev --getsize64 "$loop")

# best NAME VALUE: keeps the least.
best()
{
	eval "old=\${$1:-}"
	[ -z "$old" ] || awk "BEGIN { exit !($2 < $old) }" || return 0
	eval "$1=$2"
}
# measure NAME COMMAND...: best wall and CPU seconds in NAME_s and NAME_cpu; output in $work/out.
measure()
{
	name=$1
	shift
	start=$(date +%s%N)
	# the second line of times is that of the children of this subshell: of the command alone
	("$@" >"$work/out" 2>&1 </dev/null && times >"$work/times") || {
		echo "failed: $*" >&2
		cat "$work/out" >&2
		exit 1
	}
	end=$(date +%s%N)
	best "${name}_s" "$(awk "BEGIN { printf \"%.3f\", ($end - $start) / 1e9 }")"
	best "${name}_cpu" "$(awk -F '[ms ]+' 'NR == 2 { printf "%.2f", $1 * 60 + $2 + $3 * 60 + $4 }' "$work/times")"
}
# peak COMMAND...: largest resident set, KiB, asked from time to time.
peak()
{
	"$@" >"$work/out" 2>&1 </dev/null &
	pid=$!
	most=0
	while line=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$line" ]; do
		most=$line
		sleep 0.02
	done
	wait "$pid"
	echo "$most"
}
ratio()
{
	awk "BEGIN { if ($2 > 0) printf \"%.2f\", ($1) / ($2); else print \"-\" }"
}
per_gb()
{
	awk "BEGIN { printf \"%.2f\", ($1) / ($mib * 1.048576 / 1000) }"
}
# without FEATURES COMMAND...: with these features hidden from libgcrypt, which reads of them in /etc;
# a copy of it takes its place for this command alone.
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
fill()
{
	"$cardassay" fill "$loop" --erase="$word" --progress none --format json
}
# Seconds of the transfer alone, as the tools timed it: their start is no part of the comparison.
fio_seconds()
{
	awk -F ';' -v at="$1" '/^3;/ { printf "%.3f", $at / 1000 }' "$work/out"
}
fill_seconds()
{
	awk -F '[:,]' '/"(write|read)_ns"/ { sum += $2 } END { printf "%.3f", sum / 1e9 }' "$work/out"
}
disk()
{
	fio --name=x --filename="$loop" --direct=1 --bs=1M --ioengine=io_uring --iodepth=4 \
		--rw="$1" --size="${mib}M" --thread --output-format=terse --terse-version=3
}
f3()
{
	mkfs.ext4 -q -F -m 0 "$loop"
	mount "$loop" "$work/mnt"
	measure f3w f3write "$work/mnt"
	measure f3r f3read "$work/mnt"
	umount "$work/mnt"
}
no_aes="intel-aesni intel-vaes-vpclmul intel-avx intel-avx2 arm-aes"
plain()
{
	without "$no_aes" "$cardassay" fill "$loop" --erase="$word" --progress none --format json
}

# The first pass allocates the tmpfs pages; nobody's figure shall hold that.
dd if=/dev/zero of="$loop" bs=1M count="$mib" oflag=direct status=none
without all true # makes the copy of /etc
fill_kib=$(peak "$cardassay" fill "$loop" --erase="$word" --progress none)
round=0
while [ "$round" -lt "$rounds" ]; do
	round=$((round + 1))
	disk write >"$work/out"
	best fio_write_s "$(fio_seconds 50)"
	disk read >"$work/out"
	best fio_read_s "$(fio_seconds 9)"
	measure fill fill
	best fill_moving_s "$(fill_seconds)"
	measure plain plain
	f3
done

fio_s=$(awk "BEGIN { print $fio_write_s + $fio_read_s }")
f3_s=$(awk "BEGIN { print $f3w_s + $f3r_s }")
f3_cpu=$(awk "BEGIN { print $f3w_cpu + $f3r_cpu }")
echo "Fill and read back of $mib MiB (loop device with direct I/O over tmpfs), best of $rounds rounds"
echo "  cardassay fill     $fill_s s ($fill_moving_s s of it writing and reading)," \
	"$(per_gb "$fill_cpu") CPU s/GB, peak RSS $fill_kib KiB"
echo "  without AES, AVX   $plain_s s, $(per_gb "$plain_cpu") CPU s/GB"
echo "  fio write + read   $fio_s s (O_DIRECT, 1 MiB, depth 4, no check of the data)"
echo "  f3write + f3read   $f3_s s, $(per_gb "$f3_cpu") CPU s/GB"
echo "  time to fio        $(ratio "$fill_s" "$fio_s"), writing and reading alone" \
	"$(ratio "$fill_moving_s" "$fio_s") (goal 1.05)"
echo "  time to f3         $(ratio "$fill_s" "$f3_s")"
echo "  CPU to f3          $(ratio "$fill_cpu" "$f3_cpu") (goal 0.45)," \
	"without AES and AVX $(ratio "$plain_cpu" "$f3_cpu") (goal 0.90)"

# One core, no help from the CPU at all, and a device of 20 MB/s.
slow_mib=64
group=/sys/fs/cgroup/blkio/cardassay-bench-$$
if mkdir "$group" 2>/dev/null; then
	truncate -s "${slow_mib}M" "$work/slow"
	slow=$(losetup -f --show --direct-io=on "$work/slow")
	number=$(cat "/sys/block/${slow#/dev/}/dev")
	echo "$number 20000000" >"$group/blkio.throttle.read_bps_device"
	echo "$number 20000000" >"$group/blkio.throttle.write_bps_device"
	# shellcheck disable=SC2016 # expanded by the inner shell
	measure slow without all sh -ec 'echo $$ >"$1/cgroup.procs"; shift; exec taskset -c 0 "$@"' sh \
		"$group" "$cardassay" fill "$slow" \
		--erase="${slow#/dev/}-$(blockdev --getsize64 "$slow")" --progress none
	own_s=$(awk "BEGIN { print 2 * $slow_mib * 1.048576 / 20 }")
	echo "One core without AES and SIMD, a device of 20 MB/s"
	echo "  cardassay fill     $slow_s s for $slow_mib MiB, the device alone $own_s s: $(ratio "$slow_s" "$own_s") (goal 1.30)"
else
	group=
	echo "One core, a device of 20 MB/s: skipped, there is no blkio controller of cgroup v1 here"
fi

cp "$cardassay" "$work/stripped"
strip "$work/stripped"
echo "Size"
echo "  stripped program   $(wc -c <"$work/stripped") bytes"
ldd "$cardassay" | awk '/=> \// { print $3 }' | sort -u >"$work/libs"
if command -v dpkg-query >/dev/null; then
	while IFS= read -r lib; do
		# usr-merged systems know some libraries by their old path only
		real=$(readlink -f "$lib")
		dpkg-query -S "$real" 2>/dev/null || dpkg-query -S "${real#/usr}" 2>/dev/null || :
	done <"$work/libs" | cut -d : -f 1 | sort -u >"$work/packages"
	# shellcheck disable=SC2046 # one package a word
	dpkg-query -W -f '${Installed-Size} ${Package}\n' $(cat "$work/packages") |
		awk '{ sum += $1; names = names " " $2 } END { print "  library packages   " sum " KiB installed:" names }'
fi

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
	echo "  $count card$([ $count = one ] || echo "s (10,000)")   $(((end - start) / 1000)) us, exit $status"
done
