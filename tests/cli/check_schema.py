"""check_schema.py SCHEMA FILE: is FILE, in JSON, what SCHEMA says?

With the package jsonschema, by that; else by the few words that our schemas use.
"""

import json
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


def is_type(value, name):
    if name in ("number", "integer"):
        kinds = (int,) if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check(value, schema, root, where):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].split("/")[-1]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    assert not kinds or any(is_type(value, kind) for kind in kinds), where
    assert value == schema.get("const", value), where
    assert value in schema.get("enum", [value]), where
    if isinstance(value, (int, float)):
        assert schema.get("minimum", value) <= value, where
        assert value <= schema.get("maximum", value), where
    if isinstance(value, list):
        assert len(value) >= schema.get("minItems", 0), where
        for i, item in enumerate(value):
            check(item, schema.get("items", {}), root, f"{where}[{i}]")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        missing = set(schema.get("required", [])) - set(value)
        assert not missing, f"{where}: no {missing}"
        for name, item in value.items():
            known = name in properties or schema.get("additionalProperties", True)
            assert known, f"{where}.{name}"
            check(item, properties.get(name, {}), root, f"{where}.{name}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        value = json.load(file)
    check(value, schema, schema, "")
    try:
        import jsonschema
    except ImportError:
        return
    jsonschema.validate(value, schema)


main()
