#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pure rooms reach for no file, clock, device or printer: nm -u over their libraries.
#   purity.sh LIBRARY...
set -eu
command -v nm >/dev/null || {
	echo 'skipped: nm (binutils) is missing'
	exit 77
}
forbidden='open|open64|openat|openat64|fopen|fopen64|creat|read|pread|pread64|write|pwrite|pwrite64|ioctl|printf|fprintf|dprintf|puts|fputs|putchar|sprintf|snprintf|vsnprintf|__printf_chk|__fprintf_chk|__snprintf_chk|__vsnprintf_chk|__sprintf_chk|time|clock_gettime|gettimeofday|localtime|localtime_r|gmtime|gmtime_r|getenv|secure_getenv|getrandom|rand|random|system|socket|exit|abort'
status=0
for library in "$@"; do
	[ -s "$library" ] || {
		echo "$library is missing" >&2
		exit 1
	}
	found=$(nm -u "$library" 2>/dev/null | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort -u |
		grep -Ex "$forbidden" || :)
	case $library in
	*judge*) ;; # allocates its result
	*)
		more=$(nm -u "$library" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u |
			grep -Ex 'malloc|calloc|realloc|free|strdup' || :)
		found="$found $more"
		;;
	esac
	for symbol in $found; do
		echo "$(basename "$library") uses $symbol" >&2
		status=1
	done
done
exit $status
