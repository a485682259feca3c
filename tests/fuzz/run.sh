#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds every fuzz target with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, and runs
# each for a while.
#   run.sh ROOT BUILD [TARGET...]
# CARDASSAY_FUZZ_SECONDS: how long each runs (15). CARDASSAY_FUZZ_JOBS: how many at once (nproc).
# What makes a target fail stays below BUILD/finds; a find becomes a file of tests/fuzz/corpus.
set -eu
root=$1
build=$2
shift 2
seconds=${CARDASSAY_FUZZ_SECONDS:-15}
jobs=${CARDASSAY_FUZZ_JOBS:-$(nproc)}
clang=${CLANG:-clang}
most_show=256 # bytes of a find that are shown

can_fuzz()
{
	command -v "$clang" >/dev/null || return 1
	printf '%s\n' '#include <stddef.h>' '#include <stdint.h>' \
		'int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) { (void)d; (void)n; return 0; }' \
		>"$build/probe.c"
	"$clang" -fsanitize=fuzzer,address,undefined "$build/probe.c" -o "$build/probe" 2>"$build/probe.log"
}

# one target, its line on stdout; what went wrong in BUILD/TARGET.failed
run_one()
{
	target=$1
	corpus=$build/corpus/$target
	finds=$build/finds/$target
	log=$build/$target.log
	temporary=$build/tmp/$target
	rm -rf "$finds" "$temporary" "$build/$target.failed"
	mkdir -p "$corpus" "$finds" "$build/seeds/$target" "$temporary" # the corpus grows from run to run
	sh "$root/tests/fuzz/seeds.sh" "$root" "$target" "$build/seeds/$target"
	set -- "$corpus" "$build/seeds/$target"
	[ ! -d "$root/tests/fuzz/corpus/$target" ] || set -- "$@" "$root/tests/fuzz/corpus/$target"
	code=0
	TMPDIR=$temporary ASAN_OPTIONS=quarantine_size_mb=64:allocator_may_return_null=1 \
		UBSAN_OPTIONS=print_stacktrace=1 \
		"$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 \
		-rss_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$finds/" "$@" \
		>"$log" 2>&1 || code=$?
	rm -rf "$temporary"
	executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
	result=good
	if [ "$code" -ne 0 ]; then
		result="FAILED ($code)"
		: >"$build/$target.failed"
	fi
	printf '%-14s %9s executions, %5s edges covered: %s\n' "$target" "${executions:-?}" \
		"${coverage:-?}" "$result"
}

explain_failure()
{
	target=$1
	echo "== $target: the log is $build/$target.log"
	grep -aE 'ERROR|SUMMARY|runtime error|^[^ ]*\.[ch]:[0-9]+: ' "$build/$target.log" | head -n 5 || :
	for find in "$build/finds/$target"/*; do
		[ -e "$find" ] || continue
		echo "$find, its first $most_show bytes:"
		od -An -v -tx1 -N "$most_show" "$find"
	done
}

mkdir -p "$build"
can_fuzz || {
	echo "skipped: clang with libFuzzer is not installed (Debian: clang, libclang-rt-14-dev)" >&2
	exit 77
}
cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER="$clang" -DCMAKE_BUILD_TYPE=Debug \
	-DCARDASSAY_TESTS=OFF -DCARDASSAY_FUZZ=ON -DCARDASSAY_SANITIZE=address,undefined >/dev/null
[ $# -gt 0 ] || {
	# shellcheck disable=SC2046 # a list of words
	set -- $(sed -n 's/^ca_fuzz(\([a-z_]*\) .*/\1/p' "$root/tests/fuzz/CMakeLists.txt")
}
programs=
for target; do
	programs="$programs fuzz_$target"
done
# shellcheck disable=SC2086 # a list of words
cmake --build "$build" --parallel "$(nproc)" --target $programs >"$build/build.log" 2>&1 || {
	tail -n 20 "$build/build.log" >&2
	echo "the fuzz targets do not build" >&2
	exit 1
}

running=0
for target; do
	run_one "$target" &
	running=$((running + 1))
	if [ "$running" -ge "$jobs" ]; then
		wait # all take the same time
		running=0
	fi
done
wait

status=0
for target; do
	[ -e "$build/$target.failed" ] || continue
	status=1
	explain_failure "$target"
done
exit $status
