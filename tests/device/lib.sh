# SPDX-License-Identifier: BSD-2-Clause
# What the device tests share; sourced by them. Each test works in a directory of its own, detaches
# only loop devices it attached, and is skipped (77) with a line that says what is missing.
#   $CARDASSAY  the program   $CARDFUSE  the counterfeit file system, empty when not built

LC_ALL=C
CARDASSAY_CONFIG=/dev/null
NO_COLOR=1
export LC_ALL CARDASSAY_CONFIG NO_COLOR
: "${CARDASSAY:?the path of the program}"
work=
loops=
mounts=
cards=
dirs=

skip()
{
	echo "skipped: $*"
	exit 77
}

fail()
{
	echo "FAILED: $*" >&2
	[ ! -s "$work/out" ] || sed 's/^/  | /' "$work/out" >&2
	exit 1
}

cleanup()
{
	status=$?
	trap - EXIT INT TERM HUP PIPE
	for dir in $mounts; do
		umount "$dir" 2>/dev/null || :
	done
	for loop in $loops; do
		losetup -d "$loop" 2>/dev/null || :
	done
	for dir in $cards; do
		fusermount3 -u "$dir" 2>/dev/null || fusermount3 -u -z "$dir" 2>/dev/null || :
	done
	for dir in $work $dirs; do
		rm -rf --one-file-system "$dir"
	done
	exit "$status"
}

# need_loop MIB: root, a free loop device, and a directory with that much room ($work).
need_loop()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root, for loop devices"
	[ -e /dev/loop-control ] || skip "needs loop devices (/dev/loop-control)"
	command -v losetup >/dev/null || skip "needs losetup"
	for dir in "${TMPDIR:-/dev/shm}" /dev/shm /var/tmp; do
		free=$(df -Pk "$dir" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
		[ "${free:-0}" -ge $(($1 + 64)) ] || continue
		work=$(mktemp -d "$dir/cardassay-test-XXXXXX") && break
	done
	[ -n "$work" ] || skip "needs $1 MiB in \$TMPDIR, /dev/shm or /var/tmp"
	trap cleanup EXIT
	trap 'exit 1' INT TERM HUP PIPE
	truncate -s 1M "$work/try"
	attach "$work/try" || skip "needs a loop device that can be attached"
	detach "$loop"
	rm "$work/try"
}

need_fuse()
{
	[ -n "${CARDFUSE-}" ] || skip "needs libfuse3-dev, to build cardfuse"
	[ -e /dev/fuse ] || skip "needs FUSE (/dev/fuse)"
	command -v fusermount3 >/dev/null || skip "needs fusermount3"
}

# attach FILE [LOSETUP OPTION...]: a loop device over the file, its name in $loop. Some file systems
# refuse direct I/O for small or odd files: there it is of no matter, so it is tried without.
attach()
{
	file=$1
	shift
	loop=$(losetup -f --show --direct-io=on "$@" "$file" 2>/dev/null) ||
		loop=$(losetup -f --show "$@" "$file" 2>/dev/null) || return 1
	loops="$loops $loop"
}

detach()
{
	losetup -d "$1"
	kept=
	for each in $loops; do
		[ "$each" = "$1" ] || kept="$kept $each"
	done
	loops=$kept
}

# counterfeit NAME ANNOUNCED KIND [REAL [WRAP]]: a loop device over cardfuse, its name in $loop, the
# process of cardfuse in $card.
counterfeit()
{
	dir=$work/$1
	backing=$work/$1.backing
	shift
	mkdir "$dir"
	"$CARDFUSE" "$dir" "$backing" "$@" 2>/dev/null &
	card=$!
	cards="$cards $dir"
	tries=100
	until [ -e "$dir/card" ]; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || skip "needs FUSE: the file system does not come up"
		sleep 0.1
	done
	attach "$dir/card" || fail "no loop device over $dir/card"
}

remove_counterfeit()
{
	detach "$loop"
	fusermount3 -u "$dir"
	rm -f "$backing"
	wait "$card" || : # it ends when it is unmounted
}

# The confirm word, as the documentation builds it: NAME-BYTES for a device without a serial.
word()
{
	echo "${1#/dev/}-$(blockdev --getsize64 "$1")"
}

# expect CODE COMMAND...: runs it with its output in $work/out.
expect()
{
	code=$1
	shift
	found=0
	"$@" >"$work/out" 2>&1 </dev/null || found=$?
	[ "$found" -eq "$code" ] || fail "exit $found, not $code: $*"
}

# expect_when_free CODE COMMAND...: the same, once nobody holds the device: the ring of a program that
# was killed lets go of it a moment after the program is gone.
expect_when_free()
{
	wanted=$1
	shift
	tries=100
	while
		found=0
		"$@" >"$work/out" 2>&1 </dev/null || found=$?
		[ "$tries" -gt 0 ] && [ "$found" -eq 3 ] && grep -q 'in use by another program' "$work/out"
	do
		tries=$((tries - 1))
		sleep 0.05
	done
	[ "$found" -eq "$wanted" ] || fail "exit $found, not $wanted: $*"
}

# says TEXT...: each stands in what the last command printed.
says()
{
	for text; do
		grep -qF -e "$text" "$work/out" || fail "the output does not say: $text"
	done
}

# value KEY FILE: the first number or word of that name in a certificate.
value()
{
	sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1
}

# holds FILE KEY VALUE ...: the certificate has these.
holds()
{
	certificate=$1
	shift
	while [ $# -gt 0 ]; do
		found=$(value "$1" "$certificate")
		[ "$found" = "$2" ] || fail "$1 is '$found', not '$2', in the certificate"
		shift 2
	done
}

# valid FILE: the certificate can be read and judged again with the same result (10 = unsigned).
valid()
{
	[ -s "$1" ] || fail "no certificate"
	expect 10 "$CARDASSAY" verify "$1"
}

checksum()
{
	sha256sum "$1" | cut -d ' ' -f 1
}
