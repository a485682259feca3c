# SPDX-License-Identifier: BSD-2-Clause
# One line a finding, for grep and editors: path:register[bits]: severity: text [RULE-ID]
lines()
{
	"$CARDASSAY" inspect "$@" | grep '\[[A-Z0-9-]*\]$'
}
copy()
{
	mkdir -p "$1"
	cp "$FIXTURES"/cards/C0006/c?d "$1"
}
esc=$(printf '\033[31m')
bell=$(printf '\a')
copy 'a card'
copy 'C:12'
copy 'Müller'
copy "red$esc"
copy "two
lines$bell"
copy 'back\slash'
lines 'a card' 'C:12' 'Müller' "red$esc" "two
lines$bell" 'back\slash' --label 'Samsung 16 GB'
printf 'cid: %s\n' "$(cat "$FIXTURES/cards/C0006/cid")" "$(cat "$FIXTURES/cards/C0007/cid")" >'two cards.txt'
lines 'two cards.txt'
lines - <'two cards.txt'
lines sim:fake-128g
echo "a long name is not wrapped:"
long=$(printf '%0200d' 0)
copy "$long"
lines "$long" --all | awk '{ print NR, ($0 ~ /^0+:[a-z]+(\[[0-9:]+\])?: [a-z]+: .* \[[A-Z0-9-]+\]$/) }'
echo "colour is on the severity alone:"
# NO_COLOR gives way to what is asked for
lines 'a card' --label 'Samsung 16 GB' --color always | sed 's/'"$(printf '\033')"'/<ESC>/g'
