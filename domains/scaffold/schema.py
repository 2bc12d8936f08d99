"""JSON schemas of the domain language, for completion and checks in editors.

`domains.reader.keys.VALUES` has the keys of each table and their forms, for the readers too.
An editor's check is coarse: only the readers check that names exist, placements fit, and there are no cycles.
"""

from __future__ import annotations

from domains.reader.keys import VALUES, Schema

__all__ = ["domain_schema", "scene_schema"]

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def domain_schema() -> Schema:
    """Return the schema of ``domain.yaml``."""
    return _document("domain", "A world", tuple(key for key in VALUES if key not in ("scene", "thing")))


def scene_schema() -> Schema:
    """Return the schema of a scene."""
    return _document("scene", "A scene", ("thing",))


def _document(root: str, title: str, tables: tuple[str, ...]) -> Schema:
    formula = {"type": ["string", "array", "object"], "description": "PDDL text, or plain YAML such as {on: [o, from]}"}
    parts = {key: _object(key) for key in tables if key != root}
    return {"$schema": DRAFT, "title": title, **_object(root), "$defs": {"formula": formula, **parts}}


def _object(table: str) -> Schema:
    return {
        "type": "object",
        "properties": {key.removesuffix("?"): form for key, form in VALUES[table].items()},
        "required": [key for key in VALUES[table] if not key.endswith("?")],
        "additionalProperties": False,
    }
