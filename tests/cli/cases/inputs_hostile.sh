# SPDX-License-Identifier: BSD-2-Clause
# What is no paste, or means ill: one sentence, and no control byte, tag or formula comes through.
cid=275048534431364730da89b82900fb61
inspect()
{
	"$CARDASSAY" inspect "$@" >shown 2>&1
	echo "-> $?"
	head -n 1 shown | cut -c 1-150
	! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" shown || echo 'control bytes'
}
# from other machines
printf '\357\273\277cid: %s\r\n' "$cid" | "$CARDASSAY" inspect - | grep 'raw '
{
	printf '\377\376'
	printf 'cid: %s\n' "$cid" | sed 's/./&@/g; s/$/!/' | tr '@!\n' '\000\n\000'
} | "$CARDASSAY" inspect - | grep 'raw '
mkfifo pipe
(printf 'cid: %s\n' "$cid" >pipe &)
"$CARDASSAY" inspect pipe | grep 'raw '
# no pastes
head -c 3000 /dev/zero | tr '\0' '<' | sed 's/^/<pre>/' >tags
inspect tags
ln -s loop loop
inspect loop
inspect .
printf '{"a":%05000d' 0 | tr 0 '[' >deep
inspect deep
# the strings of a drive and of a card
printf 'vid : 0x144d\nsn : \033]0;x\007<script>\nmn : =1+1|"\303\050\033[31m\nfr : \033[2J\n' >drive
for format in text json sarif; do
	inspect drive --format "$format"
done
inspect drive --fields
printf 'cid: 03534%s1001020304015a00\n' '41b5b33316d' >card
for format in text json sarif; do
	inspect card --format "$format"
done
inspect card --fields
