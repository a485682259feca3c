# SPDX-License-Identifier: BSD-2-Clause
# What inspect says of a few real cards.
for card in C0006 C0007 C0001; do
	"$CARDASSAY" inspect "$FIXTURES/cards/$card"
	echo "-> $?"
done
cat "$FIXTURES"/cards/C0006/cid | "$CARDASSAY" inspect - --label 'Samsung EVO 16GB'
echo "-> $?"
