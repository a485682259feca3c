# SPDX-License-Identifier: BSD-2-Clause
# A capture says the same as the device, as a directory, as a tar archive and in gzip.
command -v jq >/dev/null || exit 77
findings()
{
	"$CARDASSAY" inspect "$@" --format json | jq -S '.findings, .identity, .claims'
}
while read -r machine disk; do
	rm -rf card card.tar card.tar.gz
	findings --sysroot "$FIXTURES/sysfs/$machine" "/dev/$disk" >device
	"$CARDASSAY" capture --sysroot "$FIXTURES/sysfs/$machine" "/dev/$disk" -o card >/dev/null
	tar -cf card.tar card
	tar -czf card.tar.gz card
	for target in card card.tar card.tar.gz; do
		findings "$target" >recorded
		cmp device recorded && echo "$machine $disk: $target says the same"
	done
done <<END
pi4 mmcblk0
pc mmcblk0
pc nvme0n1
pc sdb
END
# several cards in one archive, and one that is damaged
cp -r "$FIXTURES/cards/C0001" "$FIXTURES/cards/C0006" .
tar -cf cards.tar C0001 C0006
"$CARDASSAY" inspect cards.tar | grep '^  device'
head -c 3000 cards.tar | "$CARDASSAY" inspect -
echo "-> $?"
gzip -c cards.tar | head -c 200 | "$CARDASSAY" inspect -
echo "-> $?"
