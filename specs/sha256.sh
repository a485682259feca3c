#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints the C source of ca_specs_sha256: SHA-256 over the "hash  name" lines of every table and
# rule page, in byte order of the names. Needs sha256sum (coreutils or busybox).
set -eu
LC_ALL=C
export LC_ALL
cd "$1"
sum=$(for file in *.tsv rules/*.md; do
	sha256sum "$file"
done | sha256sum | cut -d' ' -f1)
printf '#include "cardassay/specs.h"\nconst char ca_specs_sha256[65] = "%s";\n' "$sum"
