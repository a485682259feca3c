#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs as /init inside the guest: the program on the kernel's own mmc and nvme drivers. What it says is
# written to the drive "results" as a tar; run.sh, on the host, judges it. PCI slots, as run.sh fills
# them: 10 a sound card, 11 a counterfeit, 12 a slow card, 14 an NVMe drive, 15 the drive
# "results", 16 a USB controller with a stick.
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

# slot NN: the kernel's name of the disk in the PCI slot NN
slot()
{
	for disk in /sys/devices/pci0000:00/0000:00:"$1".0/mmc_host/mmc*/mmc*/block/* \
		/sys/devices/pci0000:00/0000:00:"$1".0/nvme/nvme*/nvme*n* \
		/sys/devices/pci0000:00/0000:00:"$1".0/usb*/*/*/host*/target*/*/block/*; do
		[ ! -e "$disk/size" ] || basename "$disk"
	done
}

# appear NN...: waits until each slot has its disk
appear()
{
	tries=600
	for each; do
		until [ -n "$(slot "$each")" ] && [ -e "/dev/$(slot "$each")" ]; do
			tries=$((tries - 1))
			[ "$tries" -gt 0 ] || return 1
			sleep 0.1
		done
	done
}

# word NAME: the confirm word that list shows for it
word()
{
	cardassay list | sed -n "/^\/dev\/$1 /,/--erase=/s/.*--erase=//p"
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

reading()
{
	step list cardassay list
	step inspect-sd cardassay inspect "/dev/$sound"
	step sd cardassay inspect --format=json "/dev/$sound"
	step inspect-nvme cardassay inspect "/dev/$drive"
	step nvme cardassay inspect --format=json "/dev/$drive"
	step nvme-controller cardassay inspect --format=json "/dev/${drive%n1}"
	step usb cardassay inspect --format=json "/dev/$stick"
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
	for card in sandisk kingston longsys; do
		lend $card "$sound"
		step lent-$card cardassay inspect "/dev/$sound" -o /results/lent-$card.json
		take_back "$sound"
	done
	step sd-again cardassay inspect --format=json "/dev/$sound"
}

writing()
{
	step certify cardassay certify "/dev/$sound" --erase="$(word "$sound")" --seconds=2 \
		-o /results/certify.json --progress=none
	step certify-nvme cardassay certify "/dev/$drive" --erase=CA00001 --seconds=2 \
		-o /results/certify-nvme.json --progress=none
}

counterfeit()
{
	step fake cardassay certify "/dev/$fake" --erase="$(word "$fake")" -o /results/fake.json \
		--progress=none
}

measuring()
{
	step speed cardassay speed "/dev/$slow" --only=random-read --seconds=12 --label=A1 \
		-o /results/speed.json --progress=none
}

# As the write protect switch of a card does it.
protecting()
{
	echo 1 >"/sys/block/$slow/force_ro"
	step locked cardassay fill "/dev/$slow" --erase=0xdeadbeef
	step list-locked cardassay list --format=json
	echo 0 >"/sys/block/$slow/force_ro"
}

# pull NAME DISK MIB MONITOR-COMMAND COMMAND...: the device goes away once so much of it was moved
pull()
{
	name=$1
	stat=/sys/block/$2/stat
	enough=$(($3 * 2048))
	leave=$4
	shift 4
	moved=$(awk '{ print $3 + $7 }' "$stat")
	"$@" >"/results/$name.out" 2>"/results/$name.err" &
	run=$!
	while kill -0 $run 2>/dev/null &&
		[ $(($(awk '{ print $3 + $7 }' "$stat") - moved)) -lt $enough ]; do
		sleep 0.1
	done
	say "monitor $leave"
	code=0
	wait $run || code=$?
	echo $code >"/results/$name.code"
	say "$name: exit $code"
}

pulling()
{
	pull pulled "$slow" 8 'eject -f slow' cardassay fill "/dev/$slow" --erase="$(word "$slow")" \
		-o /results/pulled.json --progress=none
	pull pulled-usb "$stick" 8 'device_del stick' cardassay fill "/dev/$stick" \
		--erase="$(word "$stick")" -o /results/pulled-usb.json --progress=none
	step list-pulled cardassay list
}

pulling_while_reading()
{
	disk=$(slot 10)
	pull pulled-reading "$disk" 1 'eject -f sound' cardassay speed "/dev/$disk" \
		--only=random-read --seconds=60 -o /results/pulled-reading.json --progress=none
}

# The driver lets go of the sound card's host and takes it again: another card to the kernel.
rebinding()
{
	echo 0000:00:10.0 >/sys/bus/pci/drivers/sdhci-pci/unbind
	step list-unbound cardassay list
	echo 0000:00:10.0 >/sys/bus/pci/drivers/sdhci-pci/bind
	appear 10 || say "no card after the driver took its host again"
	step list-rebound cardassay list
	step sd-rebound cardassay inspect --format=json "/dev/$(slot 10)"
}

appear 10 11 12 14 15 16 || say "not every disk appeared"
sound=$(slot 10)
fake=$(slot 11)
slow=$(slot 12)
drive=$(slot 14)
stick=$(slot 16)
say "up: $sound $fake $slow $drive $stick"
dmesg >/results/dmesg
reading
lent
measuring
protecting
(counterfeit) &
writing
wait
pulling
rebinding
pulling_while_reading
tar -c -C /results . | dd of="/dev/$(slot 15)" bs=64k conv=fsync 2>/dev/null
say end
poweroff -f
