# SPDX-License-Identifier: BSD-2-Clause
# What a SARIF log says, without the rules, which are the same in every log.
show()
{
	# rules and their places change with every new one; those that found nothing are shown below
	grep -v '^{"id":"\|"text":"Holds[.]"\|"text":"Not applicable here[.]"' | sed -e 's/"specs_sha256":"[0-9a-f]*"/"specs_sha256":"HASH"/' \
		-e 's/"ruleIndex":[0-9]*/"ruleIndex":N/'
}
cd "$FIXTURES/cards" || exit
"$CARDASSAY" inspect C0007 no-such-card C0006 --label 'Samsung 16 GB' --format sarif 2>/dev/null | show
"$CARDASSAY" inspect C0007 -q --format sarif | show
"$CARDASSAY" inspect C0007 --format sarif | grep '^{"ruleId":"\(CID-MID0\|SSR-TYPE\)"' |
	sed 's/"ruleIndex":[0-9]*/"ruleIndex":N/'
printf 'cid: %s\n' "$(cat C0006/cid)" "$(cat C0007/cid)" | "$CARDASSAY" inspect - --format sarif |
	show | grep -o '"uri":"[^"]*"\|"fullyQualifiedName":"[^"]*"'
"$CARDASSAY" fill sim:announced=64M,real=16M,kind=wrap --format sarif --progress none 2>/dev/null | show
cd "$OLDPWD" || exit
"$CARDASSAY" fill sim:announced=64M -o sound.json --progress none >sound.txt 2>/dev/null
"$CARDASSAY" verify sound.json --format sarif | show | grep '^"invocations"\|CAPACITY'
"$CARDASSAY" list --format sarif
