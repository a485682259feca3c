# SPDX-License-Identifier: BSD-2-Clause
# An image is somebody's file: without its confirm word nothing is written, with it the run works.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" 2>&1
	echo "-> $?"
}
truncate -s 8M card.img
cksum card.img
t fill image:card.img --progress=none | grep -v '^  Writes'
cksum card.img
t fill image:card.img --erase=wrong --progress=none | grep -v '^  Writes'
cksum card.img
"$CARDASSAY" fill image:card.img --erase=card.img-8388608 --progress=none -o card.json >text 2>/dev/null
echo "-> $?"
grep -c . text | awk '{ print ($1 > 10 ? "a certificate" : "no certificate") }'
"$CARDASSAY" verify card.json | sed -n 's/^Origin/&/p; s/^Judged/&/p'
"$CARDASSAY" fill image:card.img --erase=card.img-8388608 --progress=none -o card.img 2>&1 | tail -n 1
