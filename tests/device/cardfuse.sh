#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rig itself: cardfuse lies as it should, through a loop device, to the sector.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 32
need_fuse
head -c 4096 /dev/urandom >"$work/a"
head -c 4096 /dev/urandom >"$work/b"
head -c 4096 /dev/zero >"$work/zeros"

# put FILE SECTOR / get SECTOR FILE: 4096 bytes (a sector number that is a multiple of 8)
put()
{
	dd if="$1" of="$loop" bs=4096 seek=$(($2 / 8)) oflag=direct conv=notrunc status=none
}
same()
{
	dd if="$loop" of="$work/found" bs=4096 skip=$(($1 / 8)) count=1 iflag=direct status=none
	cmp -s "$work/found" "$2" || fail "sector $1 does not hold $2"
}

counterfeit sound 16777216 sound
put "$work/a" 0
put "$work/b" 32760
same 0 "$work/a"
same 32760 "$work/b"
same 8 "$work/zeros"
remove_counterfeit

counterfeit wrap 16777216 wrap 4096000 # 8000 sectors
put "$work/a" 0
put "$work/b" 24000
same 0 "$work/b"
same 8000 "$work/b"
put "$work/a" 7992
same 15992 "$work/a"
remove_counterfeit

counterfeit odd 16777216 wrap 4096512 # 8001 sectors: 8008 lands on 7
put "$work/a" 8008
dd if="$loop" of="$work/found" bs=512 skip=7 count=8 status=none
cmp -s "$work/found" "$work/a" || fail "an odd modulus is not exact"
remove_counterfeit

counterfeit drop 16777216 drop 4096000
put "$work/a" 7992
put "$work/b" 8000
same 7992 "$work/a"
same 8000 "$work/zeros"
remove_counterfeit

counterfeit chain 16777216 chain 4096000 8192000
put "$work/a" 0
put "$work/b" 8000
same 8000 "$work/zeros"
same 16000 "$work/a"
remove_counterfeit

counterfeit error 16777216 error 4096000
put "$work/a" 7992
same 7992 "$work/a"
if dd if="$work/b" of="$loop" bs=4096 seek=1000 oflag=direct conv=notrunc status=none 2>/dev/null; then
	fail "no error past the real end"
fi
remove_counterfeit
