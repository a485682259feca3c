#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A sound 4 GiB device: capacity passes, the certificate is honest about what a loop device is, and
# the same word is needed that 'list' shows.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 4200
bytes=4294967296
truncate -s $bytes "$work/card"
attach "$work/card"

expect 0 "$CARDASSAY" list --format json
says "\"$loop\"" "\"$(word "$loop")\""
expect 0 "$CARDASSAY" certify "$loop" --profile standard --seconds 2 --erase="$(word "$loop")" \
	-o "$work/cert.json" --progress none
says PASS capacity virtual
holds "$work/cert.json" origin virtual announced_bytes $bytes written_bytes $bytes \
	verified_bytes $bytes good_bytes $bytes coverage_ppm 1000000 kind sound end complete
grep -q '"good": 8388608' "$work/cert.json" || fail "not every sector is good"
grep -qi 'not observable' "$work/out" || fail "the identity of a loop device is not observable"
valid "$work/cert.json"

# What was written is really there, and is no zeros.
head -c 65536 "$work/card" | tr -d '\0' | head -c 1 | grep -q . || fail "nothing was written"
