# SPDX-License-Identifier: BSD-2-Clause
# Every field, one line each; several cards are told apart; nothing is judged.
"$CARDASSAY" inspect --fields "$FIXTURES/cards/C0070"
echo "-> $?"
# five columns in every line, whatever the card
for card in "$FIXTURES"/cards/[CD]*; do
	"$CARDASSAY" inspect --fields "$card"
done | awk -F '\t' 'NF != 5 { print "not five columns: " $0 } END { print (NR > 4000 ? "thousands of" : NR) " lines" }'
# several cards
"$CARDASSAY" inspect --fields "$FIXTURES/cards/C0070" "$FIXTURES/cards/C0061" | grep 'cid\.PNM'
cat "$FIXTURES/cards/C0070/cid" "$FIXTURES/cards/C0007/cid" | "$CARDASSAY" inspect --fields - | grep 'cid\.PSN'
# the serial is masked; the checksum says what it said
"$CARDASSAY" inspect --fields -q "$FIXTURES/cards/C0070" | grep -E 'cid\.(PSN|CRC)'
# extension registers as files beside the others
mkdir card
cp "$FIXTURES/cards/C0070/cid" "$FIXTURES/cards/C0070/type" card
printf '18\n' >card/ext_perf
printf '01\n' >card/ext_power
"$CARDASSAY" inspect --fields card | grep '^ext'
"$CARDASSAY" inspect card | sed -n '/^Extension/,/^$/p'
"$CARDASSAY" capture card -o copy && diff card/ext_perf copy/ext_perf && diff card/ext_power copy/ext_power
printf '1\n' >card/ext_perf
"$CARDASSAY" inspect card
echo "-> $?"
# what it does not go with, and what has no registers
"$CARDASSAY" inspect --fields -o out.json "$FIXTURES/cards/C0070"
echo "-> $?"
"$CARDASSAY" inspect --fields --format=sarif "$FIXTURES/cards/C0070"
echo "-> $?"
truncate -s 1M image
"$CARDASSAY" inspect --fields image:image
echo "-> $?"
"$CARDASSAY" inspect --fields --format=json "$FIXTURES/cards/C0070" "$FIXTURES/cards/C0001" | sed -n '1,3p;$p'
