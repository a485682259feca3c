# SPDX-License-Identifier: BSD-2-Clause
# The counterfeit that the program ships: the whole text certificate, and its JSON in the main points.
"$CARDASSAY" certify sim:fake-128g --progress=none -o fake.json
echo "-> $?"
command -v jq >/dev/null || exit 0
jq -c '{format, origin, profile, scope, verdict, real: .evidence.capacity.real_capacity_bytes,
	kind: .evidence.capacity.kind, alias: .evidence.capacity.alias[0].delta}' fake.json
"$CARDASSAY" verify fake.json --format=json | jq -c '[.signature, .verdict, .judged_the_same]'
