"""JSON Schema of the domain language, so that editors complete and check while one writes.

Which keys a table has is `domains.reader.keys.TABLES`, from which the readers take them too; here each key gets the
form of its value. An editor's check is the coarse one: names that must exist, places and circles are found by reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domains.conventions import CONVENTIONS
from domains.reader.classes import FORMS
from domains.reader.keys import TABLES, Keys
from domains.reader.repairs import CODES

__all__ = ["domain_schema", "scene_schema"]

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": ["string", "number", "boolean"]}
NAME: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_-]*$"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
NAMES: Schema = {"anyOf": [NAME, {"type": "array", "items": NAME}]}
TEXTS: Schema = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
FORMULA: Schema = {"$ref": "#/$defs/formula"}
NOTHING: Schema = {"type": "null"}


def _numbers(count: int, **limits: float) -> Schema:
    return {"type": "array", "items": NUMBER | limits, "minItems": count, "maxItems": count}


def _named(value: Schema) -> Schema:
    """Return the form of a table whose keys are names of the writer's own."""
    return {"anyOf": [{"type": "object", "additionalProperties": value}, NOTHING]}


def _table(key: str) -> Schema:
    return {"$ref": f"#/$defs/{key.replace(' ', '-')}"}


def _said(value: Schema, description: str) -> Schema:
    return value | {"description": description}


VALUES: Mapping[str, Mapping[str, Schema]] = {
    "domain": {
        "name": _said(NAME, "name of the world"),
        "affordances": _said(_named(TEXT), "what a thing can be good for: a name and a sentence each"),
        "classes": _said(_named(_table("class")), "classes of things"),
        "predicates": _said(_named(_table("predicate")), "what can be stated"),
        "capabilities": _said(_named(_table("capability")), "what agents can do"),
        "agents": _said(_named(_table("agent")), "who acts, by class"),
        "kinds": _said(_named({"anyOf": [TEXTS, NOTHING]}), "groups of classes, each with further words"),
        "phrases": _said({"type": "array", "items": _table("phrase")}, "how people ask for things"),
        "rules": {
            "description": "what cannot be asked for together",
            "type": ["object", "null"],
            "properties": {"file": TEXTS},
            "additionalProperties": _table("rule"),
        },
        "constants": _said(_named(_table("constant")), "things that every scene has"),
        "fluents": _said(_named(_table("number")), "numbers that depend on things"),
        "repairs": _said(_named(_table("repair")), "what mends a known small mishap"),
        "conventions": _said(
            {"anyOf": [_table("conventions"), NOTHING]}, "the names here of what programs ask for in every world"
        ),
        "ladder": _said(_named({"anyOf": [_table("rung"), {"const": "none"}]}), "what rungs of repair may spend"),
    },
    "class": {
        "affordances": _said(NAMES, "what its instances are good for"),
        "kinds": _said(NAMES, "groups it belongs to"),
        "words": _said({"anyOf": [TEXTS, NOTHING]}, "further words for one of them, singular"),
        "shape": _said(_table("shape"), "solid of what can be moved"),
        "model": _said(NAME, "builder of a piece of furniture"),
        "abstract": _said(FLAG, "whether its things have no body"),
    },
    "shape": {
        "form": {"enum": list(FORMS)},
        "size": _said(_numbers(3, minimum=0.005, maximum=3.0), "metres"),
        "mass": _said(NUMBER | {"minimum": 0.001, "maximum": 50.0}, "kilograms"),
        "colour": _said(_numbers(3, minimum=0.0, maximum=1.0), "red, green, blue"),
    },
    "constant": {"class": NAME, "affords": NAMES, "lacks": NAMES},
    "predicate": {
        "parameters": _said({"anyOf": [NAMES, _named(NAME)]}, "affordance of each argument; named where derived"),
        "say": _said(TEXT, "a sentence with {0}, {1}"),
        "sensed": _said(NAME, "geometric test that decides it"),
        "bookkeeping": _said(FLAG, "whether it follows from other facts and is kept by effects"),
        "goal": _said(FLAG, "whether it may be asked for"),
        "derived": _said(FORMULA, "a condition that defines it, or a list of alternatives"),
    },
    "number": {
        "parameters": _said(NAMES, "affordance of each argument"),
        "say": _said(TEXT, "a sentence with {0} and {value}"),
        "unit": TEXT,
        "default": NUMBER,
        "planned": _said(FLAG, "whether a planner has to mind it"),
    },
    "capability": {
        "parameters": _said(_named(NAMES), "name and affordances, in order, the agent first"),
        "precondition": _said(FORMULA, "what must hold before"),
        "effect": _said(FORMULA, "what it makes true, false, more or less"),
        "distinct": _said({"type": "array", "items": NAMES}, "pairs of parameters that differ"),
        "primitive": _said(NAME, "motion asked of the body"),
        "roles": _said(_named(NAME), "parameter of each role of the motion"),
        "cost": _said({"anyOf": [NUMBER | {"minimum": 0}, FORMULA]}, "a whole number, or one of the scene"),
        "agent": _said({"const": "none"}, "that no parameter is an agent"),
        "duration": _said(NUMBER | {"minimum": 0}, "seconds"),
        "resources": _said(NAMES, "parameters that nothing else may use meanwhile"),
        "say": _said(TEXT, "a sentence with {parameters}"),
        "aliases": _said(NAMES, "further names for it"),
    },
    "agent": {
        "capabilities": _said(NAMES, "what it can do: a list, or all"),
        "cost": _said({"type": "integer", "minimum": 0}, "of each of its actions"),
    },
    "phrase": {
        "pattern": _said(TEXT, "words, put|place, [top of] and {slots}"),
        "goal": _said(TEXT, "PDDL over the slots"),
        "slots": _said(_named(NAME), "affordance asked of a slot, other than the predicate's"),
    },
    "rule": {
        "when": _said(TEXT, "body of a Prolog clause that binds Culprits"),
        "say": _said(TEXT, "a sentence with {0}, {1} for the culprits"),
        "hint": _said(TEXT, "how to mend it"),
    },
    "repair": {
        "code": {"enum": list(CODES)},
        "say": _said(TEXT, "what a person is told"),
        "capability": _said(NAME, "the step that failed; any when missing"),
        "when": _said(FORMULA, "when the repair applies"),
        "variables": _said(_named(NAME), "further things it needs, by affordance"),
        "culprits": _said(NAMES, "the variables that stand for what the failure blames"),
        "before": _said(FORMULA, "steps before the failed one is done again"),
        "instead": _said(FORMULA, "steps in the place of the failed one"),
        "rename": _said(_named(NAME), "what stands for what in later steps with the same thing: {h: other}"),
        "after": _said(FORMULA, "steps that restore what was disturbed"),
    },
    "rung": {
        "tries": _said({"type": "integer", "minimum": 0, "maximum": 1000}, "how many failures it answers"),
        "same": _said({"type": "integer", "minimum": 0, "maximum": 1000}, "how often it answers the same failure"),
        "seconds": _said(NUMBER | {"minimum": 0}, "how long it answers, on the body's clock"),
        "money": _said(NUMBER | {"minimum": 0}, "what its answers may cost together"),
        "most": _said({"type": "integer", "minimum": 0, "maximum": 1000}, "how many failures it answers in all"),
    },
    "conventions": {
        key: _said(NAME, f"the {sort} that is '{key}' in other worlds; none where there is none")
        for key, sort in CONVENTIONS.items()
    },
    "scene": {
        "domain": _said(NAME, "the world it belongs to"),
        "things": _said(_named(_table("thing")), "everything that exists"),
        "name": NAME,
        "speaker": _said(NAME, "the person who says me"),
        "beliefs": _said(_named(TEXT), "facts held true before anything was sensed, each with its source"),
        "facts": _said(FORMULA, "facts that the arrangement does not say"),
        "numbers": _said(_named(NUMBER), "values of numbers: (volume milk0): 1.0"),
    },
    "thing": {
        "class": NAME,
        "pose": _said(_numbers(3), "x, y in metres, heading in radians"),
        "size": _said(_numbers(3), "width across the front, depth, height in metres"),
        "opened": FLAG,
        "at": _said(NAME, "place where an agent is"),
        "on": _said(NAME, "what it stands on"),
        "in": _said(NAME, "what it is in"),
        "offset": _said(_numbers(2), "metres to the right and to the front from the middle"),
        "level": _said({"type": "integer", "minimum": 0, "maximum": 20}, "board or compartment"),
        "yaw": _said(NUMBER, "radians"),
        "affords": _said(NAMES, "what it affords beyond its class"),
        "lacks": _said(NAMES, "what of its class it does not afford"),
        "count": _said({"type": "integer", "minimum": 1}, "how many equal ones, numbered from 1"),
    },
}
"""The form of every key, by table."""

THINGS = ("furniture", "furniture that opens", "actor", "actor without a body", "piece", "bodiless")


def domain_schema() -> Schema:
    """Return the schema of ``domain.yaml``."""
    return _document("domain", "A world", (*(key for key in TABLES if key not in (*THINGS, "scene")),))


def scene_schema() -> Schema:
    """Return the schema of a scene."""
    return _document("scene", "A scene", ("thing",))


def _document(root: str, title: str, tables: tuple[str, ...]) -> Schema:
    formula = {"type": ["string", "array", "object"], "description": "PDDL text, or plain YAML such as {on: [o, from]}"}
    parts = {key: _object(key) for key in tables if key != root}
    return {"$schema": DRAFT, "title": title, **_object(root), "$defs": {"formula": formula, **parts}}


def _object(table: str) -> Schema:
    keys = _keys(table)
    return {
        "type": "object",
        "properties": {key: VALUES[table][key] for key in keys.all},
        "required": list(keys.required),
        "additionalProperties": False,
    }


def _keys(table: str) -> Keys:
    """Return the keys of a table; those of a thing depend on its class, which a schema does not know."""
    if table != "thing":
        return TABLES[table]
    every = dict.fromkeys(key for thing in THINGS for key in TABLES[thing].all)
    return Keys(("class",), tuple(key for key in every if key != "class"))
