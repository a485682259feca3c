# SPDX-License-Identifier: BSD-2-Clause
# The table that reviewers print, on a card of known pace, and other tools' figures beside ours.
"$CARDASSAY" speed sim:announced=512M,read-iops=3200,write-iops=1200,read-rate=90M,write-rate=30M \
	--matrix --seconds 2 --progress none --all -o matrix.json 2>/dev/null |
	sed -n '/^Matrix/,/^Claims/p'
"$CARDASSAY" verify matrix.json >/dev/null
echo "verify -> $?"
"$CARDASSAY" speed sim:announced=512M,read-iops=3200,write-iops=1200,read-rate=90M,write-rate=30M \
	--like sdtest --progress none 2>/dev/null | sed -n '/^As other/,/^Claims/p'
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" 2>&1 >/dev/null
	echo "-> $?"
}
t speed sim:announced=512M --like dd --progress none | tail -n 3
t speed sim:announced=512M --like bonnie
t speed sim:announced=512M --matrix --like iozone
