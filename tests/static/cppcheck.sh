#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#   cppcheck.sh ROOT BUILD
set -eu
command -v cppcheck >/dev/null || {
	echo 'skipped: cppcheck is missing'
	exit 77
}
cd "$1"
exec cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	--error-exitcode=1 --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
	-D_GNU_SOURCE -DCARDASSAY_VERSION='"0"' -I include -I "$2/generated" -j 2 src
