"""As much of JSON Schema as the schemas of this project use, to hold documents to them."""

from __future__ import annotations

import re
from typing import Any

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}
KNOWN = {
    *("$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "anyOf", "pattern"),
    *("properties", "required", "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum"),
}


def faults(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str = "$") -> list[str]:
    """Return where `value` is not as `schema` says."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        found: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return faults(value, found, root, place)
    if "anyOf" in schema:
        tried = [faults(value, one, root, place) for one in schema["anyOf"]]
        return [] if [] in tried else min(tried, key=len)
    wanted = schema.get("type", [])
    if wanted and not any(_is_a(value, one) for one in ([wanted] if isinstance(wanted, str) else wanted)):
        return [f"{place}: {value!r} is no {wanted}"]
    told = [f"{place}: {value!r}"] * _outside(value, schema)
    if isinstance(value, dict):
        told += _in_object(value, schema, root, place)
    if isinstance(value, list):
        for number, item in enumerate(value):
            told += faults(item, schema.get("items", {}), root, f"{place}[{number}]")
    return told


def _is_a(value: Any, kind: str) -> bool:
    if kind == "null":
        return value is None
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _outside(value: Any, schema: dict[str, Any]) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return (
        ("const" in schema and value != schema["const"])
        or ("enum" in schema and value not in schema["enum"])
        or (isinstance(value, str) and not re.search(schema.get("pattern", ""), value))
        or (is_number and not schema.get("minimum", value) <= value <= schema.get("maximum", value))
        or (isinstance(value, list) and not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**6))
    )


def _in_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], place: str) -> list[str]:
    told = [f"{place}: no {key}" for key in schema.get("required", ()) if key not in value]
    properties, more = schema.get("properties", {}), schema.get("additionalProperties", {})
    for key, item in value.items():
        if key in properties:
            told += faults(item, properties[key], root, f"{place}.{key}")
        elif more is False:
            told.append(f"{place}: unknown {key}")
        else:
            told += faults(item, more, root, f"{place}.{key}")
    return told
