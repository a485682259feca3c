#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Proves the tables of specs/ and the pages of specs/rules/.
#   specs/lint.sh [DIR]      DIR: the specs directory, by default the one of this script
# Prints "file:line: text" for each defect; exit 1 when there is one. Needs a POSIX shell and awk;
# AWK names another awk ("busybox awk"). The source tree is looked for in DIR/../src.
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd) || exit 2
dir=${1:-$here}
awk=${AWK:-awk}
status=0

tables='manufacturers oem_relations brands nvme_vendors nvme_conventions nvme_models classes conditions quirks rules sources simulated fields vendor_health vendor_fields'

defect()
{
	printf '%s\n' "$1"
	status=1
}

lint_tables()
{
	for table in $tables; do
		file=$dir/$table.tsv
		if [ ! -f "$file" ]; then
			defect "$table.tsv:0: no such table"
			continue
		fi
		# shellcheck disable=SC2086 # AWK may be two words
		$awk -v table="$table" -f "$here/lint_table.awk" "$here/generate.awk" "$dir/sources.tsv" \
			"$dir/manufacturers.tsv" "$dir/nvme_vendors.tsv" "$dir/brands.tsv" "$file" || status=1
		[ -z "$(tail -c 1 "$file")" ] || defect "$table.tsv:0: no newline at the end"
	done
	for file in "$dir"/*.tsv; do
		table=$(basename "$file" .tsv)
		case " $tables " in
		*" $table "*) ;;
		*) defect "$table.tsv:0: a table that nothing reads" ;;
		esac
	done
	# shellcheck disable=SC2086
	[ ! -f "$dir/fields.tsv" ] || $awk -f "$here/lint_fields.awk" "$dir/fields.tsv" || status=1
}

# Each source is cited by some table.
lint_sources_used()
{
	# shellcheck disable=SC2086
	$awk '
		BEGIN { FS = "\t" }
		FNR == 1 { file++; header = 0 }
		/^#/ || /^$/ { next }
		!header {
			header = 1
			column = 0
			for (i = 1; i <= NF; i++)
				if ($i == "sources")
					column = i
			next
		}
		file > 1 && column { count = split($column, part, " "); for (i = 1; i <= count; i++) used[part[i]] = 1 }
		file == 1 { tag[++tags] = $1; line[tags] = FNR }
		END {
			for (i = 1; i <= tags; i++)
				if (!(tag[i] in used)) {
					printf "sources.tsv:%d: nothing cites %s\n", line[i], tag[i]
					bad = 1
				}
			exit bad
		}' "$dir/sources.tsv" "$dir/manufacturers.tsv" "$dir/oem_relations.tsv" "$dir/brands.tsv" \
		"$dir/nvme_vendors.tsv" "$dir/nvme_conventions.tsv" "$dir/nvme_models.tsv" "$dir/classes.tsv" "$dir/conditions.tsv" "$dir/quirks.tsv" "$dir/rules.tsv" \
		"$dir/vendor_health.tsv" "$dir/vendor_fields.tsv" || status=1
}

# A page a rule, a rule a page, and the page opens with the rule's id.
lint_pages()
{
	# shellcheck disable=SC2086
	(cd "$dir" && $awk '
		function report(where, text) { print where ": " text; bad = 1 }
		FNR == 1 {
			file = FILENAME
			page = file
			sub(/^.*\//, "", page)
			sub(/\.md$/, "", page)
			opened = 0
		}
		file == "rules.tsv" && (/^#/ || /^$/) { next }
		file == "rules.tsv" && !header { header = 1; next }
		file == "rules.tsv" { split($0, part, "\t"); ids[++rules] = part[1]; line[part[1]] = FNR; next }
		{ seen[page] = 1 }
		opened || /^<!--/ { next }
		{
			opened = 1
			if (!(page in line))
				report(file ":" FNR, "no rule " page " in rules.tsv")
			else if (index($0, "# " page ": ") != 1)
				report(file ":" FNR, "the page does not open with \"# " page ": title\"")
		}
		END {
			for (i = 1; i <= rules; i++)
				if (!(ids[i] in seen))
					report("rules.tsv:" line[ids[i]], "rule " ids[i] " has no page rules/" ids[i] ".md")
			exit bad
		}' rules.tsv rules/*.md) || status=1
}

# A rule is reached by one row of one table in src/judge, and no row names an unknown rule.
lint_judge()
{
	[ -d "$dir/../src/judge" ] || return 0
	# shellcheck disable=SC2086
	(cd "$dir" && $awk '
		function report(text) { print "rules.tsv:" text; bad = 1 }
		FILENAME == "rules.tsv" && (/^#/ || /^$/) { next }
		FILENAME == "rules.tsv" && !header { header = 1; next }
		FILENAME == "rules.tsv" { split($0, part, "\t"); ids[++rules] = part[1]; line[part[1]] = FNR; next }
		/^[ \t]*\{"[A-Z0-9][A-Z0-9-]*", *ca_/ { split($0, part, "\""); rows[part[2]]++ }
		END {
			for (i = 1; i <= rules; i++)
				if (rows[ids[i]] != 1)
					report(line[ids[i]] ": rule " ids[i] " is in " rows[ids[i]] + 0 " rows of the tables in src/judge, not in 1")
			for (id in rows)
				if (!(id in line))
					report("0: src/judge knows a rule " id " that is not here")
			exit bad
		}' rules.tsv ../src/judge/*.c) || status=1
}

complete=1
lint_tables
for table in $tables; do
	[ -f "$dir/$table.tsv" ] || complete=0
done
if [ "$complete" = 1 ]; then
	lint_sources_used
	lint_pages
	lint_judge
fi
exit "$status"
