#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The program on Debian's own kernel, on its mmc and nvme drivers, in a machine that QEMU emulates.
# The kernel comes out of its package, which is fetched once and never installed.
#   $CARDASSAY  the program   $CARDFUSE  the counterfeit file system   $MMC_COMMANDS  mmc_commands
#   $SIMFUSE    simulated cards as files
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../device/lib.sh"
. "$here/check.sh"
mib=1048576
fake_bytes=$((4096 * mib)) # an SDHC card; QEMU's sizes are powers of two
fake_real=$((24 * mib + 512))
slow_iops=100
# a wrap whose end is all in a memory, a lost end before one, a chain, a ring; sizes are QEMU's
recipe_1a=announced=4M,real=4096000,kind=wrap,cache=98816
recipe_1b=announced=4M,real=1500160,kind=limbo,limbo=ones,cache=128K
recipe_1c=announced=4M,wrap=1250304,real=750080,kind=chain
recipe_1d=announced=4M,real=768K,kind=ring
bad_sector=20001 # of 16 MiB: a drive and a reader cannot read it
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cardassay

# QEMU, and this program built for the kernel's processor
need_qemu()
{
	[ "$(uname -m)" = x86_64 ] || skip "needs an amd64 machine"
	for tool in qemu-system-x86_64 busybox cpio dpkg-deb apt-get apt-cache ldd jq; do
		command -v $tool >/dev/null || skip "needs $tool"
	done
	case $(od -An -tx1 -j18 -N2 "$CARDASSAY" | tr -d ' ') in
	3e00) ;;
	*) skip "needs the program built for amd64" ;;
	esac
}

need_room()
{
	for dir in "${TMPDIR:-/dev/shm}" /dev/shm /var/tmp; do
		free=$(df -Pk "$dir" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
		[ "${free:-0}" -ge "$1" ] || continue
		work=$(mktemp -d "$dir/cardassay-test-XXXXXX") && break
	done
	[ -n "$work" ] || skip "needs $1 MiB in \$TMPDIR, /dev/shm or /var/tmp"
	trap stop EXIT
	trap 'exit 1' INT TERM HUP PIPE
}

qemu=
stop()
{
	status=$?
	[ -z "$qemu" ] || kill "$qemu" 2>/dev/null || :
	set +e
	(exit "$status") # what cleanup ends with
	cleanup
}

# The versioned package behind the metapackage; not the cloud kernel, which has no mmc. Its name in $deb.
need_kernel()
{
	package=$(apt-cache depends linux-image-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9].*-amd64\)$/\1/p' | head -n 1)
	[ -n "$package" ] || skip "needs a package source with linux-image-amd64"
	mkdir -p "$cache"
	deb=$(find "$cache" -name "${package}_*.deb" | head -n 1)
	[ -z "$deb" ] || return 0
	mkdir "$work/deb"
	(cd "$work/deb" && apt-get download "$package" >"$work/out" 2>&1) ||
		skip "the kernel package $package cannot be fetched"
	find "$cache" -name 'linux-image-*.deb' -delete
	mv "$work/deb"/*.deb "$cache"
	deb=$(find "$cache" -name "${package}_*.deb")
}

# add_module NAME: copies the module, after those that it needs
add_module()
{
	file=$(find "$work/kernel/lib/modules" -name "$(echo "$1" | tr _- '??').ko")
	[ -n "$file" ] || return 0 # built in
	for needed in $(tr '\0' '\n' <"$file" | sed -n 's/^depends=//p' | tr , ' '); do
		(add_module "$needed")
	done
	cp "$file" "$root/modules"
	grep -qxF "$(basename "$file" .ko)" "$root/modules/order" ||
		basename "$file" .ko >>"$root/modules/order"
}

add_program()
{
	cp "$1" "$root/bin"
	ldd "$1" 2>/dev/null | tr ' \t' '\n\n' | grep '^/' | while read -r library; do
		mkdir -p "$root/$(dirname "$library")"
		cp -L "$library" "$root/$library"
	done
}

# add_card NAME DIR PRODUCT SERIAL BYTES: registers of a real card, as sysfs shows them
add_card()
{
	mkdir "$root/cards/$1"
	for register in cid csd scr ssr; do
		cp "$2/$register" "$root/cards/$1"
	done
	echo "$3" >"$root/cards/$1/name"
	echo "$4" >"$root/cards/$1/serial"
	echo $(($5 / 512)) >"$root/cards/$1/size"
}

# Of this card were published cid, csd and scr as they are, of its SSR only what it says: C10, U3,
# V30, A2. This one is composed: it says so too, as another A2 card does (AU of 4 MiB, queue of
# 32, cache), and nothing else.
compose_ssr()
{
	mkdir "$work/composed"
	cp "$1/cid" "$1/csd" "$1/scr" "$work/composed"
	printf '%016d04009000010f391e000800000002ff%082d\n' 0 0 >"$work/composed/ssr"
}

make_guest()
{
	root=$work/root
	mkdir -p "$work/kernel" "$root/bin" "$root/modules" "$root/cards"
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/kernel" --wildcards './boot/vmlinuz-*' \
		'*/kernel/block/*' '*/kernel/lib/*' '*/kernel/crypto/*' '*/kernel/arch/*' \
		'*/kernel/drivers/mmc/*' '*/kernel/drivers/nvme/host/*' '*/kernel/drivers/scsi/*' \
		'*/kernel/drivers/usb/*'
	: >"$root/modules/order"
	for module in crc64_rocksoft_generic mmc_block sdhci_pci nvme xhci_pci usb_storage sd_mod; do
		add_module $module
	done
	for program in "$(command -v busybox)" "$CARDASSAY" "$MMC_COMMANDS"; do
		add_program "$program"
	done
	recorded=$here/../../fixtures
	add_card sandisk "$recorded/cards/C0067" SC16G 0xecf4c851 15931539456
	compose_ssr "$recorded/cards/C0053"
	add_card endurance "$work/composed" SH32G 0x5bfeccd8 31914983424
	add_card kingston "$recorded/cards/C0070" SD64G 0x36980065 62277025792
	add_card longsys "$recorded"/sysfs/pi4/sys/devices/platform/emmc2bus/*/mmc_host/mmc0/mmc0:aaaa \
		USD00 0x1a2b3c4d 31914983424
	cp "$here/guest.sh" "$root/init"
	chmod +x "$root/init"
	(cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initrd"
}

# fuse_card DIR COMMAND...: waits for the file of a card
fuse_card()
{
	mkdir "$1"
	cards="$cards $1" # cleanup unmounts it
	tries=100
	shift
	"$@" 2>/dev/null &
	until [ -e "${cards##* }/card" ]; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || skip "needs FUSE: the file system does not come up"
		sleep 0.1
	done
}

fake_card()
{
	dir=$work/fake
	fuse_card "$dir" "$CARDFUSE" "$dir" "$work/fake.backing" $fake_bytes wrap $fake_real
}

# Rows of tests/simulated, each in a slot of its own.
row_cards()
{
	for row in 1a 1b 1c 1d; do
		eval settings="\$recipe_$row"
		fuse_card "$work/$row" "$SIMFUSE" "$work/$row" "$settings"
	done
}

# card NAME SLOT FILE [DRIVE OPTIONS]
card()
{
	set -- "$@" ''
	echo "-device sdhci-pci,id=host-$1,addr=0x$2
		-drive if=none,id=$1,format=raw,file=$3$4
		-device sd-card,bus=pci.0/host-$1/sd-bus,drive=$1"
}

# one_bad_sector FILE: what -drive says of a file of which one sector cannot be read
one_bad_sector()
{
	echo "format=raw,file.driver=blkdebug,file.image.driver=file,file.image.filename=$1"
	echo ",file.inject-error.0.event=none,file.inject-error.0.iotype=read"
	echo ",file.inject-error.0.sector=$bad_sector"
}

make_drives()
{
	truncate -s 16M "$work/sound"
	truncate -s 32M "$work/other"
	truncate -s 512M "$work/slow"
	truncate -s 512M "$work/back"
	truncate -s 32M "$work/drive"
	truncate -s 16M "$work/faulty"
	truncate -s 32M "$work/plugged"
	truncate -s 512M "$work/usb"
	truncate -s 32M "$work/usb-back"
	truncate -s 16M "$work/lun0"
	truncate -s 16M "$work/lun1"
	truncate -s 32M "$work/lun0-back"
	truncate -s 8M "$work/results" "$work/second"
	mkfifo "$work/monitor.in" "$work/monitor.out"
}

start_guest()
{
	: >"$work/console"
	# QEMU's card asks for each sector by itself: 8 of its operations are one of 4 KiB. The
	# files are named as the guest names them when it has another one put in.
	# shellcheck disable=SC2046 # lists of words
	(cd "$work" && exec timeout 600 qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 512 \
		-nodefaults -display none -no-reboot -bios qboot.rom \
		-kernel kernel/boot/vmlinuz-* -initrd initrd \
		-append "console=ttyS0 panic=-1 quiet mitigations=off slow_iops=$slow_iops" \
		-serial file:console \
		-chardev pipe,id=monitor,path=monitor,logfile=monitor.log -mon monitor \
		$(card sound 10 sound) $(card fake 11 "$dir/card") \
		$(card row-1a 1a 1a/card) $(card row-1b 1b 1b/card) \
		$(card row-1c 1c 1c/card) $(card row-1d 1d 1d/card) \
		$(card slow 12 slow ",throttling.iops-read=$((8 * slow_iops))") \
		-drive if=none,id=drive,format=raw,file=drive \
		-device nvme,addr=0x14,drive=drive,serial=CA00001 \
		-drive if=none,id=results,format=raw,file=results \
		-device nvme,addr=0x15,id=two,serial=RESULTS \
		-device nvme-ns,bus=two,nsid=1,shared=off,drive=results \
		-drive if=none,id=second,format=raw,file=second \
		-device nvme-ns,bus=two,nsid=2,shared=off,drive=second \
		-device qemu-xhci,id=sticks,addr=0x16 -drive if=none,id=usb,format=raw,file=usb \
		-device usb-storage,bus=sticks.0,port=1,id=stick,drive=usb,serial=STICK1 \
		-device qemu-xhci,id=readers,addr=0x17 \
		-device usb-bot,bus=readers.0,id=reader,serial=READER1 \
		-drive "if=none,id=lun0,$(one_bad_sector lun0 | tr -d '\n')" \
		-device scsi-hd,bus=reader.0,scsi-id=0,lun=0,id=lun0,drive=lun0,removable=on \
		-drive if=none,id=lun1,format=raw,file=lun1 \
		-device scsi-hd,bus=reader.0,scsi-id=0,lun=1,drive=lun1,removable=on \
		-device nvme-subsys,id=drives \
		-drive "if=none,id=faulty,$(one_bad_sector faulty | tr -d '\n')" \
		-device nvme,addr=0x18,id=one,subsys=drives,serial=CA00002 \
		-device nvme-ns,bus=one,nsid=1,drive=faulty >qemu 2>&1) &
	qemu=$!
}

# The emulator now and then hangs before the kernel says a word: that is tried once more.
has_started()
{
	tries=120
	until grep -q '^@ begin' "$work/console"; do
		tries=$((tries - 1))
		kill -0 "$qemu" 2>/dev/null && [ "$tries" -gt 0 ] || return 1
		sleep 1
	done
}

# Tells QEMU what the guest asks for: to pull out a card, to put another one in.
run_guest()
{
	told=0
	while kill -0 "$qemu" 2>/dev/null; do
		if [ "$(grep -c '^@ monitor ' "$work/console")" -gt $told ]; then
			told=$((told + 1))
			sed -n 's/^@ monitor \(.*\) (.*/\1/p' "$work/console" | sed -n "${told}p" \
				>"$work/monitor.in"
		fi
		sleep 0.2
	done
	wait "$qemu" || :
	qemu=
	cat "$work/qemu" "$work/console" >"$work/out"
	! grep -qi '^error' "$work/monitor.log" || fail "QEMU: $(grep -i '^error' "$work/monitor.log")"
	grep -q "^@ end " "$work/out" || fail "the guest did not come to its end"
	mkdir "$work/results.d"
	tar -x -C "$work/results.d" -f "$work/results"
}

need_qemu
need_room 900
need_fuse
[ -n "${SIMFUSE-}" ] || skip "needs libfuse3-dev, to build simfuse"
need_kernel
make_guest
fake_card
row_cards
make_drives
start_guest
if ! has_started && [ ! -s "$work/console" ]; then
	kill "$qemu" 2>/dev/null || :
	wait "$qemu" || :
	start_guest
	has_started || [ -s "$work/console" ] ||
		skip "the emulated machine does not boot here: $(tail -n 1 "$work/qemu")"
fi
run_guest
cat "$work/console"
check_results "$work/results.d"
