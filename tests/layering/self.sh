#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The layering tests can fail: each is shown a tree or a library that breaks the law.
#   self.sh DIR-OF-THE-SCRIPTS
set -eu
here=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

expect_failure()
{
	what=$1
	shift
	if "$@" >/dev/null 2>&1; then
		echo "not noticed: $what" >&2
		status=1
	fi
}

mkdir -p "$work/include/cardassay" "$work/src/fill" "$work/src/registers"
echo '#include <stdint.h>' >"$work/include/cardassay/base.h"
echo '#include "cardassay/base.h"' >"$work/src/fill/a.c"
sh "$here/includes.sh" "$work" || {
	echo 'a clean tree is refused' >&2
	status=1
}
echo '#include "cardassay/host.h"' >"$work/src/fill/a.c"
expect_failure 'fill includes a backend' sh "$here/includes.sh" "$work"
printf '#include <gcrypt.h>\n' >"$work/src/fill/a.c"
expect_failure 'libgcrypt outside its file' sh "$here/includes.sh" "$work"
printf '#include "../registers/x.h"\n' >"$work/src/fill/a.c"
expect_failure 'a header from another room' sh "$here/includes.sh" "$work"
: >"$work/src/fill/a.c"
: >"$work/src/registers/a.c"
expect_failure 'one file name twice' sh "$here/includes.sh" "$work"
mkdir "$work/src/cellar"
rm "$work/src/registers/a.c"
expect_failure 'an unknown room' sh "$here/includes.sh" "$work"

if command -v nm >/dev/null && command -v cc >/dev/null; then
	printf '#include <stdio.h>\nvoid f(void);\nvoid f(void){puts("x");}\n' >"$work/x.c"
	cc -c "$work/x.c" -o "$work/x.o"
	ar rc "$work/libx.a" "$work/x.o"
	expect_failure 'a pure room that prints' sh "$here/purity.sh" "$work/libx.a"
	printf 'int g(void);\nint g(void){return 1;}\n' >"$work/y.c"
	cc -c "$work/y.c" -o "$work/y.o"
	ar rc "$work/liby.a" "$work/y.o"
	sh "$here/purity.sh" "$work/liby.a" || {
		echo 'a pure library is refused' >&2
		status=1
	}
fi
exit $status
