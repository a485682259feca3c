#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A card comes back as it came, whatever ends the run: the empty file system it had is put back after a
# pass and after Ctrl-C, not on a counterfeit, which it would make look good; and erased is erased.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 2200
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
head=7168 # bytes that make the file system below

# format DEVICE: an empty FAT12 volume of 2 MiB, whatever the size of the device
format()
{
	{
		printf '\353\074\220MSDOS5.0\000\002\001\001\000\001\020\000\000\020\370\014\000'
		head -c 486 /dev/zero
		printf '\125\252\370\377\377'
		head -c 6141 /dev/zero
		printf 'MY CARD    \010'
		head -c 500 /dev/zero
	} | dd of="$1" bs=7168 count=1 iflag=fullblock conv=notrunc oflag=direct status=none
}

head_sum()
{
	dd if="$1" bs=$head count=1 iflag=direct status=none | cksum
}

truncate -s 64M "$work/card"
attach "$work/card"
format "$loop"
before=$(head_sum "$loop")
expect 0 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --progress none
says "the empty FAT12 file system it has now" "Left on the card: the empty FAT12 file system"
[ "$(head_sum "$loop")" = "$before" ] || fail "the file system was not put back"

expect 0 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --progress none --leave=erased
says "Left on the card: "
[ "$(tr -d '\000' <"$loop" | wc -c)" -eq 0 ] || says "discard does not work here"
[ "$(dd if="$loop" bs=1M count=16 status=none | tr -d '\000' | wc -c)" -eq 0 ] ||
	fail "erased, and not empty"
detach "$loop"

# Ctrl-C
truncate -s 2G "$work/large"
attach "$work/large"
format "$loop"
written=$(awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat")
env --default-signal=INT "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --progress none \
	>"$work/out" 2>&1 </dev/null &
run=$!
until [ $(($(awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat") - written)) -gt 262144 ]; do
	kill -0 "$run" 2>/dev/null || fail "it ended early"
	sleep 0.05
done
kill -INT "$run"
found=0
wait "$run" || found=$?
[ "$found" -eq 4 ] || fail "exit $found, not 4, after SIGINT"
says "put back and read again"
[ "$(head_sum "$loop")" = "$before" ] || fail "the file system was not put back after Ctrl-C"
[ -z "$(ls "$work/state/cardassay")" ] || fail "a journal is left that is not needed any more"

# The end of everything: what was kept on a disk is put back
format "$loop"
written=$(awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat")
"$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --progress none >"$work/out" 2>&1 </dev/null &
run=$!
until [ $(($(awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat") - written)) -gt 262144 ]; do
	kill -0 "$run" 2>/dev/null || fail "it ended early"
	sleep 0.05
done
kill -KILL "$run"
wait "$run" 2>/dev/null || :
[ "$(head_sum "$loop")" != "$before" ] || fail "nothing was written before it was killed"
for journal in "$work/state/cardassay"/*; do
	expect_when_free 0 "$CARDASSAY" restore "$journal" "$loop"
done
[ "$(head_sum "$loop")" = "$before" ] || fail "the file system was not restored"
detach "$loop"
rm "$work/large"

# A counterfeit: its file system would promise what is not there, unless that is asked for
if [ -n "${CARDFUSE-}" ] && [ -e /dev/fuse ]; then
	counterfeit false 67108864 wrap 16777216
	format "$loop"
	expect 1 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --progress none
	says "promises room that is not there"
	[ "$(head_sum "$loop")" != "$before" ] || fail "a counterfeit was made to look good"
	format "$loop"
	expect 1 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --progress none --leave=format
	[ "$(head_sum "$loop")" = "$before" ] || fail "--leave=format was not obeyed"
	remove_counterfeit
fi
