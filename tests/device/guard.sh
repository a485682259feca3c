#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Nothing is ever written to the wrong device: every refusal is exit 3 with its reason, and not one
# byte of the device has changed.
set -eu
. "$(dirname "$0")/lib.sh"
need_loop 200
size=$((64 * 1048576))
# Mount points below /tmp: one below /dev or /var counts as the system's own, for --unmount too.
points=$(mktemp -d /tmp/cardassay-test-XXXXXX)
dirs=$points

# A device of random content in $work/NAME; its loop device in $loop.
random_device()
{
	head -c $size /dev/urandom >"$work/$1"
	attach "$work/$1"
}

# refused FILE TEXT... -- COMMAND...: exit 3, says why, writes nothing.
refused()
{
	file=$1
	shift
	reasons=
	while [ "$1" != -- ]; do
		reasons="$reasons$1
"
		shift
	done
	shift
	before=$(checksum "$file")
	expect 3 "$@"
	printf %s "$reasons" | while IFS= read -r reason; do
		grep -qiF -e "$reason" "$work/out" || exit 1
	done || fail "the output does not give the reason: $reasons"
	[ "$(checksum "$file")" = "$before" ] || fail "the device was written to: $*"
}

certify()
{
	device=$1
	shift
	set -- "$CARDASSAY" certify "$device" --seconds 1 --progress none -o "$work/never.json" "$@"
	"$@"
}

# Without the word, or with a wrong one.
random_device words
confirm=$(word "$loop")
refused "$work/words" "$confirm" -- certify "$loop"
refused "$work/words" -- certify "$loop" --erase=wrong
refused "$work/words" -- certify "$loop" --erase="${confirm}0"
refused "$work/words" -- certify "$loop" --erase="$(echo "$confirm" | tr '[:lower:]' '[:upper:]')"
refused "$work/words" -- certify "$loop" --erase=yes
expect 64 certify "$loop" --erase=
expect 3 "$CARDASSAY" fill "$loop" --erase=wrong --progress none
expect 3 "$CARDASSAY" speed "$loop" --erase=wrong --progress none
[ ! -e "$work/never.json" ] || fail "a refused run left a certificate"
detach "$loop"

# An image: not while a loop device works on it, by whatever name.
random_device image
ln -s image "$work/link"
ln "$work/image" "$work/second"
for name in image link second; do
	refused "$work/image" "held by the loop device $loop" -- \
		certify "image:$work/$name" --unmount --erase="$name-$size"
done
refused "$work/image" "write just $loop" -- certify "image:$loop" --erase="$(word "$loop")"
detach "$loop"
expect 0 "$CARDASSAY" fill "image:$work/image" --erase="image-$size" --progress none
rm "$work/image" "$work/link" "$work/second"

# Read-only.
head -c $size /dev/urandom >"$work/read-only"
attach "$work/read-only" -r
refused "$work/read-only" "read-only" -- certify "$loop" --erase="$(word "$loop")"
detach "$loop"

# No medium: a size of 0.
: >"$work/empty"
if attach "$work/empty"; then
	expect 3 certify "$loop" --erase="$(word "$loop")"
	detach "$loop"
fi

# Mounted, by itself and by a partition; --unmount is for a confirmed device only.
if command -v mkfs.ext4 >/dev/null; then
	random_device mounted
	mkfs.ext4 -q -F "$loop"
	mkdir -p "$points/volume"
	mount "$loop" "$points/volume" || skip "needs to mount ext4"
	mounts="$points/volume"
	head -c 100000 /dev/urandom >"$points/volume/data"
	sync -f "$points/volume"
	data=$(checksum "$points/volume/data")
	for try in 1 2; do
		expect 3 certify "$loop" --erase="$(word "$loop")"
		grep -qiF mounted "$work/out" || fail "does not say that it is mounted"
		says "$points/volume"
		# twice: once more with the directory bound elsewhere and the first mount gone
		[ "$try" -eq 2 ] || {
			mkdir "$points/bound"
			mount --bind "$points/volume" "$points/bound"
			umount "$points/volume"
			mount --move "$points/bound" "$points/volume" 2>/dev/null ||
				mount --bind "$points/bound" "$points/volume"
			mounts="$points/volume $points/bound"
		}
	done
	expect 3 certify "$loop" --unmount --erase=wrong
	grep -qF "$points/volume" /proc/self/mounts || fail "a wrong word has unmounted"
	[ "$(checksum "$points/volume/data")" = "$data" ] || fail "a mounted device was written to"
	umount "$points/bound" 2>/dev/null || :
	umount "$points/volume"
	mkdir "$work/system"
	mount -o ro "$loop" "$work/system"
	mounts="$work/system"
	case $work in
	/dev/* | /var/*)
		refused "$work/mounted" mounted -- certify "$loop" --unmount --erase="$(word "$loop")"
		grep -qF "$work/system" /proc/self/mounts || fail "a system volume was unmounted"
		;;
	esac
	umount "$work/system"
	mount -o ro "$loop" "$points/volume"
	mounts="$points/volume"
	refused "$work/mounted" mounted -- certify "$loop" --erase="$(word "$loop")"
	# it may be unmounted, and what is on it is refused by itself
	expect 3 certify "$loop" --unmount --erase="$(word "$loop")"
	says "there are files on $loop. Found: ext4"
	expect 0 certify "$loop" --unmount --erase="$(word "$loop")" --erase-files
	! grep -qF "$points/volume" /proc/self/mounts || fail "--unmount has not unmounted"
	mounts=
	detach "$loop"
	rm -f "$work/never.json"
else
	echo "not tried: mounted devices (no mkfs.ext4)"
fi

# A partition is refused with the whole disk's name: one DOS partition, sector 2048 to the end.
random_device disk
{
	head -c 446 /dev/zero
	printf '\000\000\002\000\203\377\377\377\000\010\000\000\000\370\001\000'
	head -c 48 /dev/zero
	printf '\125\252'
} | dd of="$loop" bs=512 count=1 conv=notrunc status=none
detach "$loop"
attach "$work/disk" -P
part=${loop}p1
# A kernel that knows no DOS tables takes a partition by ioctl.
[ -b "$part" ] || addpart "$loop" 1 2048 $((size / 512 - 2048)) 2>/dev/null || :
if [ -b "$part" ]; then
	refused "$work/disk" partition "$loop" -- certify "$part" --erase="$(word "$part")"
	if command -v mkfs.ext4 >/dev/null; then
		mkfs.ext4 -q -F "$part"
		mkdir -p "$points/volume"
		mount -o ro "$part" "$points/volume"
		mounts="$points/volume"
		refused "$work/disk" "$points/volume" -- certify "$loop" --erase="$(word "$loop")"
		umount "$points/volume"
		mounts=
	fi
else
	echo "not tried: partitions (this kernel makes none on loop devices)"
fi
detach "$loop"

# Swap.
random_device swap
mkswap "$loop" >/dev/null
if swapon "$loop" 2>/dev/null; then
	found=0
	certify "$loop" --erase="$(word "$loop")" >"$work/out" 2>&1 </dev/null || found=$?
	swapoff "$loop"
	[ "$found" -eq 3 ] || fail "exit $found, not 3, on swap space"
	grep -qi swap "$work/out" || fail "does not say that it is swap space"
else
	echo "not tried: swap (swapon refuses a loop device here)"
fi
detach "$loop"

# Held by the device mapper.
random_device held
name=cardassay-test-$$
if command -v dmsetup >/dev/null &&
	dmsetup create "$name" --table "0 $((size / 512)) linear $loop 0" 2>/dev/null; then
	before=$(checksum "$work/held")
	found=0
	certify "$loop" --erase="$(word "$loop")" >"$work/out" 2>&1 </dev/null || found=$?
	dmsetup remove "$name"
	[ "$found" -eq 3 ] || fail "exit $found, not 3, on a device that dm holds"
	grep -q 'dm-\|device mapper\|held' "$work/out" || fail "does not name the holder"
	[ "$(checksum "$work/held")" = "$before" ] || fail "a held device was written to"
else
	echo "not tried: device mapper (not available here)"
fi
detach "$loop"

# Very small devices are no trouble: 8 sectors, and a size that is no multiple of a request.
for bytes in 4096 $((1048576 + 512)); do
	truncate -s $bytes "$work/small"
	attach "$work/small"
	expect 0 "$CARDASSAY" fill "$loop" --erase="$(word "$loop")" -o "$work/small.json" \
		--progress none
	holds "$work/small.json" good_bytes $bytes announced_bytes $bytes
	detach "$loop"
	rm "$work/small"
done

# Not there, and not a device.
expect 66 certify /dev/cardassay-none --erase=x
[ ! -e "$work/never.json" ] || fail "a refused run left a certificate"
