#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Speed of block devices whose speed is known: a file system on a time-line, below and above the
# limits of A1 (1,500 reads and 500 writes a second), of C10 and U1 (10 MB/s) and of U3 and V30
# (30 MB/s), and a device that a cgroup holds back. The figure is on the right side of the limit and
# at most 2 % off the pace.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 100
need_fuse
bytes=33554432
# What else runs on the machine must not hold back who keeps the pace, nor who measures it.
urgent=
! chrt -f 10 true 2>/dev/null || urgent='chrt -f 10'

# paced READS WRITES READ_RATE WRITE_RATE: a card of that pace
paced()
{
	counterfeit "paced$1-$4" $bytes paced "$@"
	[ -z "$urgent" ] || chrt -a -f -p 10 "$card"
}

# near WHAT FOUND PACE LIMIT
near()
{
	awk -v found="$2" -v pace="$3" -v limit="$4" 'BEGIN {
		off = found > pace ? found - pace : pace - found
		exit !(off <= pace / 50 && (found >= limit) == (pace >= limit)) }' ||
		fail "$1: measured $2, the device does $3 (limit $4)"
	echo "$1: $2 of $3"
}

measure()
{
	rm -f "$work/speed.json"
	if [ "$1" = random-read ]; then
		set -- "$@" --seconds 3
	else
		set -- "$@" --seconds 3 --erase="$(word "$loop")"
	fi
	# shellcheck disable=SC2086 # words of a command
	$urgent "$CARDASSAY" speed "$loop" --only "$@" --progress none -o "$work/speed.json" \
		>"$work/out" 2>&1 </dev/null || : # the verdict is no matter here
	valid "$work/speed.json"
}

iops()
{
	measure "$1"
	awk -v milli="$(value milliiops "$work/speed.json")" 'BEGIN { printf "%.1f", milli / 1000 }'
}

rate()
{
	measure "$1"
	value bytes_per_second "$work/speed.json"
}

random()
{
	paced "$1" "$2" 90000000 90000000
	near 'random read' "$(iops random-read)" "$1" 1500
	near 'random write' "$(iops random-write)" "$2" 500
	remove_counterfeit
}

# sequential RATE LIMIT: writing, and at twice that rate reading
sequential()
{
	paced 100000 100000 $(($1 * 2)) "$1"
	near 'sequential write' "$(rate seq-write)" "$1" "$2"
	near 'sequential read' "$(rate seq-read)" $(($1 * 2)) "$2"
	remove_counterfeit
}

random 1400 450
random 1600 550
sequential 9500000 10000000
sequential 10500000 10000000
sequential 29000000 30000000
sequential 31000000 30000000

# The same of a plain device that a cgroup holds back, where there is a controller that can: the
# limits of version 1, else io.max.
truncate -s $bytes "$work/plain"
attach "$work/plain"
number=$(cat "/sys/block/${loop#/dev/}/dev")
group=
for place in /sys/fs/cgroup/blkio /sys/fs/cgroup; do
	group=$place/cardassay-test-$$
	mkdir "$group" 2>/dev/null || continue
	dirs="$dirs $group"
	if [ -e "$group/blkio.throttle.read_iops_device" ]; then
		echo "$number 1400" >"$group/blkio.throttle.read_iops_device" && break
	else
		echo "$number riops=1400" >"$group/io.max" 2>/dev/null && break
	fi
	rmdir "$group"
	group=
done
[ -n "$group" ] || {
	echo 'cgroup: left out, there is no I/O controller here'
	exit 0
}
# shellcheck disable=SC2016,SC2086 # expanded by the inner shell; words of a command
sh -c 'echo $$ >"$1/cgroup.procs"; shift; exec "$@"' sh "$group" $urgent "$CARDASSAY" speed "$loop" \
	--only random-read --seconds 10 --progress none -o "$work/speed.json" >"$work/out" 2>&1 \
	</dev/null || :
valid "$work/speed.json"
near cgroup "$(awk -v milli="$(value milliiops "$work/speed.json")" \
	'BEGIN { printf "%.1f", milli / 1000 }')" 1400 1500
rmdir "$group"
