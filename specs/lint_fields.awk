# SPDX-License-Identifier: BSD-2-Clause
# Proves fields.tsv: every layout complete, in the order the bytes arrive, names unique, no empty cell.
#   LC_ALL=C awk -f lint_fields.awk fields.tsv
# Registers are counted in bits from the top, rows from high to low; EXT_CSD, NVMe pages and the sets
# of CMD48 in bytes from 0, rows from low to high. Both tile: no gap, no overlap. The column `decode`
# is "KIND ARGUMENTS|VALUE=TEXT|VALUE=TEXT" (README.md). Prints "fields.tsv:LINE: text" for each defect and exits 1. POSIX awk.

function defect(text)
{
	printf "fields.tsv:%d: %s\n", FNR, text
	defects++
}

function end_of_layout()
{
	if (layout != "" && (layout in bits) && next_bit >= 0)
		defect("layout " layout " ends above bit 0: bits " next_bit ":0 are missing")
	if (layout != "" && (layout in bytes) && next_byte < bytes[layout])
		defect("layout " layout " ends early: bytes " next_byte ".." bytes[layout] - 1 " are missing")
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
	else if (first > next_byte)
		defect("gap: bytes " next_byte ".." first - 1 " have no row")
	if (last >= bytes[layout])
		defect("byte " last " is behind the end of " layout)
	next_byte = last + 1
}

function largest(width,    value, i)
{
	value = 1
	for (i = 0; i < width && i < 32; i++)
		value *= 2
	return value - 1
}

# Names of "bits" are places in the field (3 or 7:4), those of all other kinds whole values.
function check_names(kind, names, width,    count, part, i, key, place)
{
	count = split(names, part, "|")
	for (i = 1; i <= count; i++) {
		key = part[i]
		sub(/=.*$/, "", key)
		if (part[i] !~ /^[0-9:]+=[^=]+$/ || (kind != "bits" && key !~ /^[0-9]+$/) ||
		    (kind == "bits" && key !~ /^[0-9]+(:[0-9]+)?$/)) {
			defect("'" part[i] "' is no VALUE=TEXT of kind " kind)
			continue
		}
		split(key, place, ":")
		if (kind == "bits" ? place[1] + 0 >= width : place[1] + 0 > largest(width))
			defect("'" part[i] "' is outside a field of " width " bits")
	}
}

function check_decode(decode, width,    kind, names)
{
	kind = decode
	sub(/[ |].*$/, "", kind)
	names = ""
	if (index(decode, "|"))
		names = substr(decode, index(decode, "|") + 1)
	if (!(kind in kinds))
		defect("unknown kind '" kind "' of decode")
	if ((kind == "codes" || kind == "bits") && names == "")
		defect("kind " kind " needs names")
	if ((kind == "linear" || kind == "size") && decode !~ /^[a-z]+ [0-9]+ [0-9]+( [^|]+)?(\||$)/)
		defect("kind " kind " needs a factor and a number to add")
	if (names != "")
		check_names(kind, names, width)
}

BEGIN {
	FS = "\t"
	count = split("raw reserved flag codes number linear size power2 bits ascii hex bcd kelvin crc7 mmc_year " \
		"taac clock classes capacity sd_version protected vsc_au cq_depth emmc_depth life oui nvme_version " \
		"power_state lbaf flbas extensions", list, " ")
	for (i = 1; i <= count; i++)
		kinds[list[i]] = 1
	bits["cid_sd"] = bits["cid_mmc"] = 128
	bits["csd_v1"] = bits["csd_v2"] = bits["csd_v3"] = bits["csd_mmc"] = 128
	bits["scr"] = 64
	bits["ssr"] = 512
	bytes["extcsd"] = bytes["nvme_smart"] = 512
	bytes["nvme_ctrl"] = bytes["nvme_ns"] = 4096
	bits["ocr_sd"] = bits["ocr_mmc"] = 32
	bits["ext_perf"] = bits["ext_power"] = 8
	bytes["ext_general"] = bytes["ext_power_set"] = bytes["ext_perf_set"] = 512
}

FNR == 1 && $0 != "# SPDX-License-Identifier: BSD-2-Clause" { defect("no SPDX line") }
/^#/ { next }

!header {
	header = 1
	if ($0 != "layout\tname\tmsb\tlsb\tdecode\tmeaning\tclause")
		defect("header is not: layout name msb lsb decode meaning clause")
	next
}

NF != 7 {
	defect("7 columns wanted, " NF " found")
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
	if ($6 == "")
		defect("no meaning")
	if ($7 == "")
		defect("no clause")
	if ($5 $6 $7 ~ /  |[\\"\r]/ || $5 ~ /^ | $/ || $6 ~ /^ | $/ || $7 ~ /^ | $/)
		defect("stray space, quote, backslash or carriage return")
	check_decode($5, ($3 - $4 + 1) * ($1 in bytes ? 8 : 1))
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
