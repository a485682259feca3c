# SPDX-License-Identifier: BSD-2-Clause
# Keys, signatures, what verify says of them, and the stock minisign when it is here.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@" 2>&1 | grep -v '^Signature    good'
	echo
}
v()
{
	echo "\$ cardassay verify $1 ${2+--pubkey}"
	"$CARDASSAY" verify "$@" >out 2>&1
	echo "-> $?"
	head -n 1 out
	sed -n 's/^Signature *\([a-zA-Z]*\).*/signature \1/p; s/^Judged again *\([a-zA-Z ]*\).*/judged \1/p' out
}
t keygen shop
ls -l shop.key shop.pub | cut -c1-10
"$CARDASSAY" keygen shop
echo "-> $? (never replaces a key)"
"$CARDASSAY" fill sim:announced=8M --progress=none --sign=shop.key -o card.json >/dev/null 2>&1
echo "fill -> $?"
v card.json
v card.json --pubkey=shop.pub
v card.json --pubkey="$(tail -n 1 shop.pub)"
t keygen other
v card.json --pubkey=other.pub
sed 's/"good_bytes": 8388608/"good_bytes": 8388096/' card.json >changed.json
cmp -s card.json changed.json && echo 'nothing was changed'
v changed.json
cp card.json.minisig changed.json.minisig
v changed.json --pubkey=shop.pub
if command -v minisign >/dev/null; then
	minisign -V -q -p shop.pub -m card.json
	minisign_says=$?
else
	minisign_says=0
fi
echo "minisign -> $minisign_says"
# Words that the judge does not read are held against the evidence too.
sed 's/"headline": "[A-Z]*/"headline": "\\u001b[2J\\u009bSTERLING/' card.json >forged.json
v forged.json
sed -n 's/^Says *//p' out
sed 's/"outcome": "pass"/"outcome": "fail"/' card.json >forged.json
v forged.json
# Words differ from one version of the rule tables to the next; outcomes must not.
elder()
{
	sed -e 's/"specs_sha256": "[0-9a-f]*/"specs_sha256": "'"$(printf %064d 7)"'/' -e "$1" card.json >elder.json
	"$CARDASSAY" verify elder.json --format=json >out
	echo "$2 -> $?"
	sed -n 's/^ *"agrees_in": //p' out
}
elder 's/"why": "[A-Z]/"why": "In other words, /' 'other words'
elder 's/"headline": "[A-Z]*/"headline": "STERLING/' 'another headline'
elder 's/"outcome": "pass"/"outcome": "fail"/; s/"verdict": "pass"/"verdict": "fail"/' 'another outcome'
v elder.json
