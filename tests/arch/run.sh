#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The program and its tests built for another processor and run by QEMU's user emulation; then
# compare.sh: what it makes there is what it makes here, byte for byte.
#   run.sh ARCH CARDASSAY   ARCH as Debian calls it: arm64, armhf, s390x; CARDASSAY the program built
#                           for this processor; everything goes to ./ARCH, and is used again
set -eu
arch=$1
cardassay=$(readlink -f "$2")
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
room=$PWD/$arch
build=$room/build

skip()
{
	echo "skipped: $*"
	exit 77
}

need_tools()
{
	[ "$(uname -m)" = x86_64 ] || skip 'needs an amd64 machine'
	case $arch in
	arm64) compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64-static ;;
	armhf) compiler=arm-linux-gnueabihf-gcc emulator=qemu-arm-static ;;
	s390x) compiler=s390x-linux-gnu-gcc emulator=qemu-s390x-static ;;
	*) echo "no such processor: $arch" >&2 && exit 64 ;;
	esac
	for tool in $compiler $emulator qemu-x86_64-static; do
		command -v "$tool" >/dev/null || skip "needs $tool"
	done
}

# -O1: three builds and what they cost matter more here than how fast it runs.
build()
{
	[ "$(cat "$room/sysroot" 2>/dev/null)" = "$sysroot" ] || rm -rf "$room"
	mkdir -p "$build"
	echo "$sysroot" >"$room/sysroot"
	{
		cmake -S "$source" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$source/cmake/debian_cross.cmake" \
			-DCARDASSAY_ARCH="$arch" -DCMAKE_SYSROOT="$sysroot" -DCARDASSAY_TESTS=ON \
			-DCARDASSAY_WERROR=ON -DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 &&
			cmake --build "$build" --parallel "$(nproc)"
	} >"$room/log" 2>&1 || {
		grep -E -A 5 ': (fatal )?error|undefined reference|[*][*][*]' "$room/log" | head -n 40 >&2
		echo "FAILED: the build for $arch" >&2
		exit 1
	}
}

# A library that QEMU finds in front of the sysroot's: libgcrypt without its vector code, which is
# slower than the plain one when each instruction is emulated.
plain_gcrypt()
{
	rm -rf "$room/plain"
	mkdir -p "$room/plain/etc/gcrypt"
	echo all >"$room/plain/etc/gcrypt/hwf.deny"
	for dir in "$sysroot"/*/; do
		[ "$(basename "$dir")" = etc ] || ln -s "$dir" "$room/plain"
	done
}

# Left out: NAME, and why.
left_out()
{
	sed 's/ .*//; s/[.]/[.]/g; s/[*]/.*/' <<LIST | paste -s -d '|'
unit.device.block waits for a uevent, and QEMU does not translate that socket's messages
unit.device.uevent the same
unit.device.watch the same
unit.device.reinit the same
unit.device.selfcheck the same
unit.device.linux_block asks loop devices of this kernel by ioctls and io_uring, which QEMU does not know
unit.device.mmc_command sends an MMC ioctl, which QEMU does not know
unit.device.nvme_admin sends an NVMe ioctl, which QEMU does not know
unit.fill.fill a GiB of pattern, minutes under emulation; compare.sh fills smaller cards
unit.fill.fill_job the same
unit.fill.landmarks the same
unit.certificate.sarif one document after the other held against the schema; compare.sh compares SARIF too
simulated.fault_table several GiB of pattern; compare.sh goes through the same faults on smaller cards
simulated.early_table the same, on the way
simulated.probe_table dozens of probes of 60 MB each; compare.sh probes two cards
simulated.fail_sweep thousands of runs, none of which depends on the processor
fuzz.* 5000 made inputs each; run below with fewer
LIST
}

run_tests()
{
	(cd "$build" && CK_TIMEOUT_MULTIPLIER=20 QEMU_LD_PREFIX=$room/plain ctest --parallel "$(nproc)" \
		-L '^(unit|simulated)$' -E "^($(left_out))\$") >"$room/tests" 2>&1 || {
		grep -E 'Failed|Timeout|tests passed' "$room/tests" >&2
		cat "$build/Testing/Temporary/LastTestsFailed.log" >&2
		echo "FAILED: tests on $arch" >&2
		exit 1
	}
	grep 'tests passed' "$room/tests"
	runs=0
	for program in "$build"/tests/fuzz/fuzz_*_run; do
		name=$(basename "$program" _run)
		set -- "$source/tests/fuzz/corpus/${name#fuzz_}"/*
		[ -e "$1" ] || set --
		QEMU_LD_PREFIX=$room/plain $emulator "$program" -n 100 "$@" >"$room/tests" 2>&1 || {
			tail -n 20 "$room/tests" >&2
			echo "FAILED: $name on $arch" >&2
			exit 1
		}
		runs=$((runs + 1))
	done
	echo "$runs fuzz targets over their corpus"
}

need_tools
sysroot=$(sh "$here/sysroot.sh" "$arch" 2>&1) || {
	status=$?
	echo "$sysroot"
	exit $status
}
build
echo "built for $arch: $(wc -c <"$build/cardassay") bytes"
plain_gcrypt
run_tests
mkdir -p "$room/compare"
cd "$room/compare"
EMULATOR=$emulator QEMU_LD_PREFIX=$sysroot sh "$here/compare.sh" "$cardassay" "$build/cardassay" \
	"$source/fixtures"
