#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Counterfeits behind a real block device: every one fails, with its real size to the sector.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 900
need_fuse

# try NAME KIND REAL ANNOUNCED [cardfuse's arguments]
try()
{
	name=$1
	kind=$2
	real=$3
	announced=$4
	shift 4
	counterfeit "$name" "$announced" "$@"
	expect 1 "$CARDASSAY" certify "$loop" --erase="$(word "$loop")" -o "$work/$name.json" \
		--progress none
	says FAIL capacity
	holds "$work/$name.json" origin virtual kind "$kind" announced_bytes "$announced" \
		real_capacity_bytes "$real"
	valid "$work/$name.json"
	remove_counterfeit
}

mib=1048576
try wrap wrap $((128 * mib)) $((1024 * mib)) wrap $((128 * mib))
try wrap-odd wrap 123456512 $((1024 * mib)) wrap 123456512 # 241126 sectors
try wrap-prime wrap $((199999 * 512)) $((512 * mib)) wrap $((199999 * 512))
try wrap-large wrap 536871424 $((2048 * mib)) wrap 536871424 # one sector over 512 MiB
try drop limbo $((64 * mib)) $((1024 * mib)) drop $((64 * mib))
try drop-odd limbo $((77777 * 512)) $((512 * mib)) drop $((77777 * 512))
try error errors $((100000 * 512)) $((256 * mib)) error $((100000 * 512))
try noise limbo $((77777 * 512)) $((512 * mib)) noise $((77777 * 512))
try last-block limbo $((77777 * 512)) $((512 * mib)) last $((77777 * 512))
try mute errors $((77777 * 512)) $((512 * mib)) mute $((77777 * 512))
try chain chain $((50000 * 512)) $((512 * mib)) chain $((50000 * 512)) $((32 * mib))

# One lost sector, the very last: no sample would have hit it.
counterfeit last $((256 * mib)) drop $((256 * mib - 512))
expect 1 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" -o "$work/last.json" --progress none
holds "$work/last.json" first_bad_offset $((256 * mib - 512)) good_bytes $((256 * mib - 512))
valid "$work/last.json"
remove_counterfeit

# fill --map-all goes on after the proof and counts every sector.
counterfeit all $((256 * mib)) wrap 33554944 # 65537 sectors
expect 1 "$CARDASSAY" fill "$loop" --map-all --erase="$(word "$loop")" -o "$work/all.json" \
	--progress none
holds "$work/all.json" kind wrap real_capacity_bytes 33554944 verified_bytes $((256 * mib)) \
	coverage_ppm 1000000
valid "$work/all.json"
remove_counterfeit

# The same rig without a lie passes: it is not the rig that fails.
counterfeit sound $((256 * mib)) sound
expect 0 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" -o "$work/sound.json" --progress none
holds "$work/sound.json" kind sound good_bytes $((256 * mib))
remove_counterfeit
