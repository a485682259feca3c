#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Rows of the table of recipes (tests/simulated) behind a real block device: the kernel's own queue,
# cache and errors lie between. What is said of them is what is said of the simulated card.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 400
[ -n "${SIMFUSE-}" ] || skip "needs libfuse3-dev, to build simfuse"
need_fuse

# card SETTINGS: a loop device over the simulated card, its name in $loop
card()
{
	count=$((${count:-0} + 1))
	dir=$work/card$count
	backing=$work/none
	mkdir "$dir"
	TMPDIR=$work "$SIMFUSE" "$dir" "$1" 2>"$work/out" &
	card=$!
	cards="$cards $dir"
	tries=100
	until [ -e "$dir/card" ]; do
		tries=$((tries - 1))
		kill -0 "$card" 2>/dev/null || fail "no simulated card: $1"
		[ "$tries" -gt 0 ] || skip "needs FUSE: the file system does not come up"
		sleep 0.1
	done
	case $1 in
	*sector=4096*) attach "$dir/card" --sector-size 4096 ;;
	*) attach "$dir/card" ;;
	esac || fail "no loop device over $dir/card"
}

# filled CODE KIND REAL SETTINGS [OPTION...]: REAL in bytes, or null
filled()
{
	code=$1
	kind=$2
	real=$3
	card "$4"
	shift 4
	expect "$code" "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" "$@" -o "$work/cert.json" \
		--progress none
	holds "$work/cert.json" kind "$kind" real_capacity_bytes "$real"
	valid "$work/cert.json"
	rm "$work/cert.json"
	remove_counterfeit
}

# probed CODE SETTINGS TEXT...
probed()
{
	code=$1
	card "$2"
	shift 2
	expect "$code" "$CARDASSAY" probe "$loop" --journal="$work/probe.journal" \
		--confirm="$(word "$loop")" -o "$work/cert.json" --progress none
	[ ! -e "$work/probe.journal" ] || fail "the probe's journal is still there"
	says "its own data      put back and read again" "$@"
	valid "$work/cert.json"
	rm "$work/cert.json"
	remove_counterfeit
}

filled 1 limbo 20000256 announced=64M,real=20000256,kind=limbo,cache=2000384 --map-all
filled 1 limbo 83886080 announced=96M,real=80M,kind=limbo,cache=2M
filled 1 wrap 66060288 announced=64M,real=63M,kind=wrap,cache=1100288
filled 1 chain 18874368 announced=96M,wrap=25M,real=18M,kind=chain --map-all
filled 1 ring null announced=96M,real=24M,kind=ring
filled 1 regions null announced=96M,real=32M,tail=8M,kind=regions --map-all
filled 1 thin null announced=128M,real=24M,kind=thin
filled 1 limbo 25001984 announced=96M,real=25001984,kind=limbo,limbo=noise,sector=4096
filled 0 sound 67371520 announced=67371520,cache=3M
filled 1 damaged null announced=48M,bad=40000-40031
probed 1 announced=64G,real=61440000512,kind=wrap,cache=4M "61,440,000,512 bytes" "addresses wrap round"
probed 6 announced=16G,cache=8M SCREENED
