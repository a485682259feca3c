#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Ctrl-C and SIGTERM in mid-run: exit 4, and a valid certificate of what was seen.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 4200
truncate -s 4294967296 "$work/card"
attach "$work/card"

for signal in INT TERM; do
	# A background command of a script ignores SIGINT from birth: env gives it back.
	env --default-signal=INT "$CARDASSAY" certify "$loop" --erase="$(word "$loop")" \
		-o "$work/$signal.json" --progress none >"$work/out" 2>&1 </dev/null &
	run=$!
	before=$(awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat")
	while kill -0 "$run" 2>/dev/null &&
		[ $(($(awk '{ print $7 }' "/sys/block/${loop#/dev/}/stat") - before)) -lt 524288 ]; do
		sleep 0.05
	done
	kill -$signal "$run"
	found=0
	wait "$run" || found=$?
	[ "$found" -eq 4 ] || fail "exit $found, not 4, after SIG$signal"
	holds "$work/$signal.json" end interrupted origin virtual
	valid "$work/$signal.json"
done
