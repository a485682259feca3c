#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The station while loop devices come and go: what appears is shown once, whatever else the kernel, or
# somebody who is not the kernel, says. Loop devices of other tests may appear too: only lines about
# our own count.
#   $FORGE_UEVENT  the program forge_uevent
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 64
: "${FORGE_UEVENT:?the path of the program}"
mib=1048576
station=

stop()
{
	status=$?
	[ -z "$station" ] || kill -CONT "$station" 2>/dev/null || :
	[ -z "$station" ] || kill "$station" 2>/dev/null || :
	set +e
	(exit "$status") # what cleanup ends with
	cleanup
}
trap stop EXIT

# start NAME OPTION...: a station in the background, as soon as it watches
start()
{
	name=$1
	shift
	"$CARDASSAY" station --inspect "$@" >"$work/$name" 2>"$work/$name.err" </dev/null &
	station=$!
	await "$work/$name.err" 'waiting for cards'
}

# finish SIGNAL: it ends well and says how many it saw
finish()
{
	kill -s "$1" "$station"
	found=0
	wait "$station" || found=$?
	station=
	[ "$found" -eq 0 ] || fail "exit $found after SIG$1"
	grep -q 'appeared: [0-9]*; inspected: [0-9]' "$work/$name.err" || fail "it does not say how many it saw"
}

# count FILE TEXT
count()
{
	grep -cF -e "$2" "$1" || :
}

# await FILE TEXT [TIMES]: until the text stands on so many lines
await()
{
	tries=200
	until [ "$(count "$1" "$2")" -ge "${3:-1}" ]; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || {
			cp "$1" "$work/out"
			fail "never said: $2"
		}
		sleep 0.05
	done
}

# A device of our own that comes after everything so far; when it is shown, so is all before it.
marker()
{
	attach "$work/marker"
	await "$work/$name" "$1" "$2"
	detach "$loop"
}

synthesize()
{
	for action in change add remove; do
		echo $action >"/sys/block/${1#/dev/}/uevent"
	done
}

truncate -s 3M "$work/first"
truncate -s 5M "$work/second"
truncate -s 7M "$work/third"
truncate -s 2M "$work/marker"

expect 64 "$CARDASSAY" station
says '--inspect'

# text
attach "$work/first"
first=$loop
start text
grep -qF "already here, not inspected: $first " "$work/text" || fail "$first is not named as here"
attach "$work/second"
second=$loop
await "$work/text" "  $second  5.2 MB (5 MiB)  slot virtual/block/${second#/dev/}"
await "$work/text" "$second:device: note" # inspected
synthesize "$first"
synthesize "$second"
marker '  2.1 MB (2 MiB)  slot' 1
[ "$(count "$work/text" "  $second  5.2 MB")" -eq 1 ] || fail "$second is shown again"
[ "$(count "$work/text" "Z  $first  3")" -eq 0 ] || fail "$first is shown, which was here"
detach "$second"
await "$work/text" "  $second left  slot"
"$FORGE_UEVENT" "${second#/dev/}" || skip "needs a network namespace where root may send"
synthesize "$second"
marker '  2.1 MB (2 MiB)  slot' 2
[ "$(count "$work/text" "  $second  5.2 MB")" -eq 1 ] || fail "a forged event is believed"
detach "$first"
await "$work/text" "  $first left  slot"
finish INT

# JSON, one object a line
start json --format json
attach "$work/second"
appeared="{\"event\":\"appeared\",\"node\":\"$loop\",\"host_path\":\"virtual/block/${loop#/dev/}\""
await "$work/json" "$appeared,\"bytes\":$((5 * mib)),"
detach "$loop"
await "$work/json" "{\"event\":\"left\",\"node\":\"$loop\",\"host_path\":\"virtual/block/${loop#/dev/}\""
grep -F "$appeared" "$work/json" | sed -n '1s/.*,"inspection":\(.*\)}$/\1/p' >"$work/inspection"
valid "$work/inspection"
if command -v jq >/dev/null; then
	jq -e .event "$work/json" >"$work/out" || fail "not an object a line"
fi

# More events than the kernel keeps: it was lost in them, and still appears.
kill -STOP "$station"
attach "$work/first"
detach "$loop"
attach "$work/marker"
i=0
while [ $i -lt 4000 ]; do
	echo change
	i=$((i + 1))
done >"$work/changes"
while read -r action; do
	echo "$action" >"/sys/block/${loop#/dev/}/uevent"
done <"$work/changes"
attach "$work/third"
lost=$(awk -v pid="$station" '$2 == 15 && $3 == pid { print $9 }' /proc/net/netlink)
[ "${lost:-0}" -gt 0 ] || fail "the kernel lost no event of so many"
kill -CONT "$station"
await "$work/json" "{\"event\":\"appeared\",\"node\":\"$loop\",\"host_path\":\"virtual/block/${loop#/dev/}\",\"bytes\":$((7 * mib)),"
left=$(count "$work/json" "{\"event\":\"left\",\"node\":\"$loop\"")
for each in $loops; do
	detach "$each"
done
await "$work/json" "{\"event\":\"left\",\"node\":\"$loop\"" $((left + 1))

# What is there for a moment only does not stop it.
i=0
while [ $i -lt 20 ]; do
	attach "$work/first"
	detach "$loop"
	i=$((i + 1))
done
marker "\"bytes\":$((2 * mib))," 2
finish TERM
twice=$(sed -n 's/,"bytes":.*"diskseq":\([1-9][0-9]*\).*/,\1/p' "$work/json" | sort | uniq -d)
[ -z "$twice" ] || fail "said twice: $twice"

# Nobody reads any more.
mkfifo "$work/pipe"
"$CARDASSAY" station --inspect >"$work/pipe" 2>"$work/pipe.err" </dev/null &
station=$!
head -n 0 "$work/pipe" >/dev/null
tries=100
while kill -0 "$station" 2>/dev/null; do
	tries=$((tries - 1))
	[ "$tries" -gt 0 ] || fail "it goes on though nobody reads"
	sleep 0.1
done
found=0
wait "$station" || found=$?
station=
[ "$found" -eq 74 ] || fail "exit $found, not 74, when nobody reads"

# In a container that the kernel tells nothing it does not wait for ever.
if unshare -U -r -n true 2>/dev/null; then
	found=0
	unshare -U -r -n timeout 10 "$CARDASSAY" station --inspect >/dev/null 2>"$work/deaf" </dev/null || found=$?
	[ "$found" -eq 74 ] || fail "exit $found, not 74, where no event comes"
	grep -q 'tells this container nothing' "$work/deaf" || fail "it does not say why no event comes"
else
	echo 'skipped: a user namespace of its own (unshare -U -r -n)'
fi
