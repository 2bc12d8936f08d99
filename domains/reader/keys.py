"""The keys of every table of the domain language, each with the form of its value: for the readers and for editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from domains.conventions import CONVENTIONS
from domains.reader.nodes.document import Node, value_of
from domains.reader.nodes.fields import Fields, open_fields, without_key
from semantics.geometry.furnishing import PARAMETER_NAMES, FurnitureParameter
from semantics.logic.feedback import Code
from semantics.logic.place_value import PlaceKind
from semantics.logic.quantity import UNITS

Schema = dict[str, Any]

FORMS = ("box", "cylinder", "open-cylinder", "sphere", "open-box", "mesh")
"""The forms of solids."""
CODES = tuple(code.value for code in Code)
"""The failures that a repair may answer."""

TEXT: Schema = {"type": ["string", "number", "boolean"]}
NAME: Schema = {"type": "string", "pattern": "^[a-z][a-z0-9_-]*$"}
NUMBER: Schema = {"type": "number"}
FEW: Schema = {"type": "integer", "minimum": 0, "maximum": 1000}
FLAG: Schema = {"type": "boolean"}
NAMES: Schema = {"anyOf": [NAME, {"type": "array", "items": NAME}]}
TEXTS: Schema = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
FORMULA: Schema = {"$ref": "#/$defs/formula"}
NOTHING: Schema = {"type": "null"}
ATTRIBUTE_VALUE: Schema = {"anyOf": [TEXT, {"type": "array", "items": NAME}]}

MEASURES = ("length", "height", "volume", "mass")
"""What of a solid may be the number of an attribute; `length` is the longest side."""


def _numbers(count: int, **limits: float) -> Schema:
    return {"type": "array", "items": NUMBER | limits, "minItems": count, "maxItems": count}


def _named_entries(value: Schema) -> Schema:
    """Return the form of a table whose keys are names that the author chooses."""
    return {"anyOf": [{"type": "object", "additionalProperties": value}, NOTHING]}


def _table(key: str) -> Schema:
    return {"$ref": f"#/$defs/{key.replace(' ', '-')}"}


def _parameter(parameter: FurnitureParameter) -> Schema:
    """Return the form of a parameter of furniture."""
    number = {"type": "integer" if parameter.whole else "number", "minimum": parameter.low, "maximum": parameter.high}
    heights = {"type": "array", "items": NUMBER | {"minimum": 0}}
    return _described({"anyOf": [number, heights]} if parameter.heights else number, f"furniture: {parameter.say}")


def _described(value: Schema, description: str) -> Schema:
    return value | {"description": description}


ATTRIBUTE_VALUES = _named_entries(ATTRIBUTE_VALUE)
OF_MODELS: Mapping[str, Schema] = {f"{name}?": _parameter(parameter) for name, parameter in PARAMETER_NAMES.items()}
"""The form of the parameters of furniture, which stand beside its model or its size."""

OF_FRONTS: Mapping[str, Schema] = {
    "handle": _described({"anyOf": [TEXT, _numbers(3)]}, "where the fingers close: a part of the file, or x, y, z"),
    "joint?": _described(TEXT, "of a .urdf file: the joint that moves it"),
    "part?": _described(TEXTS, "the groups or links that move"),
    "region?": _described(_table("mesh region"), "where the triangles are that move"),
}
"""The form of what doors and drawers of a solid from a file have in common."""

NAMED_CLASSES: Schema = {"type": "object", "additionalProperties": NAMES}
USED_PACKS: Schema = {"anyOf": [TEXT, NAMED_CLASSES, {"type": "array", "items": {"anyOf": [TEXT, NAMED_CLASSES]}}]}
"""The form of the packs in use: names or paths, or tables of the classes that each brings; all brings all."""

PERIOD: Schema = {"type": "string", "pattern": r"^(never|\d+(\.\d+)? ?(s|min|h))$"}
MOVES_EVERY = _named_entries(PERIOD)

WHOLE = ("name", "affordances", "classes", "predicates", "capabilities", "agents")
"""What a world has to have, in its own file or in those of the worlds that it extends."""
EXTENDS, OVERRIDE, WITHOUT = "extends", "override", "without"
"""The keys of a world that builds on others."""
USE = "use"
"""The key of the packs of classes that a world uses."""
OVERRIDING: Mapping[str, Schema] = {"override?": _described(FLAG, "whether it replaces that of a base")}
"""The form of the flag of an entry whose name an extended world has too."""
SORTS: Mapping[str, str] = {
    "affordances": "affordance",
    "implied": "affordance",
    "excluded": "affordance",
    "kinds": "kind",
    "classes": "class",
    "attributes": "attribute",
    "constants": "constant",
    "predicates": "predicate",
    "fluents": "number",
    "capabilities": "capability",
    "agents": "agent",
    "phrases": "phrase",
    "rules": "rule",
    "repairs": "repair",
    "conventions": "convention",
    "ladder": "rung",
    "moves_every": "period",
    "scenes": "scene",
    "cases": "file of cases",
}
"""What stands in each table in which worlds are joined; scenes and cases are files."""

WRITTEN: Mapping[str, Mapping[str, Schema]] = {
    "domain": {
        "name": _described(NAME, "name of the world"),
        "extends?": _described(TEXTS, "worlds that it builds on: names of shipped ones, or paths from this file"),
        "override?": _described(_named_entries(TEXTS), "by table, own entries that take the place of those of a base"),
        "without?": _described(_named_entries(TEXTS), "by table, entries of the bases that are left out"),
        "affordances?": _described(_named_entries(TEXT), "what a thing can be good for: a name and a sentence each"),
        "classes?": {
            "description": "classes of things; use brings those of class packs",
            "type": ["object", "null"],
            "properties": {"use": USED_PACKS},
            "additionalProperties": _table("class"),
        },
        "implied?": _described(
            _named_entries(NAMES), "affordances that follow from others, by the one they follow from"
        ),
        "excluded?": _described(_named_entries(NAMES), "affordances that do not follow where a class affords this one"),
        "predicates?": _described(_named_entries(_table("predicate")), "what can be stated"),
        "capabilities?": _described(_named_entries(_table("capability")), "what agents can do"),
        "agents?": _described(_named_entries(_table("agent")), "who acts, by class"),
        "kinds?": _described(_named_entries({"anyOf": [TEXTS, NOTHING]}), "groups of classes, each with further words"),
        "attributes?": _described(_named_entries(_table("attribute")), "properties of things: colour, material, size"),
        "phrases?": _described({"type": "array", "items": _table("phrase")}, "how people ask for things"),
        "rules?": {
            "description": "what cannot be asked for together",
            "type": ["object", "null"],
            "properties": {"file": TEXTS},
            "additionalProperties": _table("rule"),
        },
        "constants?": _described(_named_entries(_table("constant")), "things that every scene has"),
        "fluents?": _described(_named_entries(_table("number")), "numbers that depend on things"),
        "repairs?": _described(_named_entries(_table("repair")), "what mends a known small mishap"),
        "ladder?": _described(
            _named_entries({"anyOf": [_table("rung"), {"const": "none"}]}), "what rungs of repair may spend"
        ),
        "least_confidence?": _described(
            NUMBER | {"minimum": 0.0, "maximum": 1.0},
            "how sure a sighting has to be to count as sensed; 0.5 if not given",
        ),
        "moves_every?": _described(MOVES_EVERY, "by class or kind, after how long half of its things have been moved"),
        "conventions?": _described(
            {"anyOf": [_table("conventions"), NOTHING]}, "the names here of what programs ask for in every world"
        ),
    },
    "class": {
        "affordances": _described(NAMES, "what its instances are good for"),
        "lacks?": _described(NAMES, "what does not follow for it from what it affords"),
        "kinds?": _described(NAMES, "groups it belongs to"),
        "words?": _described({"anyOf": [TEXTS, NOTHING]}, "further words for one of them, singular"),
        "shape?": _described(_table("shape"), "solid of what can be moved"),
        "model?": _described(NAME, "builder of a piece of furniture"),
        "mesh?": _described(_table("mesh"), "the file of furniture of the model mesh, and its places"),
        "abstract?": _described(FLAG, "whether its things have no body"),
        "attributes?": _described(ATTRIBUTE_VALUES, "values of its things: {colour: red, material: [wood, steel]}"),
        **OF_MODELS,
    },
    "attribute": {
        "values?": _described(NAMES, "the values that it may have, for what is no number"),
        "words?": _described(_named_entries(TEXTS), "further words of people, by the value that they stand for"),
        "unit?": _described({"enum": [unit for unit in UNITS if unit]}, "unit in which a number is written"),
        "measure?": _described({"enum": list(MEASURES)}, "what of a solid is the number of things that state none"),
        "more?": _described(TEXTS, "adjectives for a large number: big"),
        "less?": _described(TEXTS, "adjectives for a small number: small"),
        "sensed?": _described(FLAG, "whether the values are unknown until a body tells them"),
        "shown?": _described(
            _named_entries(_numbers(3, minimum=0.0, maximum=1.0)), "red, green, blue of things with a value"
        ),
    },
    "shape": {
        "form": {"enum": list(FORMS)},
        "size?": _described(_numbers(3, minimum=0.005, maximum=3.0), "metres; a mesh has its own"),
        "mass?": _described(NUMBER | {"minimum": 0.001, "maximum": 50.0}, "kilograms"),
        "mesh?": _described(_table("mesh"), "the file of a mesh"),
        "density?": _described(
            NUMBER | {"minimum": 1.0, "maximum": 20000.0}, "of a mesh without mass: kilograms per cubic metre"
        ),
        "colour?": _described(_numbers(3, minimum=0.0, maximum=1.0), "red, green, blue"),
    },
    "mesh": {
        "file": _described(TEXT, "an .obj, .stl or .urdf file beside the domain file"),
        "scale?": _described(NUMBER | {"exclusiveMinimum": 0.0}, "metres of one unit of the file (1)"),
        "up?": _described({"enum": ["y", "z"]}, "the axis of the file that points up (z)"),
        "turn?": _described(NUMBER | {"minimum": -360, "maximum": 360}, "degrees about the vertical (0)"),
        "outside?": _described(FLAG, "whether the file may be outside the folder of the world"),
        "surfaces?": _described(_named_entries(_table("mesh surface")), "where things stand, by name"),
        "insides?": _described(_named_entries(_table("mesh inside")), "where things are put into, by name"),
        "doors?": _described(_named_entries(_table("mesh door")), "the leaves of its door, by name"),
        "drawers?": _described(_named_entries(_table("mesh drawer")), "its drawers, by name"),
    },
    "mesh surface": {"x": _numbers(2), "y": _numbers(2), "height": _described(NUMBER, "metres above the floor")},
    "mesh inside": {"x": _numbers(2), "y": _numbers(2), "z": _described(_numbers(2), "its floor and its ceiling")},
    "mesh region": {"x": _numbers(2), "y": _numbers(2), "z": _numbers(2)},
    "mesh door": {
        **OF_FRONTS,
        "hinge?": _described(_numbers(2), "where the upright hinge is: x, y in metres"),
        "opens?": _described(NUMBER | {"minimum": 80, "maximum": 170}, "widest angle in degrees (110)"),
    },
    "mesh drawer": {
        **OF_FRONTS,
        "inside": _described(_table("mesh inside"), "the space in it"),
        "travel?": _described(NUMBER | {"minimum": 0.05, "maximum": 2.0}, "how far it slides out, in metres"),
    },
    "constant": {"class": NAME, "affords?": NAMES, "lacks?": NAMES, "attributes?": ATTRIBUTE_VALUES},
    "predicate": {
        "parameters": _described(
            {"anyOf": [NAMES, _named_entries(NAME)]}, "affordance of each argument; named where derived"
        ),
        "say": _described(TEXT, "a sentence with {0}, {1}"),
        "sensed?": _described(NAME, "geometric test or sensor that decides it"),
        "told?": _described(FLAG, "whether a body or a skill reports it"),
        "believed?": _described(FLAG, "whether it is assumed after an action that makes it so"),
        "momentary?": _described(FLAG, "whether it is assumed so, and forgotten when another goal is begun"),
        "bookkeeping?": _described(FLAG, "whether it follows from other facts and is kept by effects"),
        "goal?": _described(FLAG, "whether it may be asked for"),
        "derived?": _described(FORMULA, "a condition that defines it, or a list of alternatives"),
    },
    "number": {
        "parameters": _described(NAMES, "affordance of each argument"),
        "say?": _described(TEXT, "a sentence with {0} and {value}"),
        "unit?": TEXT,
        "default?": NUMBER,
        "planned?": _described(FLAG, "whether a planner has to mind it"),
    },
    "capability": {
        "parameters": _described(_named_entries(NAMES), "name and affordances, in order, the agent first"),
        "precondition": _described(FORMULA, "what must hold before"),
        "effect": _described(FORMULA, "what it makes true, false, more or less"),
        "distinct?": _described({"type": "array", "items": NAMES}, "pairs of parameters that differ"),
        "primitive?": _described(NAME, "motion asked of the body"),
        "roles?": _described(_named_entries(NAME), "parameter or constant of each role of the motion"),
        "cost?": _described({"anyOf": [NUMBER | {"minimum": 0}, FORMULA]}, "a number, or one of the scene"),
        "agent?": _described({"const": "none"}, "that no parameter is an agent"),
        "duration?": _described(NUMBER | {"minimum": 0}, "seconds"),
        "resources?": _described(NAMES, "parameters that nothing else may use meanwhile"),
        "say?": _described(TEXT, "a sentence with {parameters}"),
        "aliases?": _described(NAMES, "further names for it"),
        "values?": _described(
            _named_entries({"anyOf": [_table("value"), {"enum": [kind.value for kind in PlaceKind]}]}),
            "what it takes beside things: a speed, an amount, a place",
        ),
        "otherwise?": _described(NAMES, "what does as well where nobody asks for the facts that this one makes"),
        "relations?": _described(NAMES, "what is true where it sets a thing down: all, or [left_of, behind]"),
    },
    "value": {
        "unit?": _described(
            {"enum": [unit for unit in UNITS if unit]}, "unit in which it is written; none for a count"
        ),
        "range?": _described(_numbers(2), "the smallest and the largest, in this unit"),
        "default?": _described({"anyOf": [NUMBER, {"const": "all"}]}, "what is used if nobody says one"),
        "words?": _described(
            {"anyOf": [{"type": "object", "additionalProperties": NUMBER}, NOTHING]},
            "what words of a sentence mean, in this unit: {slowly: 20}",
        ),
        "number?": _described(NAME, "the number without parameters that it stands for in its action: portion"),
        "place?": _described(
            {"enum": [kind.value for kind in PlaceKind]}, "that it is a point or a region, and no number"
        ),
        "by?": _described(NAME, "the capability that does it at a place said, with the things left out that it lacks"),
    },
    "agent": {
        "capabilities": _described(NAMES, "what it can do: a list, or all"),
        "cost?": _described({"type": "integer", "minimum": 0}, "of each of its actions"),
    },
    "phrase": {
        "pattern": _described(TEXT, "words, put|place, [top of] and {slots}"),
        "goal": _described(TEXT, "PDDL over the slots"),
        "slots?": _described(_named_entries(NAME), "affordance asked of a slot, other than the predicate's"),
    },
    "rule": {
        "when": _described(TEXT, "body of a Prolog clause that binds Culprits"),
        "say": _described(TEXT, "a sentence with {0}, {1} for the culprits"),
        "hint?": _described(TEXT, "how to mend it"),
    },
    "repair": {
        "code": {"enum": list(CODES)},
        "say": _described(TEXT, "what a person is told"),
        "capability?": _described(NAME, "the step that failed; any when missing"),
        "when?": _described(FORMULA, "when the repair applies"),
        "variables?": _described(_named_entries(NAME), "further things it needs, by affordance"),
        "culprits?": _described(NAMES, "the variables that stand for what the failure blames"),
        "before?": _described(FORMULA, "steps before the failed one is done again"),
        "instead?": _described(FORMULA, "steps in the place of the failed one"),
        "rename?": _described(
            _named_entries(NAME), "what stands for what in later steps with the same thing: {h: other}"
        ),
        "after?": _described(FORMULA, "steps that restore what was disturbed"),
    },
    "conventions": {
        f"{key}?": _described(NAME, f"the {sort} that is '{key}' in other worlds; none where there is none")
        for key, sort in CONVENTIONS.items()
    },
    "rung": {
        "tries?": _described(FEW, "how many failures it answers"),
        "same?": _described(FEW, "how often it answers the same failure"),
        "seconds?": _described(NUMBER | {"minimum": 0}, "how long it answers, on the body's clock"),
        "money?": _described(NUMBER | {"minimum": 0}, "what its answers may cost together"),
        "most?": _described(FEW, "how many failures it answers in all"),
    },
    "pack": {
        "pack": _described(NAME, "name of the class pack"),
        "licence": _described(TEXT, "under which it may be used"),
        "sources": _described(TEXTS, "where its names and sizes come from"),
        "affordances": _described(_named_entries(TEXT), "what its things can be good for: a name and a sentence each"),
        "means?": _described(_named_entries(NAMES), "affordances of a world that stand for one of these"),
        "kinds?": _described(_named_entries(_table("pack kind")), "groups of classes"),
        "attributes?": _described(_named_entries(_table("attribute")), "properties that its classes state"),
        "moves_every?": _described(MOVES_EVERY, "by class or kind, after how long half of its things have been moved"),
        "classes": _described(_named_entries(_table("pack class")), "classes of things"),
    },
    "pack kind": {
        "is?": _described(NAMES, "the kinds right above it"),
        "words?": _described(TEXTS, "further words for one of its things, singular"),
    },
    "pack class": {
        "affordances": _described(NAMES, "what its instances are good for"),
        "kinds?": _described(NAMES, "the kinds right above it"),
        "words?": _described(TEXTS, "further words for one of them, singular; two classes may share one"),
        "attributes?": _described(ATTRIBUTE_VALUES, "values of its things"),
        "shape?": _described(_table("shape"), "its solid"),
        "stays?": _described(FLAG, "whether it stays where it is"),
    },
    "scene": {
        "domain": _described(NAME, "the world it belongs to"),
        "things": _described(_named_entries(_table("thing")), "everything that exists"),
        "unlisted?": _described(
            _named_entries(_table("thing")), "movable things that are there and nobody is told of, each with its label"
        ),
        "name?": NAME,
        "speaker?": _described(NAME, "the person who says me"),
        "beliefs?": _described(
            _named_entries(TEXT), "facts held true before anything was sensed, each with its source"
        ),
        "facts?": _described(FORMULA, "facts that the arrangement does not say"),
        "numbers?": _described(_named_entries(NUMBER), "values of numbers: (volume milk0): 1.0"),
        "arrange?": _described(
            {"anyOf": [FLAG, {"type": "integer", "minimum": 0}]},
            "whether what has no pose gets one, or the seed for it",
        ),
    },
    "thing": {
        "class": NAME,
        "pose?": _described(_numbers(3), "x, y in metres, heading in radians"),
        "size?": _described(_numbers(3), "width across the front, depth, height in metres"),
        "affords?": _described(NAMES, "what it affords beyond its class"),
        "lacks?": _described(NAMES, "what of its class it does not afford"),
        "attributes?": _described(ATTRIBUTE_VALUES, "its values, instead of those of its class"),
        "count?": _described({"type": "integer", "minimum": 1}, "how many equal ones, numbered from 1"),
        "opened?": FLAG,
        "of?": _described(NAME, "the cabinet of a drawer"),
        "at?": _described(NAME, "place where an agent is"),
        "body?": _described(NAME, "which of its bodies a simulator uses for the robot"),
        "on?": _described(NAME, "what it stands on"),
        "in?": _described(NAME, "what it is in"),
        "offset?": _described(_numbers(2), "metres to the right and to the front from the middle"),
        "level?": _described({"type": "integer", "minimum": 0, "maximum": 20}, "board, compartment or drawer"),
        "yaw?": _described(NUMBER, "radians"),
        "hidden?": _described(FLAG, "whether nobody knows where it is until it is sensed"),
        "label?": _described(TEXT, "of an unlisted thing: what a detector calls it"),
        **OF_MODELS,
    },
}
VALUES: Mapping[str, Mapping[str, Schema]] = {
    table: {**forms, **(OVERRIDING if table in SORTS.values() else {})} for table, forms in WRITTEN.items()
}
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
THINGS = PLACED | ARRANGED
"""Keys of a thing by its sort."""

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
