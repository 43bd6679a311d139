"""check_schema.py SCHEMA FILE: is FILE, in JSON, what SCHEMA says?

By the few words that our schemas use, and by the package jsonschema, too, where
there is one.
"""

import json
import re
import sys

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}
# All that is understood: what a schema has beside these would seem to be kept.
WORDS = {"$schema", "$defs", "$ref", "title", "description", "type", "const", "enum"}
WORDS |= {"minimum", "maximum", "minItems", "items", "pattern", "maxLength"}
WORDS |= {"required", "properties", "additionalProperties"}


def check_words(schema, where):
    unknown = set(schema) - WORDS
    assert not unknown, f"{where} of the schema has {unknown}"
    parts = {**schema.get("$defs", {}), **schema.get("properties", {})}
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            parts[name] = schema[name]
    for name, part in parts.items():
        check_words(part, f"{where}/{name}")


def is_type(value, name):
    if name in ("number", "integer"):
        kinds = (int,) if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def is_same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def check_object(value, schema, root, where):
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    missing = set(schema.get("required", [])) - set(value)
    assert not missing, f"{where}: no {missing}"
    for name, item in value.items():
        known = properties.get(name, others)
        assert known is not False, f"{where}.{name} is not in the schema"
        check(item, known, root, f"{where}.{name}")


def check(value, schema, root, where):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].split("/")[-1]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    assert not kinds or any(is_type(value, kind) for kind in kinds), where
    assert is_same(value, schema.get("const", value)), where
    assert any(is_same(value, one) for one in schema.get("enum", [value])), where
    if isinstance(value, (int, float)):
        assert schema.get("minimum", value) <= value, where
        assert value <= schema.get("maximum", value), where
    if isinstance(value, str):
        assert re.search(schema.get("pattern", ""), value), where
        assert len(value) <= schema.get("maxLength", len(value)), where
    if isinstance(value, list):
        assert len(value) >= schema.get("minItems", 0), where
        for i, item in enumerate(value):
            check(item, schema.get("items", {}), root, f"{where}[{i}]")
    if isinstance(value, dict):
        check_object(value, schema, root, where)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        value = json.load(file)
    check_words(schema, "")
    check(value, schema, schema, "")
    try:
        import jsonschema
    except ImportError:
        return
    jsonschema.validate(value, schema)


main()
