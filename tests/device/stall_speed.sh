#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A device that stops answering while its speed is measured is named, and does not keep the
# certificate for itself: that holds what was measured before. So it is after Ctrl-C, at once.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 100
need_fuse
said=$work/said

# await SECONDS COMMAND...
await()
{
	tries=$(($1 * 10))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || {
			kill -CONT "$card"
			cp "$said" "$work/out"
			fail "not in time: $*"
		}
		sleep 0.1
	done
}

# begin NAME: --matrix on a card of its own, until some cells are measured
begin()
{
	: >"$said"
	counterfeit "$1" 33554432 paced 1000 1000 30000000 30000000
	"$CARDASSAY" speed "$loop" --matrix --seconds 1 --erase="$(word "$loop")" \
		-o "$work/$1.json" --progress=json >"$work/out" 2>"$said" </dev/null &
	run=$!
	await 30 grep -q '"phase":"read, 8 KiB blocks"' "$said"
	kill -STOP "$card"
}

# whole NAME: the certificate is there, though the card does not answer yet
whole()
{
	await "$2" test -s "$work/$1.json"
	kill -CONT "$card"
	found=0
	wait "$run" || found=$?
	[ "$found" -eq "$3" ] || fail "exit $found, not $3"
	grep -q 'does not answer' "$said" || fail "it was not said that it does not answer"
	grep -q '"block_bytes": 4096' "$work/$1.json" || fail "the first cell is lost"
	holds "$work/$1.json" end lost
	valid "$work/$1.json"
	remove_counterfeit
}

begin silent
await 30 grep -q '"stalled_seconds":2[0-9]' "$said"
whole silent 20 5

begin interrupted
sleep 1
kill -INT "$run"
whole interrupted 10 5
