#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A device that vanishes in mid-run: exit 5, and a valid certificate of what was seen. A loop device
# in use cannot be detached for good, so the file under it fails and loses its size: to the kernel's
# users that is what a pulled card is, I/O errors and then no capacity.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 2200
need_fuse
bytes=2147483648

# sectors LOOP: written and read so far
sectors()
{
	awk '{ printf "%.0f\n", $3 + $7 }' "/sys/block/${1#/dev/}/stat"
}

# vanish_after MIB NAME: starts a run and takes the device away after so much was moved.
vanish_after()
{
	counterfeit "$2" $bytes sound
	before=$(sectors "$loop")
	"$CARDASSAY" certify "$loop" --erase="$(word "$loop")" -o "$work/$2.json" \
		--progress none >"$work/out" 2>&1 </dev/null &
	run=$!
	while kill -0 "$run" 2>/dev/null &&
		[ $(($(sectors "$loop") - before)) -lt $(($1 * 2048)) ]; do
		sleep 0.05
	done
	kill -USR1 "$card"
	until [ "$(stat -c %s "$dir/card")" -eq 0 ]; do # the signal takes its time
		sleep 0.01
	done
	losetup -c "$loop"
	found=0
	wait "$run" || found=$?
	[ "$found" -eq 5 ] || fail "exit $found, not 5, after the device vanished in $2"
	holds "$work/$2.json" origin virtual end lost announced_bytes $bytes
	valid "$work/$2.json"
	remove_counterfeit
}

vanish_after 512 writing
[ "$(value good_bytes "$work/writing.json")" -lt $bytes ] || fail "all good on half a card"
vanish_after 2560 reading

# A card that cannot keep half of itself stays in its slot, whoever says that it left: that is the
# card's fault (exit 1), not a lost device.
counterfeit errors 33554432 error 16777216
(while sleep 0.05; do
	for action in remove change; do
		echo $action >"/sys/block/${loop#/dev/}/uevent"
	done
done) 2>/dev/null &
alarms=$!
expect 1 "$CARDASSAY" certify "$loop" --erase="$(word "$loop")" -o "$work/errors.json" \
	--progress none
kill "$alarms"
holds "$work/errors.json" kind errors announced_bytes 33554432
remove_counterfeit
