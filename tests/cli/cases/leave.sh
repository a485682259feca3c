# SPDX-License-Identifier: BSD-2-Clause
# What is on a card before and after: an empty file system is put back, files are refused, and what is
# left is said.
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" --progress=none 2>&1
	echo "-> $?"
}
show()
{
	grep -e '^\$' -e '^->' -e '^  Afterwards' -e '^Left' -e '^PASS' -e '^FAIL' -e '^cardassay'
}
# put OFFSET: standard input goes there
put()
{
	dd of=card.img bs=1 seek="$1" conv=notrunc status=none
}
# A FAT12 volume without partitions: 4096 sectors, one a cluster, one FAT of twelve sectors. The first
# 14 sectors are all that an empty one needs.
make()
{
	rm -f card.img
	truncate -s 8M card.img
	printf '\353\074\220MSDOS5.0\000\002\001\001\000\001\020\000\000\020\370\014\000' | put 0
	printf '\125\252' | put 510
	printf '\370\377\377' | put 512
	printf 'MY CARD    \010' | put $((13 * 512))
}
head_sum()
{
	head -c $((14 * 512)) card.img | cksum
}
make
head_sum
t fill image:card.img --erase=card.img-8388608 | show
head_sum
make
t fill image:card.img --erase=card.img-8388608 --leave=format --format=json >out
grep -e '^cardassay' -e '^->' out
head_sum
make
t fill image:card.img --erase=card.img-8388608 --leave=pattern | show
make
t fill image:card.img --erase=card.img-8388608 --leave=erased | show
tr -d '\000' <card.img | wc -c
make
t speed image:card.img --erase=card.img-8388608 --only=seq-write | show
head_sum

# files, with names that would like to be more
make
printf 'README  TXT\040' | put $((13 * 512 + 32))
printf '\173\000\000\000' | put $((13 * 512 + 60))
printf 'EVIL\033[2J   \020' | put $((13 * 512 + 64))
printf '\370\377\377\377\017' | put 512
cksum card.img
t fill image:card.img --erase=card.img-8388608
t certify image:card.img --erase=card.img-8388608 --leave=erased | show
t speed image:card.img --erase=card.img-8388608 --only=seq-write | show
cksum card.img
t fill image:card.img --erase=card.img-8388608 --leave=format --erase-files | show
cksum card.img
t fill image:card.img --erase=card.img-8388608 --erase-files | show
t fill image:card.img --erase=card.img-8388608 | show

# nothing to put back
rm card.img
truncate -s 8M card.img
t fill image:card.img --erase=card.img-8388608 --leave=format
t fill sim:announced=8M --leave=format
t fill sim:announced=8M --leave=nothing
t inspect image:card.img --leave=erased
