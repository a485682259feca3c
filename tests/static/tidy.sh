#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# clang-tidy over the product's sources with the checks of .clang-tidy.
#   tidy.sh ROOT BUILD
set -eu
command -v clang-tidy >/dev/null || {
	echo 'skipped: clang-tidy is missing'
	exit 77
}
[ -f "$2/compile_commands.json" ] || {
	echo 'skipped: the build has no compile_commands.json'
	exit 77
}
cd "$1"
find src -name '*.c' -print0 | xargs -0 -n 1 -P 2 clang-tidy --quiet -p "$2" 2>/dev/null
