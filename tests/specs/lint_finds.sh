#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The lint of specs/ finds nothing in the tables, and finds each of these defects in a broken copy.
#   tests/specs/lint_finds.sh SOURCE_DIR      AWK: another awk to run it with
set -u
LC_ALL=C
export LC_ALL
specs=$(cd "${1:-$(dirname "$0")/../..}/specs" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
tab=$(printf '\t')
failed=0
checked=0

fresh()
{
	rm -rf "$work/specs"
	cp -R "$specs" "$work/specs"
}

# breaks NAME FILE SED-SCRIPT PATTERN: after the edit the lint must print a line that has PATTERN.
breaks()
{
	checked=$((checked + 1))
	fresh
	sed "$3" "$specs/$2" >"$work/specs/$2"
	if cmp -s "$specs/$2" "$work/specs/$2"; then
		echo "$1: the edit changed nothing in $2"
		failed=1
		return
	fi
	expect "$1" "$4"
}

expect()
{
	if out=$("$specs/lint.sh" "$work/specs"); then
		echo "$1: not found"
		failed=1
	elif ! printf '%s\n' "$out" | grep -q -e "$2"; then
		echo "$1: found, but not as '$2':"
		printf '%s\n' "$out" | head -n 5
		failed=1
	fi
}

if ! "$specs/lint.sh"; then
	echo "the tables themselves are not clean"
	failed=1
fi

breaks 'licence line' brands.tsv '1s/.*/# brands/' 'brands.tsv:1: the first line'
breaks 'column name' brands.tsv '2s/aliases/names/' "brands.tsv:2: column 2 is 'names'"
breaks 'missing cell' brands.tsv '5s/\t[^\t]*$//;5s/'"$tab"'[^'"$tab"']*$//' 'brands.tsv:5: expected 5 cells'
breaks 'trailing space' brands.tsv '5s/$/ /' 'brands.tsv:5: .*space at the edge'
breaks 'double space' sources.tsv '5s/ /  /' 'sources.tsv:5: .*two spaces'
breaks 'carriage return' brands.tsv "5s/\$/$(printf '\r')/" 'brands.tsv:5: carriage return'
breaks 'empty line' brands.tsv '5s/.*//' 'brands.tsv:5: empty line'
breaks 'query that writes' vendor_health.tsv 's/0x53420001/0x53420000/' 'vendor_health.tsv:.*: that query writes'
breaks 'maker of a query' vendor_health.tsv 's/Swissbit/Swisbit/' "maker 'Swisbit' is not in manufacturers.tsv"
breaks 'shared by one' vendor_health.tsv 's/Transcend; ADATA/Transcend/' 'a shared signature and at least two'
breaks 'query in two places' vendor_health.tsv '4{h;d;};$G' 'rows of 0x00000001 are in two places'
breaks 'overlapping field' vendor_fields.tsv '/^micron.life_used/s/7/2/;/^micron.tlc_used/s/8/7/;/^micron.tlc_used/s/'"$tab"'1'"$tab"'/'"$tab"'3'"$tab"'/' 'overlaps the field before it'
breaks 'field over the signature' vendor_fields.tsv '/^micron.life_used/s/7/1/' 'not behind the signature'
breaks 'unsorted makers' manufacturers.tsv '4{h;d;};5{G;}' 'manufacturers.tsv:5: not sorted'
breaks 'same maker twice' manufacturers.tsv '5{p;}' 'manufacturers.tsv:6: the same key as line 5'
breaks 'MID not hex' manufacturers.tsv "s/^no${tab}0x03/no${tab}0x3/" 'write it as 0x and 2 digits'
breaks 'MID no number' manufacturers.tsv "s/^no${tab}0x1b/no${tab}Samsung/" 'mid: not a number'
breaks 'unknown source' manufacturers.tsv '5s/hekate/hekatee/' "manufacturers.tsv:5: source 'hekatee'"
breaks 'source twice' manufacturers.tsv '5s/hekate/sdinfo/' "source 'sdinfo' twice"
breaks 'confidence' manufacturers.tsv "5s/${tab}6${tab}/${tab}0${tab}/" 'confidence below 1'
breaks 'confidence counts sources' manufacturers.tsv "5s/${tab}6${tab}/${tab}5${tab}/" 'confidence is 5, but 6'
breaks 'standing' manufacturers.tsv '5s/assigned/certain/' 'standing: one of'
breaks 'maker of nobody' manufacturers.tsv '5s/assigned/unassigned/' 'unassigned, yet a maker'
breaks 'yes or no' manufacturers.tsv "5s/^no/false/" 'emmc: yes or no'
breaks 'strict MID' brands.tsv 's/0x1b/0x77/' 'strict_mid 0x77 is not in manufacturers'
breaks 'strict VID' brands.tsv 's/0x144d/0x0001/' 'strict_vid 0x0001 is not in nvme_vendors'
breaks 'alias in capitals' brands.tsv "s/${tab}pny${tab}/${tab}PNY${tab}/" "alias 'PNY' is not in lower case"
breaks 'alias of two brands' brands.tsv "s/${tab}pqi${tab}/${tab}pny; pqi${tab}/" "alias 'pny' is also in line"
breaks 'brand not an alias' brands.tsv "s/${tab}pqi${tab}/${tab}pq${tab}/" 'not among its aliases'
breaks 'relation of no brand' oem_relations.tsv 's/^Raspberry Pi/Raspberry Pie/' "brand 'Raspberry Pie'"
breaks 'relation of no maker row' oem_relations.tsv "s/${tab}0xad${tab}0x4c53/${tab}0xad${tab}0x4c54/" 'OID 0x4c54 is not in manufacturers'
breaks 'relation with another maker' oem_relations.tsv "s/${tab}Longsys${tab}oem/${tab}Longsis${tab}oem/" "maker 'Longsis', but 'Longsys'"
breaks 'relation kind' oem_relations.tsv "s/${tab}sd${tab}/${tab}usb${tab}/" 'kind: one of sd nvme'
breaks 'relation with no vendor row' oem_relations.tsv 's/0x1987/0x1986/' 'vid 0x1986 is not in nvme_vendors'
breaks 'pattern' oem_relations.tsv "s/${tab}SD\\*${tab}/${tab}S*D${tab}/" 'pattern at the end only'
breaks 'OUI' nvme_vendors.tsv 's/002538/25380/' "OUI '25380'"
breaks 'strict without OUI' nvme_vendors.tsv "s/${tab}002538${tab}/${tab}${tab}/" 'exactly one OUI'
breaks 'uncited source' sources.tsv '$a\
zzz'"$tab"'Title'"$tab"'Place' 'nothing cites zzz'
breaks 'source without a place' sources.tsv "5s/${tab}[^${tab}]*\$/${tab}/" 'where: empty'
breaks 'class limit' classes.tsv "s/^A1${tab}random-read${tab}1500000/A1${tab}random-read${tab}0/" 'limit: empty or 0'
breaks 'class twice' classes.tsv "4{p;}" 'classes.tsv:5: the same key'
breaks 'condition effect' conditions.tsv "s/${tab}helps${tab}/${tab}help${tab}/" 'effect: one of slows helps'
breaks 'rule severity' rules.tsv "s/${tab}warning${tab}cid${tab}/${tab}bad${tab}cid${tab}/" 'severity: one of'
breaks 'rule hits' rules.tsv "s/^\\(CID-ALL.*\\)${tab}164${tab}0${tab}/\\1${tab}1${tab}2${tab}/" 'more cards hit than checked'
breaks 'rule without a page' rules.tsv 's/^CID-ALL/CID-ALLES/' 'rule CID-ALLES has no page'
breaks 'page without a rule' rules.tsv 's/^CID-ALL/CID-ALLES/' 'rules/CID-ALL.md:[0-9]*: no rule'
breaks 'page with another title' rules/CID-ALL.md 's/^# CID-ALL:/# CID-MOST:/' 'does not open with'
breaks 'register of a simulated card' simulated.tsv "s/${tab}ad4c/${tab}AD4C/" 'cid: 32 lower-case hex digits'
breaks 'field table' fields.tsv '10{p;}' 'fields.tsv:11: '

checked=$((checked + 1))
fresh
rm "$work/specs/conditions.tsv"
expect 'missing table' 'conditions.tsv:0: no such table'

checked=$((checked + 1))
fresh
printf 'x' >>"$work/specs/brands.tsv"
expect 'no newline at the end' 'brands.tsv:0: no newline'

checked=$((checked + 1))
fresh
cp "$work/specs/brands.tsv" "$work/specs/extra.tsv"
expect 'table that nothing reads' 'extra.tsv:0: a table that nothing reads'

# The tables of src/judge: a rule that no row reaches, one that two reach, one that does not exist.
if [ -d "$specs/../src/judge" ]; then
	for edit in '/{"CID-ALL",/d' '/{"CID-ALL",/p' 's/{"CID-ALL",/{"CID-NONE",/'; do
		checked=$((checked + 1))
		fresh
		rm -rf "$work/src"
		mkdir -p "$work/src"
		cp -R "$specs/../src/judge" "$work/src/judge"
		for file in "$work"/src/judge/*.c; do
			sed "$edit" "$file" >"$work/edited" && cp "$work/edited" "$file"
		done
		case $edit in
		s*) expect "judge: $edit" 'knows a rule CID-NONE' ;;
		*) expect "judge: $edit" 'rule CID-ALL is in [02] rows' ;;
		esac
	done
	rm -rf "$work/src"
fi

[ "$failed" = 0 ] && echo "$checked defects, each found"
exit "$failed"
