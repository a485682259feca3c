#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a fuzz target begins with, made of the fixtures.
#   seeds.sh ROOT TARGET DIRECTORY
# Targets without a case here begin with tests/fuzz/corpus/TARGET alone.
set -eu
fixtures=$1/fixtures
target=$2
out=$3

# hex on stdin -> bytes
bytes()
{
	# shellcheck disable=SC2059 # the octal escapes are the format
	printf "$(LC_ALL=C tr -cd '0-9a-f' | LC_ALL=C awk '
		function digit(c) { return index("0123456789abcdef", c) - 1 }
		{
			for (i = 1; i < length($0); i += 2)
				printf "\\%03o", digit(substr($0, i, 1)) * 16 + digit(substr($0, i + 1, 1))
		}')"
}

# the directory's files in sections, as fuzz_files.h reads them
sections()
{
	for file in "$1"/*; do
		[ -f "$file" ] || continue
		printf '@%s\n' "$(basename "$file")"
		cat "$file"
	done
}

# type byte, which registers (two bytes), their bytes in the order of enum ca_register
whole_card()
{
	mask=0
	bit=1
	for register in cid csd scr ssr; do
		[ ! -e "$1/$register" ] || mask=$((mask + bit))
		bit=$((bit * 2))
	done
	type=00
	! grep -qs MMC "$1/type" || type=01
	{
		printf '%s%02x00' "$type" "$mask"
		for register in cid csd scr ssr; do
			[ ! -e "$1/$register" ] || cat "$1/$register"
		done
	} | bytes
}

each_card()
{
	for card in "$fixtures"/cards/*/; do
		"$1" "${card%/}" >"$out/$(basename "$card")"
	done
}

labels()
{
	awk -F '\t' -v out="$out" '!/^#/ && NF > 9 && $10 != "" {
		printf "%s", $10 >(out "/record-" $1)
		close(out "/record-" $1)
	}' "$fixtures/nvme/records.tsv"
	awk -F '\t' -v out="$out" '!/^#/ && $1 != "source" {
		printf "%s", $2 >(out "/title-" NR)
		close(out "/title-" NR)
	}' "$fixtures/labels.tsv"
}

simulated()
{
	awk -F '\t' -v out="$out" '!/^#/ && NF > 2 {
		for (i = 1; i <= NF; i++)
			if ($i ~ /announced=/) {
				printf "%s", $i >(out "/spec-" NR)
				printf "%s", $1 >(out "/name-" NR)
			}
	}' "$1/specs/simulated.tsv"
}

pasted()
{
	(cd "$1" && grep . cid csd scr ssr type 2>/dev/null) || :
}

mkdir -p "$out"
case $target in
captured_dir)
	each_card sections
	for dir in "$fixtures"/bad/*/; do
		sections "${dir%/}" >"$out/$(basename "$dir")"
	done
	;;
card)
	for file in "$fixtures"/cards/*/cid "$fixtures"/cards/*/csd "$fixtures"/cards/*/scr \
		"$fixtures"/cards/*/ssr; do
		# shellcheck disable=SC2094 # two files
		[ ! -e "$file" ] || bytes <"$file" \
			>"$out/$(basename "$(dirname "$file")")-$(basename "$file")"
	done
	;;
certificate) cp "$fixtures"/certificates/valid/*.json "$fixtures"/certificates/hostile/*.json "$out" ;;
kernel_text)
	find "$fixtures/sysfs" -name ios -o -name err_stats -o -name kmsg | while read -r file; do
		cp "$file" "$out/$(basename "$file")-$(printf '%s' "$file" | cksum | cut -d ' ' -f 1)"
	done
	;;
label) labels ;;
minisign) cp "$fixtures"/keys/*.key "$fixtures"/keys/*.pub "$fixtures"/certificates/valid/*.minisig "$out" ;;
pasted_text) each_card pasted ;;
registers) each_card whole_card ;;
sim_spec) simulated "$1" ;;
text_numbers)
	for file in "$fixtures"/bad/*-* "$fixtures"/cards/*1/cid; do
		[ ! -f "$file" ] || cp "$file" "$out/$(printf '%s' "$file" | cksum | cut -d ' ' -f 1)"
	done
	;;
uevent)
	for file in "$fixtures"/uevents/*; do
		[ "$(basename "$file")" = ORIGIN ] || cp "$file" "$out"
	done
	;;
esac
