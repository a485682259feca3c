#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Walks the #include lines of every room and compares them with the table of docs/ARCHITECTURE.md.
#   includes.sh ROOT
set -eu
root=$1

# room: rooms whose header it may include; then library headers and the one file that may have them
allowed='
base:
specs: specs
registers: base registers
evidence: base registers evidence
identity: base registers identity specs
claims: base registers identity claims specs
fill: base device evidence registers fill
speed: base device evidence registers speed
judge: base registers identity claims evidence specs judge
certificate: base registers identity claims evidence specs judge certificate
device: base registers evidence specs device host
cli: base registers identity claims evidence specs judge certificate device host fill speed
'
libraries='
gcrypt.h src/fill/pattern.c src/certificate/digest.c src/certificate/ed25519.c
zlib.h src/fill/pattern.c src/fill/journal.c src/certificate/runs_pack.c src/device/input_gzip.c
jansson.h src/certificate/* src/cli/*
liburing.h src/device/uring.c
libmount/libmount.h src/device/mounts.c
blkid/blkid.h src/device/content_other.c
libmnl/libmnl.h src/device/uevent.c
'
status=0

complain()
{
	echo "$1" >&2
	status=1
}

rooms_of()
{
	printf '%s' "$allowed" | sed -n "s/^$1: *//p"
}

for dir in "$root"/src/*/; do
	room=$(basename "$dir")
	if ! printf '%s' "$allowed" | grep -q "^$room:"; then
		complain "src/$room: not a room of the table"
		continue
	fi
	may=" base $(rooms_of "$room") "
	for file in "$dir"*.[ch]; do
		[ -e "$file" ] || continue
		short=${file#"$root"/}
		for header in $(sed -n 's/^ *# *include *[<"]\([^>"]*\)[>"].*/\1/p' "$file"); do
			case $header in
			cardassay/*)
				other=${header#cardassay/}
				case $may in
				*" ${other%.h} "*) ;;
				*) complain "$short: room $room may not include $header" ;;
				esac
				;;
			../*) complain "$short: includes $header from outside its room" ;;
			*)
				places=$(printf '%s' "$libraries" | sed -n "s|^$header ||p")
				[ -n "$places" ] || continue
				found=no
				for place in $(set -f; echo $places); do
					# shellcheck disable=SC2254 # a pattern on purpose
					case $short in $place) found=yes ;; esac
				done
				[ "$found" = yes ] || complain "$short: only $places may include $header"
				;;
			esac
		done
	done
done

# Public headers include only headers below them in the same table.
for header in "$root"/include/cardassay/*.h; do
	name=$(basename "$header" .h)
	case $name in
	host) room=device ;;
	*) room=$name ;;
	esac
	[ "$name" = device ] && may=' base ' || may=" base $(rooms_of "$room") "
	for other in $(sed -n 's|^#include "cardassay/\(.*\)\.h"|\1|p' "$header"); do
		case $may in
		*" $other "*) ;;
		*) complain "include/cardassay/$name.h: may not include $other.h" ;;
		esac
	done
done

# File names are unique over the tree (N1).
find "$root/src" -name '*.[ch]' -exec basename {} \; | sort | uniq -d | while read -r twice; do
	echo "$twice: this file name is used twice" >&2
done
[ -z "$(find "$root/src" -name '*.[ch]' -exec basename {} \; | sort | uniq -d)" ] || status=1
exit $status
