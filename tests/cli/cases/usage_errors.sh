# SPDX-License-Identifier: BSD-2-Clause
# One clear sentence and exit 64, whatever was mistyped.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@"
	echo "-> $?"
}
t cretify sim:fake-128g
t frobnicate
t certify
t certify a b
t list extra
t certify sim:fake-128g --lable=x
t certify sim:fake-128g --profle standard
t certify sim:fake-128g --profile=quik
t certify sim:fake-128g --zzzzzzzz
t inspect --erase=x somewhere
t certify sim:fake-128g --label
t certify sim:fake-128g --claim=capacty=3
t certify sim:fake-128g --seconds=0
t certify sim:fake-128g -x
t speed sim:fake-128g --only=writing
t verify --format=xml x.json
t certify sim:fake-128g --require=nonsense
t certify sim:fake-128g --sign=shop.key
