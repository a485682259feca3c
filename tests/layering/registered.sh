#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every unit test, fuzz target, source file and rule page is known to the build: none lies about unused.
#   registered.sh ROOT BUILD
set -eu
root=$1
build=$2
status=0
for file in "$root"/tests/unit/test_*.c; do
	name=$(basename "$file" .c)
	grep -rqw "${name#test_}" "$root"/src/*/CMakeLists.txt || {
		echo "tests/unit/$name.c is in no ca_room_tests() list" >&2
		status=1
	}
	grep -Eq 'ck_assert|ck_abort' "$file" || {
		echo "tests/unit/$name.c asserts nothing" >&2
		status=1
	}
done
for file in "$root"/src/*/*.c; do
	grep -q "$(basename "$file")" "$(dirname "$file")/CMakeLists.txt" 2>/dev/null ||
		grep -q "src/specs/$(basename "$file")" "$root/cmake/specs.cmake" || {
		echo "${file#"$root"/} is in no source list" >&2
		status=1
	}
	lines=$(wc -l <"$file")
	[ "$lines" -le 620 ] || {
		echo "${file#"$root"/} has $lines lines: is it still one job?" >&2
		status=1
	}
done
for file in "$root"/tests/fuzz/fuzz_*.c; do
	grep -qw "$(basename "$file" .c | sed 's/^fuzz_//')" "$root/tests/fuzz/CMakeLists.txt" || {
		echo "tests/fuzz/$(basename "$file") is not built" >&2
		status=1
	}
done
for file in $(cd "$root" && git ls-files 2>/dev/null | grep -E '\.(c|h|sh|awk|cmake|tsv)$' || :); do
	[ -e "$root/$file" ] || continue
	head -n 3 "$root/$file" | grep -q 'SPDX-License-Identifier: BSD-2-Clause' || {
		echo "$file has no SPDX line" >&2
		status=1
	}
done
[ -d "$build" ] || status=1
exit $status
