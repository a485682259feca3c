#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Cards a second of `inspect` against mmc-utils run in a loop and against a Python decoder, in one
# run; the time one card takes with process start; and the memory of 1, 100 and 10,000 cards.
#   tests/peers/inspect.sh BUILD/cardassay [CARDS]
# Prints figures and ratios; asserts none. Needs mmc-utils, python3 and GNU time.
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cards=${2:-10000}
for tool in mmc python3; do
	command -v "$tool" >/dev/null || { echo "needs $tool" >&2; exit 2; }
done
[ -x /usr/bin/time ] || { echo "needs GNU time (/usr/bin/time)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The SD cards of fixtures/ that have both registers, over and over.
sources=$(for dir in "$here"/../../fixtures/cards/*/; do
	if [ -f "$dir/cid" ] && [ -f "$dir/csd" ] && [ "$(cat "$dir/type")" = SD ]; then
		echo "$dir"
	fi
done)
made=0
mkdir "$work/c"
while [ "$made" -lt "$cards" ]; do
	for dir in $sources; do
		[ "$made" -lt "$cards" ] || break
		made=$((made + 1))
		cp -r "$dir" "$(printf '%s/c/%05d' "$work" "$made")"
	done
done
cd "$work/c"
find . -name ORIGIN -delete
# as `grep . /sys/bus/mmc/devices/mmc0:*/*` prints it
find . -mindepth 1 -type d | sort >"$work/names"
find . -type f | sort | xargs grep . /dev/null >"$work/paste"

now()
{
	python3 -c 'import time; print(time.monotonic_ns() // 1000)'
}

# name, how many cards it did, microseconds
report()
{
	python3 - "$@" <<'PY'
import sys
name, count, took = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
print(f"{name:<44}{count * 1e6 / took:12.0f} cards/s{took / 1e6:10.2f} s")
PY
}

clock()
{
	name=$1 count=$2
	shift 2
	begin=$(now)
	"$@" >"$work/out" 2>"$work/err" || [ $? -le 10 ] || { cat "$work/err" >&2; exit 1; }
	took=$(($(now) - begin))
	[ "$took" -gt 0 ] || took=1
	report "$name" "$count" "$took"
	eval "$(echo "$name" | tr -c 'a-z\n' _)=\$took"
}

inspect_all()
{
	xargs -x -s 1000000 -n "$cards" "$program" inspect <"$work/names"
}

inspect_paste()
{
	"$program" inspect - <"$work/paste"
}

mmc_loop()
{
	head -n "$loop" "$work/names" | while read -r card; do
		mmc cid read "$card"
		mmc csd read "$card"
	done
}

python_all()
{
	xargs -x -s 1000000 -n "$cards" python3 "$here/decode.py" <"$work/names"
}

loop=1000
[ "$cards" -gt "$loop" ] || loop=$cards
echo "$cards register directories, $(nproc) processors"
clock "inspect" "$cards" inspect_all
grep -c "IDENTITY\|MAKER-" "$work/out" | sed 's/^/  lines that name a maker: /'
clock "paste" "$cards" inspect_paste
grep -c "IDENTITY\|MAKER-" "$work/out" | sed 's/^/  lines that name a maker: /'
clock "mmc" "$loop" mmc_loop
clock "python" "$cards" python_all
# set by clock() through eval
# shellcheck disable=SC2154
python3 - "$cards" "$loop" "$inspect" "$paste" "$mmc" "$python" <<'PY'
import sys
cards, loop, inspect, paste, mmc, python = map(int, sys.argv[1:])
rate = {"directories": cards / inspect, "paste": cards / paste}
for name, value in rate.items():
    print(f"inspect ({name}): {value / (loop / mmc):.1f} times the mmc loop, "
          f"{value / (cards / python):.2f} times the Python decoder")
PY

echo "one card, process start included:"
python3 - "$program" "$(head -n 1 "$work/names")" <<'PY'
import subprocess, sys, time
times = []
for _ in range(50):
    begin = time.monotonic_ns()
    subprocess.run([sys.argv[1], "inspect", sys.argv[2]], stdout=subprocess.DEVNULL, check=False)
    times.append(time.monotonic_ns() - begin)
times.sort()
print(f"  least {times[0] / 1e6:.2f} ms, median {times[25] / 1e6:.2f} ms of 50")
PY

echo "largest resident memory:"
for count in 1 100 "$cards"; do
	head -n "$count" "$work/names" | xargs -x -s 1000000 -n "$cards" /usr/bin/time -f "  $count cards by name: %M KiB" \
		"$program" inspect >/dev/null 2>"$work/rss" || true
	grep KiB "$work/rss"
	last=$(sed -n "${count}p" "$work/names")
	awk -F/ -v last="$last" '("./" $2) <= last' "$work/paste" >"$work/part"
	/usr/bin/time -f "  $count cards pasted: %M KiB" "$program" inspect - \
		<"$work/part" >/dev/null 2>"$work/rss" || true
	grep KiB "$work/rss"
done
