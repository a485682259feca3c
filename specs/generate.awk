# SPDX-License-Identifier: BSD-2-Clause
# TSV table -> C. POSIX awk: no gawk extensions, so that mawk and busybox do.
#   awk -v table=classes -v mode=source -f generate.awk classes.tsv
# The first line that is not a # comment names the columns. A table's C row lists its columns in the
# order of the struct in include/cardassay/specs.h; types: s string, n number (empty = 0), i integer
# that may be empty (= -1), b yes/no.

function fail(message)
{
	printf "%s:%d: %s\n", FILENAME, FNR, message | "cat 1>&2"
	failed = 1
	exit 1
}

function c_string(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function cell(name)
{
	if (!(name in column))
		fail("no column '" name "'")
	return $(column[name])
}

function number(name, empty,    text)
{
	text = cell(name)
	if (text == "")
		return empty
	if (text !~ /^-?[0-9]+$/ && text !~ /^0x[0-9a-f]+$/)
		fail("column " name ": not a number: " text)
	return text ~ /^-/ ? text : text "U"
}

function as_c(name, type,    text)
{
	if (type == "s")
		return c_string(cell(name))
	if (type == "n")
		return number(name, "0")
	if (type == "l")
		return "UINT64_C(" (cell(name) == "" ? "0" : cell(name)) ")"
	if (type == "i") {
		text = number(name, "-1")
		sub(/U$/, "", text)
		return text
	}
	if (type == "b") {
		text = cell(name)
		if (text != "yes" && text != "no")
			fail("column " name ": yes or no, not '" text "'")
		return text == "yes" ? "true" : "false"
	}
	fail("type " type)
}

function row(layout,    part, count, i, out)
{
	count = split(layout, part, " ")
	out = ""
	for (i = 1; i <= count; i++)
		out = out (i > 1 ? ", " : "") as_c(substr(part[i], 3), substr(part[i], 1, 1))
	print "\t{ " out " },"
	rows++
}

function page(id,    file, line, any)
{
	file = dir "/" id ".md"
	printf "\t/* %s */\n", id
	any = 0
	while ((getline line < file) > 0) {
		if (line ~ /^<!--.*-->$/)
			continue
		line = c_string(line)
		sub(/"$/, "\\n\"", line)
		printf "\t%s\n", line
		any = 1
	}
	close(file)
	if (!any)
		fail("no page " file)
	print "\t,"
	rows++
}

function macro(text)
{
	gsub(/[^A-Za-z0-9]/, "_", text)
	return toupper(text)
}

BEGIN {
	FS = "\t"
	columns["manufacturers"] = "b:emmc n:mid i:oid s:maker s:brands s:pnm s:standing s:note n:confidence s:sources"
	columns["oem_relations"] = "s:brand s:product s:kind i:mid i:oid s:pnm n:vid s:model s:maker s:relation s:note s:sources"
	columns["brands"] = "s:brand s:aliases i:strict_mid i:strict_vid s:sources"
	columns["nvme_vendors"] = "n:vid s:maker s:role s:ouis b:oui_strict s:note s:sources"
	columns["nvme_conventions"] = "n:vid s:field s:pattern s:customer s:meaning s:note s:sources"
	columns["nvme_models"] = "n:vid s:model s:name n:link_mts n:lanes s:dram s:note s:sources"
	columns["classes"] = "s:id s:quantity l:limit l:block_bytes l:range_bytes l:duration_s s:window n:clock_hs_hz n:clock_sdr50_hz n:clock_sdr104_hz n:clock_ddr50_hz n:power_mw b:needs_queue b:cache_off s:clause s:sources"
	columns["conditions"] = "s:id s:applies_to s:effect n:factor_permille s:text s:remedy s:reasoning s:sources"
	columns["rules"] = "s:id s:claim s:severity s:reg s:bits s:title s:why s:todo n:cards_checked n:cards_hit s:clause s:sources"
	columns["quirks"] = "n:mid i:oid s:pnm n:year n:month s:only s:text s:sources"
	columns["sources"] = "s:tag s:title s:where"
	columns["simulated"] = "s:name s:spec s:label s:cid s:csd s:scr s:ssr s:description"
	columns["fields"] = "s:layout s:name n:msb n:lsb s:decode s:meaning s:clause"
	columns["vendor_health"] = "n:argument n:signature s:maker s:standing s:layout s:note s:sources"
	columns["vendor_fields"] = "s:layout s:name n:byte n:bytes s:decode n:divisor s:unit l:largest s:health s:meaning s:sources"
	symbol["manufacturers"] = "struct ca_spec_maker ca_spec_makers"
	symbol["oem_relations"] = "struct ca_spec_relation ca_spec_relations"
	symbol["brands"] = "struct ca_spec_brand ca_spec_brands"
	symbol["nvme_vendors"] = "struct ca_spec_nvme_vendor ca_spec_nvme_vendors"
	symbol["nvme_conventions"] = "struct ca_spec_nvme_convention ca_spec_nvme_conventions"
	symbol["nvme_models"] = "struct ca_spec_nvme_model ca_spec_nvme_models"
	symbol["classes"] = "struct ca_spec_class ca_spec_classes"
	symbol["conditions"] = "struct ca_spec_condition ca_spec_conditions"
	symbol["rules"] = "struct ca_spec_rule ca_spec_rules"
	symbol["quirks"] = "struct ca_spec_quirk ca_spec_quirks"
	symbol["sources"] = "struct ca_spec_source ca_spec_sources"
	symbol["simulated"] = "struct ca_spec_simulated ca_spec_simulated_cards"
	symbol["fields"] = "struct ca_field ca_fields"
	symbol["vendor_health"] = "struct ca_vendor_query ca_vendor_queries"
	symbol["vendor_fields"] = "struct ca_vendor_field ca_vendor_fields"
	if (table == "pages")
		print "#include \"cardassay/specs.h\"\n\nconst char *const ca_spec_rule_pages[] = {"
	else if (mode == "header")
		print "/* msb, lsb of every register field, from specs/fields.tsv */\n#ifndef CA_FIELD_BITS_H\n#define CA_FIELD_BITS_H\n"
	else {
		if (!(table in columns))
			fail("unknown table " table)
		print "#include \"cardassay/" (table == "fields" || table ~ /^vendor_/ ? "registers" : "specs") ".h\"\n\nconst " symbol[table] "[] = {"
	}
}

{ sub(/\r$/, "") }
/^#/ || /^$/ { next }

!header {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	header = NF
	next
}

NF != header { fail("expected " header " columns, found " NF) }

table == "pages" { page(cell("id")); next }
mode == "header" {
	printf "#define CA_FIELD_%s_%s %s, %s\n", macro(cell("layout")), macro(cell("name")), cell("msb"), cell("lsb")
	next
}
{ row(columns[table]) }

END {
	if (failed)
		exit 1
	if (mode == "header") {
		print "\n#endif"
		exit 0
	}
	print "};"
	if (table != "pages") {
		name = symbol[table]
		sub(/^.* /, "", name)
		printf "const size_t %s_count = %d;\n", name, rows
	}
}
