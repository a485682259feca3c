#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every C file is laid out as .clang-format says (clang-format 14, Debian 12's).
set -eu
command -v clang-format >/dev/null || {
	echo 'skipped: clang-format is missing'
	exit 77
}
case $(clang-format --version) in
*' 14.'*) ;;
*)
	echo 'skipped: another clang-format than 14 lays code out differently'
	exit 77
	;;
esac
cd "$1"
find src include tests -name '*.[ch]' -exec clang-format --dry-run --Werror {} +
