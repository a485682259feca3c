#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# --replug=ask: a loop device loses its file and gets one again, which is what a reader shows when its
# card is taken out and put back: the device stays, its size goes to 0 and comes back.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 200
size=$((64 * 1048576))
said=$work/said

# await TEXT: until the run has said it
await()
{
	tries=300
	until grep -qF -e "$1" "$said"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || {
			cp "$said" "$work/out"
			fail "never said: $1"
		}
		sleep 0.1
	done
}

# begin NAME: a run in the background up to the moment when all is written
begin()
{
	truncate -s $size "$work/card"
	attach "$work/card"
	: >"$said"
	env --default-signal=INT "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" --replug=ask \
		--require=retention -o "$work/$1.json" --progress=json >"$work/out" 2>"$said" </dev/null &
	run=$!
	await '"ask":"take-out"'
}

# end CODE NAME KEY VALUE ...
end()
{
	found=0
	wait "$run" || found=$?
	cat "$said" >>"$work/out"
	[ "$found" -eq "$1" ] || fail "exit $found, not $1"
	name=$2
	shift 2
	holds "$work/$name.json" origin virtual "$@"
	losetup -d "$loop" 2>/dev/null || :
	valid "$work/$name.json"
}

# Out and in again, in its own slot: the data outlives it.
begin same
losetup -d "$loop"
await '"ask":"put-back"'
losetup "$loop" "$work/card"
end 0 same end complete reinit replug kind sound


# Another card: not written to, whatever else it has in common with the first.
begin other
losetup -d "$loop"
await '"ask":"put-back"'
head -c $size /dev/urandom >"$work/other"
before=$(checksum "$work/other")
losetup "$loop" "$work/other"
end 5 other end changed reinit none
grep -q 'not the card that was there' "$said" || fail "does not say that it is another card"
[ "$(checksum "$work/other")" = "$before" ] || fail "another card was written to"
rm "$work/other"

# One that looks the same and holds nothing of this run.
begin lost
losetup -d "$loop"
await '"ask":"put-back"'
head -c $size /dev/urandom >"$work/card"
before=$(checksum "$work/card")
losetup "$loop" "$work/card"
end 5 lost end changed reinit none
grep -q 'holds nothing of this run' "$said" || fail "does not say that it cannot be told"
[ "$(checksum "$work/card")" = "$before" ] || fail "a card that is not known was written to"

# Forged and synthetic events are not believed: the card is still there.
begin forged
for action in remove change add; do
	echo $action >"/sys/block/${loop#/dev/}/uevent"
done
[ -z "${FORGE_UEVENT-}" ] || "$FORGE_UEVENT" "${loop#/dev/}" || :
sleep 1
! grep -q '"ask":"put-back"' "$said" || fail "an event that is not the kernel's was believed"
losetup -d "$loop"
await '"ask":"put-back"'
losetup "$loop" "$work/card"
end 0 forged end complete reinit replug

# Ctrl-C while it waits: before it is out, it is read no more; while it is out, that is the end.
begin in
kill -INT "$run"
end 4 in end interrupted reinit none
begin out
losetup -d "$loop"
await '"ask":"put-back"'
kill -INT "$run"
end 4 out end interrupted reinit none
