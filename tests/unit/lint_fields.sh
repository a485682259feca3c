#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The lint of the field table accepts the table and finds each kind of defect, at its line.
#   lint_fields.sh SPECS_DIR [AWK]
set -eu
specs=$1
awk=${2:-awk}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

lint() {
	LC_ALL=C $awk -f "$specs/lint_fields.awk" "$1"
}

# broken NAME EXPECTED SED-SCRIPT: the table changed by the script must be refused with EXPECTED
broken() {
	sed "$3" "$specs/fields.tsv" > "$work/fields.tsv"
	if out=$(lint "$work/fields.tsv"); then
		echo "accepted: $1"
		failed=1
	elif ! printf '%s\n' "$out" | grep -q "^fields\.tsv:[0-9]*: .*$2"; then
		printf 'wrong message for %s:\n%s\n' "$1" "$out"
		failed=1
	fi
}

if ! lint "$specs/fields.tsv"; then
	echo 'refused: the table itself'
	failed=1
fi
tab=$(printf '\t')
broken 'no SPDX line' 'no SPDX line' '1d'
broken 'another header' 'header is not' '2s/clause/source/'
broken 'a row left out' 'gap: bits 103:64 have no row' "/^cid_sd${tab}PNM/d"
broken 'the last row left out' 'bits 0:0 are missing' "/^scr${tab}MANUFACTURER/s/${tab}0${tab}/${tab}1${tab}/"
broken 'a range one too long' 'overlap or are out of order' "/^cid_sd${tab}PNM/s/64/63/"
broken 'a range upside down' 'not a range' "/^cid_sd${tab}MID/s/127${tab}120/120${tab}127/"
broken 'a number that is none' 'not a range' "/^cid_sd${tab}MID/s/127/7f/"
broken 'a name twice' 'name MID is taken in line 3' "/^cid_sd${tab}OID/s/OID/MID/"
broken 'a lower-case name' 'is not upper case' "/^cid_sd${tab}OID/s/OID/oid/"
broken 'no clause' 'no clause' "/^cid_sd${tab}OID/s/[^${tab}]*\$//"
broken 'no meaning' 'no meaning' "/^cid_sd${tab}NOT_USED/s/always 1//"
broken 'six columns' '7 columns wanted, 6 found' "/^cid_sd${tab}OID/s/${tab}[^${tab}]*\$//"
broken 'an unknown layout' "unknown layout 'cid_xd'" "/^cid_sd${tab}OID/s/cid_sd/cid_xd/"
broken 'a layout in two places' 'layout cid_sd in two places' "/^cid_mmc${tab}OID/s/cid_mmc/cid_sd/"
broken 'a layout left out' 'layout ssr is missing' "/^ssr${tab}/d"
broken 'a stray space' 'stray space' "/^cid_sd${tab}OID/s/\$/ /"
broken 'bytes out of order' 'bytes 0..1 overlap or are out of order' "/^nvme_ctrl${tab}SSVID/s/3${tab}2/1${tab}0/"
broken 'a byte behind the end' 'byte 512 is behind the end of extcsd' "/^extcsd${tab}CMDQ_SUPPORT/s/308${tab}308/512${tab}512/"
broken 'a byte left out' 'gap: bytes 254..261 have no row' "/^extcsd${tab}FIRMWARE_VERSION/d"
broken 'the last bytes left out' 'bytes 232..511 are missing' "/^nvme_smart${tab}RESERVED_511_232/d"
broken 'an unknown kind' "unknown kind 'flog'" "/^scr${tab}CMD20/s/flag/flog/"
broken 'codes without names' 'kind codes needs names' "/^cid_mmc${tab}CBX/s/codes[^${tab}]*/codes/"
broken 'a name without a value' 'is no VALUE=TEXT' "/^cid_mmc${tab}CBX/s/1=BGA/BGA/"
broken 'a value that cannot be' 'outside a field of 2 bits' "/^cid_mmc${tab}CBX/s/1=BGA/4=BGA/"
broken 'a bit that is not there' 'outside a field of 4 bits' "/^scr${tab}SD_BUS_WIDTHS/s/2=4 lines/4=4 lines/"
broken 'a factor left out' 'needs a factor' "/^csd_v1${tab}NSAC/s/linear 100 0/linear 100/"
exit $failed
