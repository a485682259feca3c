# SPDX-License-Identifier: BSD-2-Clause
# What a recorded directory says never steers the terminal; output that is lost is never a success.
[ -w /dev/full ] || {
	echo 'skipped: /dev/full is missing'
	exit 77
}
mkdir card
printf 'media\tsd\nhidden_because\t\\x1b[2Jall is well\n' >card/device_facts
"$CARDASSAY" capture card -o copy
echo "-> $?"
t()
{
	echo "\$ cardassay $* >/dev/full"
	"$CARDASSAY" "$@" >/dev/full
	echo "-> $?"
}
t --version
t --help
t inspect --help
t rules
t capture card -o copy
t selfcheck sim:fake-128g
