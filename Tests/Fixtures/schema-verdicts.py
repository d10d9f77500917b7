"""Says of each manifest whether the JSON Schema accepts it.

Usage: schema-verdicts.py SCHEMA MANIFEST...
Prints one JSON object a line: {"file": ..., "faults": [...]}. A file that isn't JSON has one fault. The schema itself is
checked against its metaschema first. Exits with 3 where python3-jsonschema is missing.
"""

import json
import sys

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
except ImportError as error:
    sys.exit(f"the Debian package python3-jsonschema is missing; install it ({error})")


def duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key stands twice")
    return dict(pairs)


def main(schema_path, paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file, object_pairs_hook=duplicates)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        sys.exit(f"{schema_path} is not a JSON Schema: {error.message} at {list(error.path)}")
    validator = Draft202012Validator(schema)
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                faults = [error.message[:200] for error in validator.iter_errors(json.load(file))]
        except ValueError as error:
            faults = [f"not JSON: {error}"]
        print(json.dumps({"file": path, "faults": faults}))


main(sys.argv[1], sys.argv[2:])
