# SPDX-License-Identifier: BSD-2-Clause
# A target that is not there, not a device, or not what the command wants.
t()
{
	echo "\$ cardassay $*"
	"$CARDASSAY" "$@"
	echo "-> $?"
}
t inspect /dev/no-such-card
t certify /dev/no-such-card
t inspect no-such-directory
mkdir empty
t inspect empty
t certify empty
t certify sim:no-such-card
t certify sim:announced=64X
t certify sim:anounced=64M
t certify sim:announced=64M,real=128M,kind=wrap
t certify image:no-such-file
printf 'abc' >odd.img
t certify image:odd.img
: >nothing.img
t certify image:nothing.img
t verify no-such.json
t verify empty
echo '{' >broken.json
t verify broken.json
echo '{"format":"something-else"}' >other.json
t verify other.json
t capture sim:genuine-4g
t explain CID-CRCC
