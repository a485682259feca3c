# SPDX-License-Identifier: BSD-2-Clause
# What inspect says of a few real cards.
for card in C0006 C0007 C0001; do
	"$CARDASSAY" inspect "$FIXTURES/cards/$card"
	echo "-> $?"
done
cat "$FIXTURES"/cards/C0006/cid | "$CARDASSAY" inspect - --label 'Samsung EVO 16GB'
echo "-> $?"
# Several cards in one paste are one JSON document.
for card in C0006 C0007; do
	echo "cid: $(cat "$FIXTURES/cards/$card/cid")"
done | "$CARDASSAY" inspect - --format json | sed -n 's/^[^ ].*/&/p'
