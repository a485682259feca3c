# SPDX-License-Identifier: BSD-2-Clause
# Proves fields.tsv: every layout complete, in the order the bytes arrive, names unique, no empty cell.
#   LC_ALL=C awk -f lint_fields.awk fields.tsv
# Registers are counted in bits from the top: rows go from high to low and tile them, no gap, no
# overlap. EXT_CSD and NVMe pages are counted in bytes from 0: rows go from low to high and need not
# tile. Prints "fields.tsv:LINE: text" for each defect and exits 1. POSIX awk.

function defect(text)
{
	printf "fields.tsv:%d: %s\n", FNR, text
	defects++
}

function end_of_layout()
{
	if (layout != "" && (layout in bits) && next_bit >= 0)
		defect("layout " layout " ends above bit 0: bits " next_bit ":0 are missing")
}

function start_of_layout(name)
{
	end_of_layout()
	layout = name
	if (!(name in bits) && !(name in bytes))
		defect("unknown layout '" name "'")
	if (name in seen)
		defect("layout " name " in two places")
	seen[name] = 1
	next_bit = (name in bits) ? bits[name] - 1 : -1
	next_byte = 0
}

function check_bits(msb, lsb)
{
	if (msb > next_bit)
		defect("bits " msb ":" lsb " overlap or are out of order: bit " next_bit " is next")
	else if (msb < next_bit)
		defect("gap: bits " next_bit ":" msb + 1 " have no row")
	next_bit = lsb - 1
}

function check_bytes(last, first)
{
	if (first < next_byte)
		defect("bytes " first ".." last " overlap or are out of order: byte " next_byte " is next")
	if (last >= bytes[layout])
		defect("byte " last " is behind the end of " layout)
	next_byte = last + 1
}

BEGIN {
	FS = "\t"
	bits["cid_sd"] = bits["cid_mmc"] = 128
	bits["csd_v1"] = bits["csd_v2"] = bits["csd_v3"] = bits["csd_mmc"] = 128
	bits["scr"] = 64
	bits["ssr"] = 512
	bytes["extcsd"] = bytes["nvme_smart"] = 512
	bytes["nvme_ctrl"] = bytes["nvme_ns"] = 4096
}

FNR == 1 && $0 != "# SPDX-License-Identifier: BSD-2-Clause" { defect("no SPDX line") }
/^#/ { next }

!header {
	header = 1
	if ($0 != "layout\tname\tmsb\tlsb\tmeaning\tclause")
		defect("header is not: layout name msb lsb meaning clause")
	next
}

NF != 6 {
	defect("6 columns wanted, " NF " found")
	next
}

$3 !~ /^(0|[1-9][0-9]*)$/ || $4 !~ /^(0|[1-9][0-9]*)$/ || $3 + 0 < $4 + 0 {
	defect("not a range: '" $3 "' to '" $4 "'")
	next
}

{
	if ($1 != layout)
		start_of_layout($1)
	if ($2 !~ /^[A-Z][A-Z0-9_]*$/)
		defect("name '" $2 "' is not upper case letters, digits and _")
	if (($1, $2) in name_line)
		defect("name " $2 " is taken in line " name_line[$1, $2])
	name_line[$1, $2] = FNR
	if ($5 == "")
		defect("no meaning")
	if ($6 == "")
		defect("no clause")
	if ($5 $6 ~ /  |[\\"\r]/ || $5 ~ /^ | $/ || $6 ~ /^ | $/)
		defect("stray space, quote, backslash or carriage return")
	if ($1 in bits)
		check_bits($3 + 0, $4 + 0)
	else if ($1 in bytes)
		check_bytes($3 + 0, $4 + 0)
}

END {
	end_of_layout()
	for (name in bits)
		if (!(name in seen))
			defect("layout " name " is missing")
	for (name in bytes)
		if (!(name in seen))
			defect("layout " name " is missing")
	exit defects > 0
}
