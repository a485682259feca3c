# SPDX-License-Identifier: BSD-2-Clause
# Logs of every command that writes SARIF, against the published schema.
sarif=$(cd "$(dirname "$0")/../../sarif" && pwd)
python3 -c 'import jsonschema' 2>/dev/null || {
	echo "skipped: needs python3 and python3-jsonschema"
	exit 77
}
log()
{
	name=$1
	shift
	"$CARDASSAY" "$@" --format sarif >"$name.sarif" 2>/dev/null
	echo "$name -> $?"
}
log one inspect "$FIXTURES/cards/C0006"
log several inspect "$FIXTURES/cards/C0006" "$FIXTURES/cards/C0007" --label 'Samsung EVO 64 GB A2 V30'
log none inspect no-such-directory
log fake certify sim:fake-128g --seconds 1
log fill fill sim:announced=64M,real=16M,kind=wrap
log speed speed sim:genuine-4g --seconds 1
"$CARDASSAY" fill sim:announced=64M -o sound.json --progress none >sound.txt 2>/dev/null
log kept verify sound.json
"$CARDASSAY" inspect "$FIXTURES"/cards/* --format sarif >all.sarif 2>/dev/null
# what must not pass, so that the test can fail
sed 's/"kind":"[a-z]*"/"kind":"guess"/' one.sarif >wrong-kind.sarif
sed 's/"message":{"text"/"message":{"words"/' one.sarif >wrong-message.sarif
for file in wrong-kind wrong-message; do
	python3 "$sarif/validate.py" "$file.sarif" >said && cat said
	tail -n 1 said
done
python3 "$sarif/validate.py" one.sarif several.sarif none.sarif fake.sarif fill.sarif speed.sarif kept.sarif \
	all.sarif | sed 's/: [0-9]* results/: results/'
