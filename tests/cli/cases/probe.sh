# SPDX-License-Identifier: BSD-2-Clause
# The sparse check: a counterfeit named with its size, a sound card screened, and what is refused.
"$CARDASSAY" probe sim:fake-128g --progress=none -o fake.json
echo "-> $?"
"$CARDASSAY" certify sim:announced=1G,seed=3 --profile=quick --label 'Kingston 1GB' --progress=none \
	--format=json -o quick.json >shown.json
echo "-> $?"
cmp quick.json shown.json
for certificate in fake.json quick.json; do
	"$CARDASSAY" verify "$certificate" >verified
	echo "verify -> $?"
	head -n 1 verified
done
ls
echo '# usage'
"$CARDASSAY" certify sim:announced=1G --profile=quick --erase=WORD
echo "-> $?"
"$CARDASSAY" certify sim:announced=1G --confirm=WORD
echo "-> $?"
"$CARDASSAY" probe sim:announced=1G --erase=WORD
echo "-> $?"
truncate -s 1M card.img
"$CARDASSAY" probe image:card.img
echo "-> $?"
"$CARDASSAY" probe image:card.img --confirm=card.img-1048576 --journal=no-such-dir/journal --progress=none
echo "-> $?"
echo nothing >journal
"$CARDASSAY" restore journal image:card.img
echo "-> $?"
"$CARDASSAY" restore no-such-journal
echo "-> $?"
