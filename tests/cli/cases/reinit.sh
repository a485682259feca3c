# SPDX-License-Identifier: BSD-2-Clause
# --reinit: done and said where it can be, refused before anything is written where it cannot.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" --progress=none 2>&1
	echo "-> $?"
}
show()
{
	grep -A 1 -e '^\$' -e '^->' -e 'before reading' -e '^PASS' -e '^FAIL' -e '^INCON' -e 'reinit'
}
t fill sim:announced=8M --reinit | show
t certify sim:announced=8M --reinit --seconds=1 --format=json | grep -e '"reinit"' -e '^->'
# the power stays on: a cache that lies goes on lying, and what was overrun is found
t fill sim:announced=16M,real=4M,kind=limbo,cache=1M --reinit | show
# gone with the end of the writing
t fill sim:announced=8M,gone-after=8M --reinit | show
truncate -s 8M card.img
cksum card.img
t fill image:card.img --erase=card.img-8388608 --reinit
cksum card.img
t speed sim:announced=8M --reinit
t inspect "$FIXTURES/cards/C0067" --reinit
