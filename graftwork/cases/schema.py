"""JSON Schema of case files, for editors; the keys are those of the reader."""

from __future__ import annotations

from typing import Any

from graftwork.cases.case_file import KEYS
from semantics.feedback import Code

__all__ = ["case_schema"]

Schema = dict[str, Any]

TEXT: Schema = {"type": ["string", "number", "boolean"]}
TEXTS: Schema = {"type": "array", "items": TEXT}
CODE: Schema = {"enum": [str(code) for code in Code]}
FREE: Schema = {"type": ["object", "array", "string", "number", "boolean"]}
VALUES: dict[str, Schema] = {
    "scene": TEXT | {"description": "name of a scene, or a path from the case file"},
    "goal": TEXT | {"description": "what is wanted, in PDDL"},
    "instruction": TEXT | {"description": "what is wanted, in words"},
    "answers": FREE | {"description": "what a scripted model says, in order"},
    "facts": {"type": "object", "properties": {"add": FREE, "remove": FREE}, "additionalProperties": False},
    "cost": {"type": "integer", "minimum": 0, "description": "of the plan"},
    "plan": FREE | {"description": "all steps, or contains, in-order, not and length"},
    "optimal": {"type": "boolean"},
    "refused": CODE,
    "no-plan": CODE,
    "culprits": {"anyOf": [TEXT, TEXTS]},
    "already": {"const": True},
}
"""The form of the keys that have one; any other is left to the reader."""


def case_schema() -> Schema:
    """Return the schema of a case file: one case, or a list of them."""
    case = {
        "type": "object",
        "properties": {"name": TEXT, **{key: VALUES.get(key, FREE) for key in KEYS}},
        "required": ["name"],
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cases",
        "anyOf": [{"$ref": "#/$defs/case"}, {"type": "array", "items": {"$ref": "#/$defs/case"}, "minItems": 1}],
        "$defs": {"case": case},
    }
