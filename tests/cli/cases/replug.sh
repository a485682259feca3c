# SPDX-License-Identifier: BSD-2-Clause
# --replug=ask on simulated cards, whose hands are simulated too, and refused where nothing can be heard.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" --progress=none 2>&1
	echo "-> $?"
}
show()
{
	grep -A 1 -e '^\$' -e '^->' -e 'before reading' -e '^PASS' -e '^FAIL' -e '^INCON' -e 'retention' \
		-e '^cardassay' -e 'the kernel said'
}
t fill sim:announced=8M --replug=ask --require=retention | show
t fill sim:announced=8M --replug=never | show
t fill sim:announced=8M --replug=ask --format=json | grep -e '"reinit"' -e '^->'
# what lies past the real size lasts until the power is cut
t fill sim:announced=16M,real=4M,kind=volatile --replug=ask | show
t fill sim:announced=16M,real=4M,kind=volatile --reinit | show
# dead, another card, or one of another size: nothing is written to those
t fill sim:announced=8M,replug=gone --replug=ask | show
t fill sim:announced=8M,replug=identity --replug=ask | show
t fill sim:announced=8M,replug=size --replug=ask | show
truncate -s 8M card.img
cksum card.img
t fill image:card.img --erase=card.img-8388608 --replug=ask
cksum card.img
t fill sim:announced=8M --replug=ask --reinit
t fill sim:announced=8M --replug=later
t speed sim:announced=8M --replug=ask
