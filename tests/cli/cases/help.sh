# SPDX-License-Identifier: BSD-2-Clause
# Help goes to standard output and ends with 0; without a command it is an error.
for arguments in --help 'certify --help' 'inspect --help' 'list -h' --version; do
	# shellcheck disable=SC2086 # words
	"$CARDASSAY" $arguments || exit 1
	echo
done
"$CARDASSAY" >/dev/null 2>&1
echo "without a command: $?"
