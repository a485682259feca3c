# SPDX-License-Identifier: BSD-2-Clause
# Proves one table of specs/. POSIX awk, so that mawk and busybox do:
#   LC_ALL=C awk -v table=brands -f lint_table.awk generate.awk sources.tsv manufacturers.tsv
#       nvme_vendors.tsv brands.tsv brands.tsv
# The last file is the table that is checked; the ones before give what its cells refer to. The
# columns and their types are read out of generate.awk, so that they are written down once.
# Prints "file:line: text" for each defect and exits 1.

function defect(text)
{
	printf "%s.tsv:%d: %s\n", table, FNR, text
	defects++
}

# ---- the contract: columns["brands"] = "s:brand s:aliases ..." in generate.awk

function read_contract(line,    name, part, count, i)
{
	name = line
	sub(/^[^"]*"/, "", name)
	sub(/".*$/, "", name)
	sub(/^[^=]*= "/, "", line)
	sub(/".*$/, "", line)
	count = split(line, part, " ")
	expected_count[name] = count
	for (i = 1; i <= count; i++) {
		expected[name, i] = substr(part[i], 3)
		type_of[name, substr(part[i], 3)] = substr(part[i], 1, 1)
	}
}

function read_columns(    i)
{
	for (i in column)
		delete column[i]
	for (i = 1; i <= NF; i++)
		column[$i] = i
}

function cell(name)
{
	return $(column[name])
}

# ---- numbers: mawk and busybox awk read no hex, so we do

function value_of(text,    i, value)
{
	if (text !~ /^0x/)
		return text + 0
	value = 0
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

function check_number(name, type, text)
{
	if (text == "") {
		# i: empty is "any" or "none"; n and l: 0
		return
	}
	if (text !~ /^[0-9]+$/ && text !~ /^0x[0-9a-f]+$/)
		defect(name ": not a number: '" text "'")
	else if ((name in digits_of) && length(text) != digits_of[name] + 2)
		defect(name ": write it as 0x and " digits_of[name] " digits: '" text "'")
	else if (length(text) > 1 && text ~ /^0[0-9]/)
		defect(name ": leading zero: '" text "'")
	else if ((name in largest) && value_of(text) > largest[name])
		defect(name ": " text " is above " largest[name])
	else if (type != "l" && value_of(text) > 4294967295)
		defect(name ": " text " does not fit 32 bits")
}

function check_choice(name, text)
{
	if (index(" " choices[table, name] " ", " " text " ") == 0 || text ~ / / || text == "")
		defect(name ": one of " choices[table, name] ", not '" text "'")
}

function check_sources(text,    part, count, i, seen_tag)
{
	count = split(text, part, " ")
	if (count == 0)
		defect("no source")
	for (i = 1; i <= count; i++) {
		if (!(part[i] in source_line))
			defect("source '" part[i] "' is not in sources.tsv")
		if (part[i] in seen_tag)
			defect("source '" part[i] "' twice")
		seen_tag[part[i]] = 1
	}
	return count
}

function check_cells(    i, name, type, text)
{
	for (i = 1; i <= NF; i++) {
		name = expected[table, i]
		type = type_of[table, name]
		text = $i
		if (text ~ /^ / || text ~ / $/)
			defect(name ": space at the edge of the cell")
		if (text ~ /  /)
			defect(name ": two spaces in a row")
		if (text ~ /[\001-\010\013-\037\177]/)
			defect(name ": control character")
		if (type == "b" && text != "yes" && text != "no")
			defect(name ": yes or no, not '" text "'")
		if (type == "n" || type == "l" || type == "i")
			check_number(name, type, text)
		if ((table, name) in choices)
			check_choice(name, text)
		if ((table, name) in required && text == "")
			defect(name ": empty")
	}
}

# ---- keys

function sort_number(text, empty)
{
	return sprintf("%010d", text == "" ? empty : value_of(text))
}

# A key that grows from row to row: sorted and unique at once.
function grows(key)
{
	# "" keeps both sides strings
	if (last_key != "" && (key "") < (last_key ""))
		defect("not sorted")
	last_key = key
}

function is_unique(key)
{
	if (key in key_line)
		defect("the same key as line " key_line[key])
	else
		key_line[key] = FNR
}

# ---- one function a table

function check_manufacturers(    count)
{
	grows(cell("emmc") "|" sort_number(cell("mid"), 0) "|" sort_number(cell("oid"), 65536))
	is_unique(cell("emmc") "|" cell("mid") "|" cell("oid"))
	count = check_sources(cell("sources"))
	if (cell("confidence") + 0 < 1)
		defect("confidence below 1")
	else if (cell("confidence") + 0 != count)
		defect("confidence is " cell("confidence") ", but " count " sources are named")
	if (cell("standing") == "unassigned" && cell("maker") != "")
		defect("unassigned, yet a maker is named")
	if (cell("standing") == "assigned" && cell("maker") == "")
		defect("assigned to nobody")
}

function check_brands(    part, count, i, own)
{
	grows(tolower(cell("brand")))
	is_unique(tolower(cell("brand")))
	check_sources(cell("sources"))
	count = split(cell("aliases"), part, "; ")
	for (i = 1; i <= count; i++) {
		if (part[i] != tolower(part[i]))
			defect("alias '" part[i] "' is not in lower case")
		if (part[i] in alias_line)
			defect("alias '" part[i] "' is also in line " alias_line[part[i]])
		alias_line[part[i]] = FNR
		if (part[i] == tolower(cell("brand")))
			own = 1
	}
	if (!own)
		defect("the brand itself is not among its aliases")
	if (cell("strict_mid") != "" && !(cell("strict_mid") in known_mid))
		defect("strict_mid " cell("strict_mid") " is not in manufacturers.tsv")
	if (cell("strict_vid") != "" && !(cell("strict_vid") in vendor_name))
		defect("strict_vid " cell("strict_vid") " is not in nvme_vendors.tsv")
}

function check_vendors(    part, count, i)
{
	grows(sort_number(cell("vid"), 0))
	is_unique(cell("vid"))
	check_sources(cell("sources"))
	count = split(cell("ouis"), part, " ")
	for (i = 1; i <= count; i++)
		if (part[i] !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/)
			defect("OUI '" part[i] "' is not six hex digits")
	if (cell("oui_strict") == "yes" && count != 1)
		defect("oui_strict needs exactly one OUI")
}

function check_relations(    key, pair)
{
	key = tolower(cell("brand")) "|" (cell("kind") == "sd" ? 0 : 1) "|" sort_number(cell("mid"), 0)
	grows(key "|" sort_number(cell("oid"), 0) "|" sort_number(cell("vid"), 0))
	is_unique(key "|" cell("oid") "|" cell("vid") "|" cell("pnm") "|" cell("model"))
	check_sources(cell("sources"))
	if (!(cell("brand") in brand_line))
		defect("brand '" cell("brand") "' is not in brands.tsv")
	if (cell("kind") == "sd") {
		if (cell("mid") == "" || cell("vid") != "" || cell("model") != "")
			defect("sd: mid is needed, vid and model are empty")
		pair = cell("mid") "|" cell("oid")
		if (!(pair in maker_name))
			defect("MID " cell("mid") " OID " cell("oid") " is not in manufacturers.tsv")
		else if (maker_name[pair] != cell("maker"))
			defect("maker '" cell("maker") "', but '" maker_name[pair] "' in manufacturers.tsv")
	} else if (cell("kind") == "nvme") {
		if (cell("vid") == "" || cell("mid") != "" || cell("oid") != "" || cell("pnm") != "")
			defect("nvme: vid is needed, mid, oid and pnm are empty")
		if (!(cell("vid") in vendor_name))
			defect("vid " cell("vid") " is not in nvme_vendors.tsv")
		else if (vendor_name[cell("vid")] != cell("maker"))
			defect("maker '" cell("maker") "', but '" vendor_name[cell("vid")] "' in nvme_vendors.tsv")
	}
	if (substr(cell("pnm") cell("model"), 1, length(cell("pnm") cell("model")) - 1) ~ /\*/)
		defect("* is a pattern at the end only")
}

# A pattern of Identify text: * is any run, ? one character, # one digit.
function check_conventions()
{
	grows(sort_number(cell("vid"), 0) "|" cell("field") "|" cell("pattern"))
	is_unique(cell("vid") "|" cell("field") "|" cell("pattern"))
	check_sources(cell("sources"))
	if (cell("vid") != "" && !(cell("vid") in vendor_name))
		defect("vid " cell("vid") " is not in nvme_vendors.tsv")
	if ((cell("field") == "ssvid") != (cell("vid") == ""))
		defect("a subsystem vendor stands with any vid, a model or firmware with its own")
	if (cell("field") == "ssvid" && cell("pattern") !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/)
		defect("ssvid: four hex digits, not '" cell("pattern") "'")
}

function check_models()
{
	grows(sort_number(cell("vid"), 0) "|" cell("model"))
	is_unique(cell("vid") "|" cell("model"))
	check_sources(cell("sources"))
	if (!(cell("vid") in vendor_name))
		defect("vid " cell("vid") " is not in nvme_vendors.tsv")
	if (cell("link_mts") != "" && cell("link_mts") !~ /^(2500|5000|8000|16000|32000)$/)
		defect("link_mts: the rate of a PCIe generation")
	if ((cell("link_mts") == "") != (cell("lanes") == ""))
		defect("link_mts and lanes go together")
}

function check_sources_table()
{
	grows(cell("tag"))
	is_unique(cell("tag"))
	if (cell("tag") !~ /^[a-z0-9][a-z0-9.-]*$/)
		defect("tag: lower case, digits, . and - only")
}

function check_classes()
{
	is_unique(cell("id") "|" cell("quantity"))
	if (cell("id") != last_id && (cell("id") in seen_id))
		defect("rows of " cell("id") " are in two places")
	seen_id[cell("id")] = 1
	last_id = cell("id")
	check_sources(cell("sources"))
	if (cell("id") !~ /^[CUVAE][1-9][0-9]*$/)
		defect("id: a letter of C U V A E and a number")
	if (cell("limit") + 0 <= 0)
		defect("limit: empty or 0")
}

function check_conditions()
{
	grows(cell("id"))
	is_unique(cell("id"))
	check_sources(cell("sources"))
	if (cell("factor_permille") != "" && cell("factor_permille") + 0 > 0 && cell("factor_permille") + 0 < 1000)
		defect("factor_permille below 1000 would make the card slower")
}

function check_quirks()
{
	grows(sort_number(cell("mid"), 0) "|" cell("pnm"))
	is_unique(cell("mid") "|" cell("pnm"))
	check_sources(cell("sources"))
	if ((cell("year") == "") != (cell("month") == ""))
		defect("year and month go together")
	if (cell("only") != "" && cell("only") != "discard")
		defect("only: discard or nothing")
}

function check_rules()
{
	is_unique(cell("id"))
	check_sources(cell("sources"))
	if (cell("id") !~ /^[A-Z0-9][A-Z0-9-]*$/)
		defect("id: upper case, digits and - only")
	if (cell("cards_hit") + 0 > cell("cards_checked") + 0)
		defect("more cards hit than checked")
	if (cell("bits") != "" && cell("bits") !~ /^\[[0-9]+(:[0-9]+)?\]$/)
		defect("bits: [msb:lsb], not '" cell("bits") "'")
}

function check_hex(name, digits, text)
{
	if (text != "" && (length(text) != digits || text !~ /^[0-9a-f]+$/))
		defect(name ": " digits " lower-case hex digits")
}

function check_simulated()
{
	is_unique(cell("name"))
	if (cell("name") !~ /^[a-z0-9][a-z0-9-]*$/)
		defect("name: lower case, digits and - only")
	check_hex("cid", 32, cell("cid"))
	check_hex("csd", 32, cell("csd"))
	check_hex("scr", 16, cell("scr"))
	check_hex("ssr", 128, cell("ssr"))
}

# Bit 0 of the argument says whether the card reads or writes: a query of this table only reads.
function check_vendor_health(    part, count, i)
{
	is_unique(cell("argument") "|" cell("signature"))
	if (cell("argument") != last_argument && (cell("argument") in seen_argument))
		defect("rows of " cell("argument") " are in two places")
	seen_argument[cell("argument")] = 1
	last_argument = cell("argument")
	check_sources(cell("sources"))
	if (cell("argument") !~ /[13579bdf]$/)
		defect("argument: bit 0 is 0: that query writes")
	count = split(cell("maker"), part, "; ")
	for (i = 1; i <= count && cell("standing") == "maker"; i++)
		if (!(part[i] in known_maker))
			defect("maker '" part[i] "' is not in manufacturers.tsv")
	if ((cell("standing") == "maker") != (count == 1))
		defect("one maker, or a shared signature and at least two")
}

# Fields of one answer do not overlap, nor do they cover its signature.
function check_vendor_fields(    first, last)
{
	grows(cell("layout") "|" sort_number(cell("byte"), 0))
	is_unique(cell("layout") "|" cell("name"))
	check_sources(cell("sources"))
	first = cell("byte") + 0
	last = first + cell("bytes") - 1
	if (first < 2 || last < first || last > 511)
		defect("bytes " first " to " last " are not behind the signature of an answer")
	if (cell("layout") == last_layout && first <= last_byte)
		defect("overlaps the field before it")
	last_layout = cell("layout")
	last_byte = last
	if (cell("decode") ~ /^[lb]e$/ && cell("bytes") > 8)
		defect("a number has at most 8 bytes")
	if (cell("decode") == "date" && cell("bytes") != 6)
		defect("a date has 6 bytes")
	if ((cell("bytes") in most_in) && value_of(cell("largest")) >= most_in[cell("bytes")])
		defect("largest: every value of that many bytes is plausible, leave it empty")
	if (cell("health") !~ /^(used|left|spare|grown)?$/)
		defect("health: used, left, spare, grown or nothing")
	if (cell("name") !~ /^[a-z][a-z0-9_]*$/)
		defect("name: lower case, digits and _ only")
}

function check_fields()
{
	is_unique(cell("layout") "|" cell("name"))
}

BEGIN {
	FS = "\t"
	digits_of["mid"] = 2
	digits_of["oid"] = 4
	digits_of["vid"] = 4
	digits_of["argument"] = 8
	digits_of["signature"] = 4
	digits_of["strict_mid"] = 2
	digits_of["strict_vid"] = 4
	most_in[1] = 255
	most_in[2] = 65535
	most_in[3] = 16777215
	most_in[4] = 4294967295
	largest["confidence"] = 99
	largest["cards_checked"] = 100000
	largest["factor_permille"] = 1000000
	largest["msb"] = 4095
	largest["lsb"] = 4095
	largest["power_mw"] = 100000
	choices["manufacturers", "standing"] = "assigned reported contested unassigned"
	choices["oem_relations", "kind"] = "sd nvme"
	choices["oem_relations", "relation"] = "own oem"
	choices["nvme_vendors", "role"] = "drive controller oem"
	choices["nvme_conventions", "field"] = "firmware model ssvid"
	choices["nvme_models", "dram"] = "yes no unknown"
	choices["classes", "quantity"] = "random-read random-write sequential-write sequential-read"
	choices["classes", "window"] = "whole au su"
	choices["conditions", "applies_to"] = "random sequential all writes random-write"
	choices["conditions", "effect"] = "slows helps"
	choices["vendor_health", "standing"] = "maker shared"
	choices["vendor_fields", "decode"] = "le be text hex date"
	choices["rules", "severity"] = "fail warning note inconclusive"
	required["vendor_health", "maker"] = 1
	required["vendor_health", "layout"] = 1
	required["vendor_fields", "layout"] = 1
	required["vendor_fields", "meaning"] = 1
	required["manufacturers", "mid"] = 1
	required["nvme_vendors", "vid"] = 1
	required["nvme_vendors", "maker"] = 1
	required["nvme_conventions", "pattern"] = 1
	required["nvme_conventions", "customer"] = 1
	required["nvme_conventions", "meaning"] = 1
	required["nvme_models", "model"] = 1
	required["nvme_models", "name"] = 1
	required["brands", "brand"] = 1
	required["sources", "title"] = 1
	required["sources", "where"] = 1
	required["conditions", "text"] = 1
	required["conditions", "remedy"] = 1
	required["conditions", "reasoning"] = 1
	required["quirks", "mid"] = 1
	required["quirks", "text"] = 1
	required["rules", "title"] = 1
	required["rules", "clause"] = 1
	required["rules", "why"] = 1
	required["rules", "todo"] = 1
	required["classes", "clause"] = 1
	required["simulated", "spec"] = 1
	required["simulated", "description"] = 1
	required["fields", "clause"] = 1
}

FNR == 1 {
	file++
	header = 0
}

# ---- what cells refer to

file == 1 {
	if ($0 ~ /^\tcolumns\["/)
		read_contract($0)
	next
}

file < 6 && (/^#/ || /^$/) { next }

file < 6 && !header {
	read_columns()
	header = 1
	next
}

file == 2 { source_line[$1] = FNR; next }
file == 3 {
	known_mid[cell("mid")] = 1
	known_maker[cell("maker")] = 1
	if (cell("emmc") == "no")
		maker_name[cell("mid") "|" cell("oid")] = cell("maker")
	next
}
file == 4 { vendor_name[cell("vid")] = cell("maker"); next }
file == 5 { brand_line[cell("brand")] = FNR; next }

# ---- the table itself

/\r/ { defect("carriage return") }
/[ \t]$/ && /^#/ { defect("space at the end of the line") }
FNR == 1 && $0 != "# SPDX-License-Identifier: BSD-2-Clause" { defect("the first line is not the licence") }
/^#/ { next }
/^$/ {
	defect("empty line")
	next
}

!header {
	for (i = 1; i <= expected_count[table]; i++)
		if ($i != expected[table, i])
			defect("column " i " is '" $i "', expected '" expected[table, i] "'")
	if (NF != expected_count[table])
		defect(NF " columns named, expected " expected_count[table])
	if (defects)
		exit
	read_columns()
	header = 1
	next
}

NF != expected_count[table] {
	defect("expected " expected_count[table] " cells, found " NF)
	next
}

{ rows++ }
{ check_cells() }
table == "manufacturers" { check_manufacturers() }
table == "oem_relations" { check_relations() }
table == "brands" { check_brands() }
table == "nvme_vendors" { check_vendors() }
table == "nvme_conventions" { check_conventions() }
table == "nvme_models" { check_models() }
table == "sources" { check_sources_table() }
table == "classes" { check_classes() }
table == "conditions" { check_conditions() }
table == "quirks" { check_quirks() }
table == "rules" { check_rules() }
table == "simulated" { check_simulated() }
table == "fields" { check_fields() }
table == "vendor_health" { check_vendor_health() }
table == "vendor_fields" { check_vendor_fields() }

END {
	if (!rows && !defects) {
		printf "%s.tsv:1: no rows\n", table
		defects++
	}
	exit defects ? 1 : 0
}
