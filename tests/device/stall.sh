#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A device that stops answering is named while it does, with the sector it was asked for; SIGUSR1 says
# at once where the run is. The file system under the loop device is stopped for a while.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 500
need_fuse
said=$work/said

# await SECONDS TEXT
await()
{
	tries=$(($1 * 10))
	until grep -q -e "$2" "$said"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || {
			kill -CONT "$card"
			cp "$said" "$work/out"
			fail "not said within $1 s: $2"
		}
		sleep 0.1
	done
}

: >"$said"
counterfeit slow 402653184 sound
"$CARDASSAY" fill "$loop" --erase="$(word "$loop")" -o "$work/slow.json" --progress=json \
	>"$work/out" 2>"$said" </dev/null &
run=$!
await 10 '"phase":"writing"'
kill -STOP "$card"
await 30 '^{"phase":"[a-z ]*","stalled_seconds":1[0-9],"operation":"[a-z]*"'
lines=$(wc -l <"$said")
kill -USR1 "$run"
await 3 '"bad_sectors":0,"stalled_seconds":1[0-9]'
[ "$(wc -l <"$said")" -gt "$lines" ] || fail "SIGUSR1 printed nothing"
kill -CONT "$card"
await 5 '"answered_after_seconds":1[0-9]'
found=0
wait "$run" || found=$?
[ "$found" -eq 0 ] || fail "exit $found, not 0, after the device answered again"
holds "$work/slow.json" end complete kind sound
if command -v jq >/dev/null; then
	grep '^{' "$said" | jq -e .phase >"$work/out" || fail "not an object a line"
fi
remove_counterfeit
