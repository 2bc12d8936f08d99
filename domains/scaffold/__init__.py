"""Support for authors of worlds: a small template world, and JSON schemas for completion and checks in editors.

An editor's check is coarse: only the readers check that names exist, placements fit, and there are no cycles.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from domains.reader.keys import VALUES, Schema
from domains.reader.nodes.fields import SYMBOL, SYMBOL_RULE
from semantics.errors import UsageError
from semantics.plain_text import shortened

__all__ = ["domain_schema", "new_world", "scene_schema"]

TEMPLATE = Path(__file__).parent / "world"
LONGEST = 60
SCHEMAS = "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def new_world(name: str, into: Path, more: Mapping[str, Mapping[str, object]] | None = None) -> tuple[Path, ...]:
    """Write a small working world into the folder `name` of `into`, and return its files.

    Args:
        name: Name of the world and its folder.
        into: Parent folder; it is created.
        more: Further schemas for editors by kind of file, such as ``case``.

    Raises:
        UsageError: The name is invalid, the folder exists already, or it cannot be written.
    """
    if not SYMBOL.fullmatch(name) or len(name) > LONGEST:
        raise UsageError(f"'{shortened(name)}' is no name for a world; {SYMBOL_RULE}, at most {LONGEST}")
    schemas = {"domain": domain_schema(), "scene": scene_schema(), **(more or {})}
    files = {path.relative_to(TEMPLATE): _renamed(path, name, schemas) for path in sorted(TEMPLATE.rglob("*.yaml"))}
    files |= {Path(SCHEMAS) / f"{key}.json": json.dumps(schema, indent=1) + "\n" for key, schema in schemas.items()}
    folder = into / name
    try:
        into.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        for path, text in files.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise UsageError(f"{error.filename} is there already; expected a new name or another folder") from error
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from error
    return tuple(folder / path for path in files)


def _renamed(path: Path, name: str, schemas: Mapping[str, object]) -> str:
    text = re.sub(r"^(name|domain): template$", rf"\1: {name}", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kind = {"scenes": "scene", "cases": "case"}.get(path.parent.name, "domain")
    if kind not in schemas:
        return text
    place = f"{SCHEMAS}/{kind}.json" if kind == "domain" else f"../{SCHEMAS}/{kind}.json"
    return f"# yaml-language-server: $schema={place}\n{text}"


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
