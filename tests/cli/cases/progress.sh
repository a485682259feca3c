# SPDX-License-Identifier: BSD-2-Clause
# --progress: JSON lines keep to the card's clock, so they are the same in every run.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" 2>&1 >/dev/null
	echo "-> $?"
}
lines()
{
	grep -e '^\$' -e '^{' -e '^->'
}
t fill sim:announced=96M,write-rate=10M,read-rate=20M --progress=json | lines
# a map with its holes
t fill sim:announced=64M,real=24M,kind=limbo --map-all --progress=json | lines
t speed sim:announced=1G --only=random-read --seconds=3 --progress=json | lines
t fill sim:announced=8M --progress=none | lines
# drawn: two lines, with the cursor sent back
LC_ALL=C "$CARDASSAY" fill sim:announced=8M --progress=tty 2>&1 >/dev/null | tail -n 2 |
	tr '\033\r' '^<' | sed 's/.*<\(.*\)/\1/'
LC_ALL=C.UTF-8 "$CARDASSAY" fill sim:announced=8M --progress=tty --color=always 2>&1 >/dev/null |
	tail -n 2 | tr '\033\r' '^<' | sed 's/.*<\(.*\)/\1/'
