# SPDX-License-Identifier: BSD-2-Clause
# The health page of a card's maker: shown, judged, captured and masked; who cannot be asked.
page()
{
	sed -n '/^Health page/,/^$/p'
}
rules=$FIXTURES/rules
"$CARDASSAY" inspect "$rules/VENDOR-HEALTH/fires.txt" >text
page <text
grep -o 'cmd56: .*' text
mkdir card
sed -n 's/^card\/cid://p' "$rules/VENDOR-MAKER/fires.txt" >card/cid
sed -n 's/^card\/cmd56_00000001://p' "$rules/VENDOR-MAKER/fires.txt" >card/cmd56_1
echo timeout >card/cmd56_110005fb
"$CARDASSAY" capture card -q -o kept
cmp card/cmd56_1 kept/cmd56_00000001
cat kept/cmd56_110005fb
"$CARDASSAY" inspect kept | grep -o 'cmd56: .*'
"$CARDASSAY" inspect --fields kept | grep '^cmd56.*life'
"$CARDASSAY" inspect --format json card | grep -o '"vendor_health.data"'
"$CARDASSAY" inspect --format json -q card | grep -o '"vendor_health.data"'
truncate -s 1M card.img
"$CARDASSAY" inspect --vendor-health image:card.img | page
"$CARDASSAY" inspect --vendor-health --format json sim:fake-128g | grep -o '"not_asked_because".*'
rm card/cmd56_1 card/cmd56_110005fb
"$CARDASSAY" inspect card | page
"$CARDASSAY" inspect --vendor-health card | page
"$CARDASSAY" capture image:card.img --vendor-health -o none
echo 7058 >card/cmd56_1
"$CARDASSAY" inspect card
"$CARDASSAY" certify --vendor-health image:card.img
