#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs as /init inside the guest: the program on the kernel's own mmc and nvme drivers. What it says
# is written to the drive "results" as a tar; check.sh, on the host, judges it. PCI slots, as run.sh
# fills them: 10 a sound card, 11 a counterfeit, 12 a slow card, 14 an NVMe drive, 15 the drive
# "results", with a second namespace, 16 a USB controller with a stick, 17 one with a reader of two
# slots, 18 a drive that could have several controllers, 19 nothing, 1a to 1d counterfeits of other
# kinds. One sector of the reader's first card and one of the drive in 18 cannot be read.
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ LC_ALL=C NO_COLOR=1 CARDASSAY_CONFIG=/dev/null
mkdir -p /proc /sys /dev /tmp /results
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug
exec >/dev/ttyS0 2>&1 </dev/null
while read -r module; do
	insmod "/modules/$module.ko"
done </modules/order

say()
{
	echo "@ $* ($(cut -d ' ' -f 1 /proc/uptime) s)"
}

# step NAME COMMAND...: leaves NAME.out, NAME.err and the exit code in NAME.code
step()
{
	name=$1
	shift
	code=0
	"$@" >"/results/$name.out" 2>"/results/$name.err" || code=$?
	echo "$code" >"/results/$name.code"
	say "$name: exit $code"
}

# slot NN: the kernel's names of the disks in the PCI slot NN. What could have several controllers
# has its node under another name: nvme2n1, not nvme2c2n1.
slot()
{
	for disk in /sys/devices/pci0000:00/0000:00:"$1".0/mmc_host/mmc*/mmc*/block/* \
		/sys/devices/pci0000:00/0000:00:"$1".0/nvme/nvme*/nvme*n* \
		/sys/devices/pci0000:00/0000:00:"$1".0/usb*/*/*/host*/target*/*/block/*; do
		[ ! -e "$disk/size" ] || basename "$disk" | sed 's/c[0-9]*n/n/'
	done
}

# until_it COMMAND...: waits until it succeeds
until_it()
{
	tries=300
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

has_disk()
{
	[ -n "$(slot "$1")" ] && [ -e "/dev/$(slot "$1" | tail -n 1)" ]
}

# appear NN...: waits until each slot has its disk
appear()
{
	for each; do
		until_it has_disk "$each" || say "nothing appeared in slot $each"
	done
}

# word NAME: the confirm word that list shows for it
word()
{
	cardassay list | sed -n "/\/dev\/$1 /,/--erase=/s/.*--erase=//p"
}

overlaid='cid csd scr ssr name serial'

# lend CARD NAME: recorded registers over those of the card, where the kernel shows them
lend()
{
	mount --bind "/cards/$1/size" "/sys/block/$2/size"
	for register in $overlaid; do
		mount --bind "/cards/$1/$register" "/sys/block/$2/device/$register"
	done
}

take_back()
{
	umount "/sys/block/$1/size"
	for register in $overlaid; do
		umount "/sys/block/$1/device/$register"
	done
}

checking()
{
	for kind in sd nvme usb; do
		case $kind in
		sd) device=$sound ;;
		nvme) device=$drive ;;
		usb) device=$stick ;;
		esac
		step selfcheck-$kind cardassay selfcheck "/dev/$device"
		step selfcheck-$kind-json cardassay selfcheck --format=json "/dev/$device"
	done
}

reading()
{
	step list cardassay list
	step list-json cardassay list --format=json
	step inspect-sd cardassay inspect "/dev/$sound"
	step sd cardassay inspect --format=json "/dev/$sound"
	step inspect-nvme cardassay inspect "/dev/$drive"
	step nvme cardassay inspect --format=json "/dev/$drive"
	step nvme-controller cardassay inspect --format=json "/dev/${drive%n1}"
	step usb cardassay inspect --format=json "/dev/$stick"
	step vendor cardassay inspect --vendor-health --format=json "/dev/$sound"
	step vendor-usb cardassay inspect --vendor-health --format=json "/dev/$stick"
	step vendor-nvme cardassay inspect --vendor-health --format=json "/dev/$drive"
	step mmc-commands mmc_commands "/dev/$sound"
	cat "/sys/block/$sound/device/ssr" >/results/kernel-ssr
	for kind in sd nvme; do
		device=$sound
		[ $kind = sd ] || device=$drive
		step capture-$kind cardassay capture "/dev/$device" -o /tmp/captured-$kind
		step captured-$kind cardassay inspect --format=json /tmp/captured-$kind
	done
}

lent()
{
	for card in sandisk endurance kingston longsys; do
		lend $card "$sound"
		step lent-$card cardassay inspect "/dev/$sound" -o /results/lent-$card.json
		take_back "$sound"
	done
	step sd-again cardassay inspect --format=json "/dev/$sound"
}

# As taken anew by its host between the writing and the reading back: the driver lets it go and
# takes it again.
writing()
{
	step certify cardassay certify "/dev/$sound" --erase="$(word "$sound")" --seconds=1 \
		--reinit -o /results/certify.json --progress=none
	step certify-nvme cardassay certify "/dev/$drive" --erase=CA00001 --seconds=1 --reinit \
		-o /results/certify-nvme.json --progress=none
}

counterfeit()
{
	step fake cardassay certify "/dev/$fake" --erase="$(word "$fake")" -o /results/fake.json \
		--progress=none
}

# Kinds of counterfeit, each a card of its own.
recipes()
{
	for row in 1a 1b 1c 1d; do
		device=$(slot $row)
		step recipe-$row cardassay fill "/dev/$device" --erase="$(word "$device")" --map-all \
			-o /results/recipe-$row.json --progress=none
	done
}

# A machine with other work slows the emulated one, and then it is measured again. $slow_iops comes
# from the kernel's command line.
measuring()
{
	for try in 1 2 3; do
		step speed cardassay speed "/dev/$slow" --only=random-read --seconds=12 --label=A1 \
			-o /results/speed.json --progress=none
		found=$(sed -n 's/.*"milliiops": \([0-9]*\).*/\1/p' /results/speed.json | head -n 1)
		[ "${found:-0}" -lt $((slow_iops * 970)) ] || break
		say "measured $found milli-IOPS at try $try"
	done
}

# As the write protect switch of a card does it.
protecting()
{
	echo 1 >"/sys/block/$slow/force_ro"
	step locked cardassay fill "/dev/$slow" --erase=0xdeadbeef
	step list-locked cardassay list --format=json
	echo 0 >"/sys/block/$slow/force_ro"
}

# One sector cannot be read. These may not be let go of: a reader, a drive with another namespace,
# and one that could have another controller.
failing()
{
	step reinit-usb cardassay fill "/dev/$lun0" --erase="$(word "$lun0")" --reinit
	step reinit-two cardassay fill "/dev/$second" --erase="$(word "$second")" --reinit
	step reinit-shared cardassay fill "/dev/$faulty" --erase="$(word "$faulty")" --reinit
	step bad-usb cardassay fill "/dev/$lun0" --erase="$(word "$lun0")" -o /results/bad-usb.json \
		--progress=none
	step bad-nvme cardassay fill "/dev/$faulty" --erase="$(word "$faulty")" \
		-o /results/bad-nvme.json --progress=none
	dmesg >/results/dmesg-bad
}

# while_moving NAME DISK MIB ACTION COMMAND...: does the action once the command moved so much of
# the disk
while_moving()
{
	moving=$1
	stat=/sys/block/$2/stat
	enough=$(($3 * 2048))
	action=$4
	shift 4
	moved=$(awk '{ print $3 + $7 }' "$stat")
	"$@" >"/results/$moving.out" 2>"/results/$moving.err" &
	run=$!
	while kill -0 $run 2>/dev/null &&
		[ $(($(awk '{ print $3 + $7 }' "$stat") - moved)) -lt $enough ]; do
		sleep 0.1
	done
	$action
	code=0
	wait $run || code=$?
	echo $code >"/results/$moving.code"
	say "$moving: exit $code"
}

# monitor COMMAND...: run.sh tells QEMU
monitor()
{
	say "monitor $*"
}

host_driver=/sys/bus/pci/drivers/sdhci-pci

is_unbound()
{
	[ ! -e $host_driver/0000:00:10.0 ]
}

# Another card is put in while no driver looks: what the program writes to `bind` is passed on when
# it is there. A list made meanwhile knows nothing of the slot.
swap()
{
	until_it is_unbound || say "the driver keeps the host"
	monitor change sound other raw
	step list-unbound cardassay list
	sleep 1
	umount -l $host_driver/bind
	cat /tmp/bind >$host_driver/bind
}

swapping()
{
	sound=$(slot 10)
	mkfifo /tmp/bind
	mount --bind /tmp/bind $host_driver/bind
	while_moving swapped "$sound" 0 swap cardassay fill "/dev/$sound" \
		--erase="$(word "$sound")" --reinit -o /results/swapped.json --progress=none
}

# A command that the card does not know ends in a timeout, which the host counts.
disturb()
{
	mmc_commands "/dev/$sound" >/dev/null
}

disturbing()
{
	sound=$(slot 10)
	awk '{ print $7 }' "/sys/block/$sound/stat" >/results/swapped.writes
	while_moving disturbed "$sound" 1 disturb cardassay fill "/dev/$sound" \
		--erase="$(word "$sound")" --reinit -o /results/disturbed.json --progress=none
	step list-swapped cardassay list --format=json
}

pulling()
{
	while_moving pulled "$slow" 8 'monitor eject -f slow' cardassay fill "/dev/$slow" \
		--erase="$(word "$slow")" -o /results/pulled.json --progress=none
	while_moving pulled-usb "$stick" 8 'monitor device_del stick' cardassay fill \
		"/dev/$stick" --erase="$(word "$stick")" -o /results/pulled-usb.json --progress=none
	step list-pulled cardassay list --format=json
}

is_empty()
{
	grep -qx 0 "/sys/block/$lun0/size"
}

is_other()
{
	grep -qx 65536 "/sys/block/$lun0/size"
}

# Cards and drives come back, others than before, and one leaves while it is filled.
putting_in()
{
	monitor change slow back raw
	appear 12
	monitor drive_add 0 if=none,id=usb-back,format=raw,file=usb-back
	monitor device_add usb-storage,bus=sticks.0,port=2,id=stick2,drive=usb-back,serial=STICK2
	appear 16
	monitor eject -f lun0
	until_it is_empty || say "the reader keeps its card"
	step list-empty cardassay list --format=json
	monitor change lun0 lun0-back raw
	until_it is_other || say "the reader does not see its other card"
	step list-back cardassay list --format=json
	monitor drive_add 0 if=none,id=plugged,format=raw,file=plugged
	monitor device_add nvme,addr=0x19,id=plugged,drive=plugged,serial=CA00003
	appear 19
	plugged=$(slot 19)
	while_moving pulled-nvme "$plugged" 4 'monitor device_del plugged' cardassay fill \
		"/dev/$plugged" --erase="$(word "$plugged")" -o /results/pulled-nvme.json \
		--progress=none
}

pulling_while_reading()
{
	while_moving pulled-reading "$sound" 1 'monitor eject -f sound' cardassay speed \
		"/dev/$sound" --only=random-read --seconds=60 -o /results/pulled-reading.json \
		--progress=none
}

is_waiting()
{
	grep -q 'waiting for cards' /results/station.err
}

# Everything that leaves and appears meanwhile is told.
watched()
{
	cardassay station --inspect --format=json >/results/station.out 2>/results/station.err &
	station=$!
	until_it is_waiting || say "the station does not begin"
	"$@"
	sleep 1
	kill $station
	code=0
	wait $station || code=$?
	echo $code >/results/station.code
	say "station: exit $code"
}

moving()
{
	pulling
	putting_in
	pulling_while_reading
}

say begin
appear 10 11 12 14 15 16 17 18 1a 1b 1c 1d
sound=$(slot 10)
fake=$(slot 11)
slow=$(slot 12)
drive=$(slot 14)
stick=$(slot 16)
lun0=$(slot 17 | sed -n 1p)
results=$(slot 15 | sed -n 1p)
second=$(slot 15 | sed -n 2p)
faulty=$(slot 18)
say "up: $sound $fake $slow $drive $stick $lun0 $second $faulty"
dmesg >/results/dmesg
checking
reading
lent
measuring
protecting
(counterfeit) &
(recipes) &
(failing) &
writing
swapping
disturbing
wait
watched moving
tar -c -C /results . | dd of="/dev/$results" bs=64k conv=fsync 2>/dev/null
say end
poweroff -f
