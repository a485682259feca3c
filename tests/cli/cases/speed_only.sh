# SPDX-License-Identifier: BSD-2-Clause
# One random figure: its range counts as written only when every sector of it was.
for card in sim:announced=1G sim:announced=1G,bad=100-101 sim:announced=1G,gone-after=10M; do
	"$CARDASSAY" speed "$card" --only random-write --seconds 1 --progress none --format json \
		>out.json 2>/dev/null
	echo "$card -> $?"
	grep -E '"(range_written|milliiops)"' out.json || echo 'no figure'
done
