"""`object_schema`: the JSON Schema of an answer, in the strict subset that servers of language models take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def object_schema(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these keys, each with its own schema."""
    return {"type": "object", "properties": dict(keys), "required": list(keys), "additionalProperties": False}
