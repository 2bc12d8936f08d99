"""The keys of every table of the domain language, each with the form of its value: for the readers and for editors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from domains.conventions import CONVENTIONS
from domains.reader.nodes.document import Node, value_of
from domains.reader.nodes.fields import Fields, open_fields, without_key
from semantics.geometry.furnishing import PARAMETER_NAMES, FurnitureParameter
from semantics.logic.feedback import Code
from semantics.logic.place_value import PlaceKind
from semantics.logic.quantity import UNITS
from semantics.process.reading import read_table

Schema = dict[str, Any]

_TABLES = read_table(__file__)
_FORMS: Mapping[str, Schema] = {
    **_TABLES["forms"],
    "code": {"enum": [code.value for code in Code]},
    "kind of place": {"enum": [kind.value for kind in PlaceKind]},
    "unit": {"enum": [unit for unit in UNITS if unit]},
}

FORMS: tuple[str, ...] = tuple(_FORMS["form"]["enum"])  # the forms of solids
CODES: tuple[str, ...] = tuple(_FORMS["code"]["enum"])  # the failures that a repair may answer
MEASURES: tuple[str, ...] = tuple(_FORMS["measure"]["enum"])
"""What of a solid may be the number of an attribute; `length` is the longest side."""
WHOLE = ("name", "affordances", "classes", "predicates", "capabilities", "agents")
"""What a world has to have, in its own file or in those of the worlds that it extends."""
EXTENDS, OVERRIDE, WITHOUT = "extends", "override", "without"  # the keys of a world that builds on others
USE = "use"  # the key of the packs of classes that a world uses
SORTS: Mapping[str, str] = _TABLES["sorts"]
"""What stands in each table in which worlds are joined; scenes and cases are files."""


def _form(words: str | Schema) -> Schema:
    """Return a form that is written in words, see ``keys.yaml``."""
    if not isinstance(words, str):
        return words
    if words.startswith("entries of "):
        entries = {"type": "object", "additionalProperties": _form(words.removeprefix("entries of "))}
        return {"anyOf": [entries, _FORMS["nothing"]]}
    if words.startswith("list of "):
        return {"type": "array", "items": _form(words.removeprefix("list of "))}
    first, _, second = words.partition(" or ")
    if second:
        return {"anyOf": [_form(first), _form(second)]}
    table = words.removeprefix("table ")
    return _FORMS[words] if table == words else {"$ref": f"#/$defs/{table.replace(' ', '-')}"}


def _described(words: str | Schema, description: str = "") -> Schema:
    return _form(words) | ({"description": description} if description else {})


def _parameter(parameter: FurnitureParameter) -> Schema:
    """Return the form of a parameter of furniture."""
    number = {"type": "integer" if parameter.whole else "number", "minimum": parameter.low, "maximum": parameter.high}
    heights = {"type": "array", "items": _FORMS["not negative"]}
    return _described({"anyOf": [number, heights]} if parameter.heights else number, f"furniture: {parameter.say}")


def _values() -> Iterator[tuple[str, Mapping[str, Schema]]]:
    """Yield each table with the form of its keys."""
    of_models = {f"{name}?": _parameter(parameter) for name, parameter in PARAMETER_NAMES.items()}
    conventions = {
        f"{key}?": _described("name", f"the {sort} that is '{key}' in other worlds; none where there is none")
        for key, sort in CONVENTIONS.items()
    }
    more = {"class": of_models, "thing": of_models, "conventions": conventions}
    overriding = {f"{OVERRIDE}?": _described("flag", "whether it replaces that of a base")}
    for table, forms in _TABLES["tables"].items():
        written = {key: _described(*form) for key, form in forms.items()}
        yield table, {**written, **more.get(table, {}), **(overriding if table in SORTS.values() else {})}


VALUES: Mapping[str, Mapping[str, Schema]] = dict(_values())
"""The form of every key, by table; one with a question mark may be missing. The keys of a thing depend on its class."""


class Keys(NamedTuple):
    """The keys of a table: required and optional ones."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every key."""
        return (*self.required, *self.optional)


OF_INSTANCES = ("affords", "lacks", "attributes", "count")

PLACED = {
    "furniture": Keys(("class", "pose", "size"), (*PARAMETER_NAMES, *OF_INSTANCES)),
    "furniture that opens": Keys(("class", "pose", "size"), ("opened", *PARAMETER_NAMES, *OF_INSTANCES)),
    "furniture of a mesh": Keys(("class", "pose"), OF_INSTANCES),
    "furniture of a mesh that opens": Keys(("class", "pose"), ("opened", *OF_INSTANCES)),
    "part of furniture": Keys(("class", "of"), ("level", "opened", *OF_INSTANCES)),
    "actor": Keys(("class", "pose"), ("at", *OF_INSTANCES)),
    "robot": Keys(("class", "pose"), ("at", "body", *OF_INSTANCES)),
    "actor without a body": Keys(("class",), ("at", *OF_INSTANCES)),
    "piece": Keys(("class",), ("on", "in", "offset", "level", "yaw", "hidden", *OF_INSTANCES)),
    "unlisted piece": Keys(("class", "label"), ("on", "in", "offset", "level", "yaw", *OF_INSTANCES)),
    "bodiless": Keys(("class",), ("on", "in", *OF_INSTANCES)),
}
"""Keys of a thing by its sort, where each states its pose."""

TO_ARRANGE = " to arrange"
"""Ends the name of the table of a thing in a scene that is arranged: its pose and size may be missing."""

ARRANGED = {
    f"{sort}{TO_ARRANGE}": Keys(("class",), (*PLACED[sort].required[1:], *PLACED[sort].optional))
    for sort in PLACED
    if "pose" in PLACED[sort].required
}
THINGS = PLACED | ARRANGED  # keys of a thing by its sort

TABLES: Mapping[str, Keys] = THINGS | {
    table: Keys(
        tuple(key for key in values if not key.endswith("?")), tuple(key[:-1] for key in values if key.endswith("?"))
    )
    for table, values in VALUES.items()
}
"""Keys by the subject of the table."""


def open_table(node: Node, table: str, what: str) -> Fields:
    """Read a table of `TABLES`; report unknown and missing keys."""
    required = WHOLE if table == "domain" else TABLES[table].required
    optional = [key for key in TABLES[table].optional if key not in (*required, OVERRIDE)]
    flag = value_of(node, OVERRIDE)
    if flag is not None and table in SORTS.values():  # where worlds are joined, it is taken out before
        message = f"{what} overrides nothing, since this world extends none; expected no '{OVERRIDE}'"
        flag.report(message, "keys-contradict")
        node = without_key(node, OVERRIDE)
    return open_fields(node, what, required=required, optional=optional)
