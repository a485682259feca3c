#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""validate.py LOG...: each against the schema beside this file. 77: no validator here."""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: needs Debian's python3-jsonschema")
    sys.exit(77)

schema = json.loads(
    pathlib.Path(__file__).with_name("sarif-2.1.0.schema.json").read_text(encoding="utf-8")
)
validator = jsonschema.validators.validator_for(schema)(
    schema, format_checker=jsonschema.FormatChecker()
)
status = 0
for name in sys.argv[1:]:
    log = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
    problems = list(validator.iter_errors(log))
    for problem in problems[:10]:
        print(f"{name}: {'/'.join(map(str, problem.absolute_path))}: {problem.message[:300]}")
        status = 1
    results = log.get("runs", [{}])[0].get("results", [])
    print(f"{name}: {len(results)} results, {'invalid' if problems else 'valid'}")
sys.exit(status)
