# SPDX-License-Identifier: BSD-2-Clause
# Half a register accuses nobody, and nothing of the user's is replaced.
t()
{
	"$CARDASSAY" "$@" 2>&1
	echo "-> $?"
}
# a CID wrapped over two lines, as chats and mails do
printf '0353445343333247\n802265b1f5012400\n' | "$CARDASSAY" inspect - | grep -E '^  (raw|PNM)|: fail:'
printf '0353445343333247\n' | t inspect - # and half of one
printf '0235800100000000\n' | "$CARDASSAY" inspect - | grep -E '^  raw' # an SCR is as long

mkdir home
echo precious >home/type
t capture "$FIXTURES/cards/C0032" -o home
cat home/type
mkdir empty
t capture "$FIXTURES/cards/C0032" -o empty >/dev/null
t capture "$FIXTURES/cards/C0006" -o empty | tail -n 1 # what it made itself it may replace
cat empty/cid

t fill sim:announced=8M -o -
ls
