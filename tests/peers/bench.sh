#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Measures cardassay against its peers, in one run on one machine, and prints ratios. Not part of
# the tests: figures depend on the machine. Needs root, fio, f3, and SIZE in a tmpfs (TMPDIR, else /dev/shm).
#   bench.sh CARDASSAY [SIZE_MIB]
set -eu
cardassay=$(readlink -f "${1:?usage: bench.sh CARDASSAY [SIZE_MIB]}")
mib=${2:-2048}
LC_ALL=C
CARDASSAY_CONFIG=/dev/null
export LC_ALL CARDASSAY_CONFIG
for tool in losetup fio f3write f3read mkfs.ext4 strip; do
	command -v "$tool" >/dev/null || {
		echo "bench.sh needs $tool"
		exit 77
	}
done
work=$(mktemp -d "${TMPDIR:-/dev/shm}/cardassay-bench-XXXXXX")
loop=
cleanup()
{
	umount "$work/mnt" 2>/dev/null || :
	[ -z "$loop" ] || losetup -d "$loop" 2>/dev/null || :
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP PIPE
mkdir "$work/mnt"
truncate -s "${mib}M" "$work/card"
loop=$(losetup -f --show --direct-io=on "$work/card")
word=${loop#/dev/}-$(blockdev --getsize64 "$loop")

# measure NAME COMMAND...: wall and CPU seconds and peak RSS in NAME_s, NAME_cpu, NAME_kib.
measure()
{
	name=$1
	shift
	# Children of a shell: times counts them; peak RSS is polled from /proc.
	start=$(date +%s%N)
	"$@" >"$work/out" 2>&1 </dev/null &
	pid=$!
	peak=0
	cpu=0
	while line=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null) && [ -n "$line" ]; do
		peak=$line
		ticks=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | awk '{ print $12 + $13 }') || :
		[ -z "$ticks" ] || cpu=$ticks
		sleep 0.02
	done
	wait "$pid" || {
		echo "failed: $*" >&2
		cat "$work/out" >&2
		exit 1
	}
	end=$(date +%s%N)
	hertz=$(getconf CLK_TCK)
	eval "${name}_s=\$(awk 'BEGIN { printf \"%.3f\", ($end - $start) / 1e9 }')"
	eval "${name}_cpu=\$(awk 'BEGIN { printf \"%.2f\", $cpu / $hertz }')"
	eval "${name}_kib=$peak"
}
ratio()
{
	awk "BEGIN { if ($2 > 0) printf \"%.2f\", ($1) / ($2); else print \"-\" }"
}
per_gb()
{
	awk "BEGIN { printf \"%.2f\", $1 / ($mib * 1.048576 / 1000) }"
}
disk()
{
	fio --name=x --filename="$loop" --direct=1 --bs=1M --ioengine=io_uring --iodepth=4 \
		--rw="$1" --size="${mib}M" --thread --output-format=terse --terse-version=3
}
# Seconds of the transfer alone, as fio has timed it: its start is no part of the comparison.
fio_seconds()
{
	awk -F ';' -v at="$1" '/^3;/ { printf "%.3f", $at / 1000 }' "$work/out"
}

# The first pass allocates the tmpfs pages; nobody's figure shall hold that.
dd if=/dev/zero of="$loop" bs=1M count="$mib" oflag=direct status=none

disk write >"$work/out"
fio_write_s=$(fio_seconds 50)
disk read >"$work/out"
fio_read_s=$(fio_seconds 9)
measure fill "$cardassay" fill "$loop" --erase="$word" --progress none
mkfs.ext4 -q -F -m 0 "$loop"
mount "$loop" "$work/mnt"
measure f3w f3write "$work/mnt"
measure f3r f3read "$work/mnt"
umount "$work/mnt"

fio_s=$(awk "BEGIN { print $fio_write_s + $fio_read_s }")
f3_s=$(awk "BEGIN { print $f3w_s + $f3r_s }")
f3_cpu=$(awk "BEGIN { print $f3w_cpu + $f3r_cpu }")
echo "Fill and read back of $mib MiB (loop device with direct I/O over tmpfs)"
echo "  cardassay fill     $fill_s s, $(per_gb "$fill_cpu") CPU s/GB, peak RSS $fill_kib KiB"
echo "  fio write + read   $fio_s s (O_DIRECT, 1 MiB, depth 4, no check of the data)"
echo "  f3write + f3read   $f3_s s, $(per_gb "$f3_cpu") CPU s/GB, peak RSS $f3r_kib KiB"
echo "  ratio              time to fio $(ratio "$fill_s" "$fio_s"), time to f3 $(ratio "$fill_s" "$f3_s")," \
	"CPU to f3 $(ratio "$fill_cpu" "$f3_cpu")"

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
