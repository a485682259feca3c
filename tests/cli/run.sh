#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Golden test of the command line: runs cases/NAME.sh with $CARDASSAY set, in an empty directory, and
# compares what it prints and its exit code with cases/NAME.out. UPDATE=1 writes NAME.out instead.
#   run.sh CARDASSAY CASE.sh
set -eu
case=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
expected=${case%.sh}.out
CARDASSAY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
FIXTURES=$(cd "$(dirname "$case")/../../../fixtures" && pwd)
SOURCE_DATE_EPOCH=1767225600 # 2026-01-01: certificates are the same on every run
LC_ALL=C
CARDASSAY_CONFIG=/dev/null
NO_COLOR=1
export CARDASSAY FIXTURES SOURCE_DATE_EPOCH LC_ALL CARDASSAY_CONFIG NO_COLOR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
sh "$case" >"$work/.found" 2>&1 </dev/null || status=$?
[ "$status" -ne 77 ] || {
	cat "$work/.found"
	exit 77
}
echo "exit $status" >>"$work/.found"
# Paths of this run are no part of what is promised.
# So is the hash of the tables, which every new row changes.
sed -e "s|$FIXTURES|FIXTURES|g" -e "s|$work|WORK|g" \
	-e 's/rule tables [0-9a-f]*/rule tables HASH/' "$work/.found" >"$work/.shown"
if [ -n "${UPDATE-}" ]; then
	cp "$work/.shown" "$expected"
	exit 0
fi
diff -u "$expected" "$work/.shown"
