#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A probe killed at any moment: its journal puts every byte of the card back. 200 random moments on an
# image, some with a restore that is killed too, and some on a loop device.
#   probe_restore.sh [KILLS]
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 200
kills=${1:-200}
card=$work/card.img
journal=$work/journal
head -c 33554432 /dev/urandom >"$card"
cp "$card" "$work/before"
target=image:$card
confirm=card.img-33554432

nanoseconds()
{
	date +%s%N
}

# Undisturbed: everything is as before, no journal is left, and that is how long it takes.
start=$(nanoseconds)
expect 6 "$CARDASSAY" probe "$target" --confirm="$confirm" --journal="$journal" --progress=none
span=$(($(nanoseconds) - start))
says "SCREENED: capacity 33.6 MB" "put back and read again: as it was before"
cmp "$card" "$work/before" || fail "the probe changed the card"
[ ! -e "$journal" ] || fail "a journal is left"

# killed_at SHARE COMMAND...: kills it after that share (of 1000) of a run's time.
killed_at()
{
	share=$1
	shift
	"$@" >/dev/null 2>&1 </dev/null &
	run=$!
	sleep "$(awk -v s="$share" -v n="$span" 'BEGIN { printf "%.4f", s * n / 1e12 }')"
	kill -9 "$run" 2>/dev/null || :
	wait "$run" 2>/dev/null || :
}

dirty=0
i=0
while [ "$i" -lt "$kills" ]; do
	i=$((i + 1))
	share=$(awk -v i="$i" -v seed="$$" 'BEGIN { srand(seed * 1000 + i); print 200 + int(rand() * 900) }')
	killed_at "$share" "$CARDASSAY" probe "$target" --confirm="$confirm" --journal="$journal" \
		--progress=none
	cmp -s "$card" "$work/before" || dirty=$((dirty + 1))
	[ -e "$journal" ] || continue # before it was made, or when all was done
	if [ $((i % 4)) -eq 0 ]; then
		killed_at $((share / 20)) "$CARDASSAY" restore "$journal" --progress=none
		[ -e "$journal" ] || continue
	fi
	# cut short before anything was saved, it holds nothing, and nothing was written
	if ! "$CARDASSAY" restore "$journal" --progress=none >"$work/out" 2>&1; then
		says "cut short before it wrote anything"
		cmp "$card" "$work/before" || fail "kill $i at $share: the restore failed"
		rm -f "$journal"
		continue
	fi
	cmp "$card" "$work/before" || fail "kill $i at $share of 1000: the card is changed"
	[ ! -e "$journal" ] || fail "kill $i: the journal is left"
done
[ "$dirty" -ge $((kills / 8)) ] || fail "only $dirty of $kills kills left test data on the card"
echo "$kills kills, $dirty of them in the midst of the card: all put back"

# The same on a block device, and what a restore refuses.
attach "$card"
tries=0
until [ -e "$journal" ] && ! cmp -s "$card" "$work/before"; do
	rm -f "$journal" # killed before anything was written
	tries=$((tries + 1))
	[ "$tries" -le 30 ] || fail "30 kills, and not one in the midst of the card"
	killed_at $((400 + tries * 100)) "$CARDASSAY" probe "$loop" --confirm="$(word "$loop")" \
		--journal="$journal" --progress=none
done
cp "$card" "$work/other"
head -c 33554432 /dev/urandom >"$work/foreign"
expect 3 "$CARDASSAY" restore "$journal" "image:$work/foreign"
says "it is another card, or it was written since. Nothing was written."
truncate -s 64M "$work/foreign"
expect 3 "$CARDASSAY" restore "$journal" "image:$work/foreign"
says "67108864 bytes, the card of this journal has 33554432"
cmp "$card" "$work/other" || fail "a refused restore wrote to the card"
expect_when_free 0 "$CARDASSAY" restore "$journal" --progress=none
says "The journal is removed."
detach "$loop"
cmp "$card" "$work/before" || fail "the loop device is changed"

# Ctrl-C: ends the looking, puts back, and says so.
env --default-signal=INT "$CARDASSAY" probe "$target" --confirm="$confirm" --journal="$journal" \
	--progress=none -o "$work/int.json" >"$work/out" 2>&1 </dev/null &
run=$!
tries=200
until [ -s "$journal" ] || [ "$tries" -eq 0 ]; do
	tries=$((tries - 1))
	sleep 0.005
done
kill -INT "$run" 2>/dev/null || :
found=0
wait "$run" || found=$?
case $found in
4) says "Interrupted: only part of the plan was done." ;;
6) ;; # it was done before the signal came
*) fail "exit $found after Ctrl-C" ;;
esac
cmp "$card" "$work/before" || fail "Ctrl-C left the card changed"
[ ! -e "$journal" ] || fail "Ctrl-C left a journal"

# Refused before anything is written.
expect 3 "$CARDASSAY" probe "$target" --journal="$journal"
says "this writes to $target and puts its own data back: confirm with --confirm=$confirm."
expect 3 "$CARDASSAY" probe "$target" --confirm=wrong --journal="$journal"
echo something >"$journal"
expect 3 "$CARDASSAY" probe "$target" --confirm="$confirm" --journal="$journal"
says "is there already"
expect 65 "$CARDASSAY" restore "$journal" "$target"
says "it is too short"
cmp "$card" "$work/before" || fail "a refused probe wrote to the card"
