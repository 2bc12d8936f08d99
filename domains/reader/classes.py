"""The readers of classes, kinds, and the words of people for them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

from domains.model import ObjectClass
from domains.reader.attributes import instead_of, measured_class, read_values
from domains.reader.furnishing import read_parameters
from domains.reader.keys import FORMS, open_table
from domains.reader.nodes.document import Entry, Node, Scalar
from domains.reader.nodes.fields import Field, Fields, entries, is_empty
from semantics.body.layout import Shape
from semantics.geometry.furnishing import MESH
from semantics.logic.quantity import Quantity, QuantityError
from semantics.logic.vocabulary import Attribute, Thing
from semantics.plain_text import shortened

GREY = (0.6, 0.6, 0.6)
NEVER = "never"  # how often things are moved that stay where they are
Limits = tuple[tuple[float, float], tuple[float, float]]

THINNEST = 0.005
LIMITS: Limits = ((THINNEST, 3.0), (0.001, 50.0))
LIMITS_OF_PACKS: Limits = ((0.0001, 10.0), (0.0001, 2000.0))
"""The shortest and the longest side, and the smallest and the largest mass; packs know also what nobody carries."""


class Words:
    """The further words of classes and kinds; one word means one class or kind."""

    def __init__(self) -> None:
        self._meanings: dict[str, tuple[str, Scalar]] = {}

    def read(self, node: Node | None, owner: str) -> tuple[str, ...]:
        """Read the words of `owner`."""
        if node is None or is_empty(node):
            return ()
        words = Field(node, f"the words of '{owner}'").texts()
        for word, place in words.items():
            meaning, _ = self._meanings.setdefault(word, (owner, place))
            if meaning != owner:
                place.report(f"'{word}' already means '{meaning}'; expected a word of its own", "named-twice")
        return tuple(words)

    def check(self, symbols: Collection[str]) -> None:
        """Report words that are the name of another class or kind."""
        for word, (owner, place) in self._meanings.items():
            name = word.replace(" ", "_")
            if name in symbols and name != owner:
                message = f"'{word}' of '{owner}' is itself a class or kind; expected another word"
                place.report(message, "named-twice")


class KnownNames(NamedTuple):
    """What the table of a class may name."""

    affordances: Collection[str] | None  # none if they could not be read, so that they are not checked
    kinds: Collection[str]  # the kinds
    words: Words  # the words of the classes and kinds that were read before
    attributes: Mapping[str, Attribute]  # the attributes by name


def read_moves_every(node: Node | None, known: Collection[str] | None = None) -> dict[str, float]:
    """Read after how many seconds half of the things of a class or kind have been moved; infinite for never.

    Args:
        node: The table: ``{cup: 20 min, plant: never}``.
        known: The names of classes and kinds; None: not checked.
    """
    periods: dict[str, float] = {}
    for entry in entries(node, "moves_every"):
        name, field = entry.key.text, Field(entry.value, f"how often '{entry.key.text}' is moved")
        if known is not None and name not in known:
            entry.key.unknown("class or kind", name, known)
        said = field.text()
        try:
            periods[name] = math.inf if said == NEVER else Quantity.read(said).to("s").base
        except QuantityError:
            periods[name] = 0.0
        if said and periods[name] <= 0.0:
            message = f"{field.what} is '{shortened(said)}'; expected a time, such as 20 min, or never"
            entry.value.report(message, "out-of-range")
    return periods


def read_classes(node: Node | None, known: KnownNames, source: str = "") -> dict[str, ObjectClass]:
    """Read the classes by name; the files of meshes stand beside `source`."""
    return {entry.key.text: _read_class(entry, known, source) for entry in entries(node, "classes")}


def _read_class(entry: Entry, known: KnownNames, source: str) -> ObjectClass:
    name = entry.key.text
    if name in known.kinds:
        entry.key.report(f"'{name}' is already a kind; expected another name for the class", "named-twice")
    fields = open_table(entry.value, "class", f"class '{name}'")
    object_class = with_body(ObjectClass(name, frozenset()), fields, known, source)
    abstract = fields["abstract"].flag()
    body = fields.get("shape") or fields.get("model")
    if abstract and body is not None:
        message = f"{fields.what} is abstract, so it has no body; expected neither 'shape' nor 'model'"
        body.report(message, "keys-contradict", "abstract")
    return replace(object_class, abstract=abstract, lacks=_lacks(fields, object_class.affordances, known.affordances))


def with_body(object_class: ObjectClass, fields: Fields, known: KnownNames, source: str = "") -> ObjectClass:
    """Return a class with the affordances, kinds, words, body and values of its table added."""
    shape, model = fields.get("shape"), fields.get("model")
    if shape is not None and model is not None:
        message = f"{fields.what} has both 'shape' and 'model'; expected one (movable, or furniture)"
        model.report(message, "keys-contradict")
    model_name = fields["model"].symbol()
    mesh = None
    if model_name == MESH or "mesh" in fields.values:
        from domains.reader.meshes import furniture_mesh  # few worlds have solids from files

        mesh = furniture_mesh(fields, model_name, source)
    whole = replace(
        object_class,
        affordances=object_class.affordances.union(fields["affordances"].known("affordance", known.affordances)),
        kinds=frozenset(fields["kinds"].known("kind", known.kinds)),
        words=known.words.read(fields.get("words"), object_class.name),
        shape=None if shape is None else read_shape(shape, fields.what, source),
        model=model_name or None,
        parameters=read_parameters(fields, model_name),
        mesh=mesh,
        abstract=shape is None and model is None,
    )
    return measured_class(whole, read_values(fields.get("attributes"), known.attributes, fields.what), known.attributes)


def read_shape(node: Node, owner: str, source: str = "", limits: Limits = LIMITS) -> Shape:
    """Read the solid of a thing; the file of a mesh stands beside `source`. A side is `THINNEST` at least."""
    fields = replace(open_table(node, "shape", f"the shape of {owner}"), what=owner)
    form = fields["form"].choice("form", FORMS)
    red, green, blue = fields["colour"].numbers(3, 0.0, 1.0) if "colour" in fields.values else GREY
    colour = (red, green, blue)
    if form == MESH or not fields.values.keys().isdisjoint(("mesh", "density")):
        from domains.reader.meshes import mesh_shape, refuse_mesh

        if form == MESH:
            return replace(mesh_shape(fields, source), colour=colour)
        refuse_mesh(fields, f"the form '{form}'")
    if form and fields.get("size") is None:
        fields.node.report(f"the shape of {owner} has no 'size'; expected three lengths in metres", "missing-key")
    width, depth, height = (length and max(length, THINNEST) for length in fields["size"].numbers(3, *limits[0]))
    size = (width, depth, height)
    alike = {"cylinder": size[:2], "open-cylinder": size[:2], "sphere": size}.get(form, ())
    if all(size) and len(set(alike)) > 1:
        count = "three" if form == "sphere" else "two"
        message = f"the size of {owner} is not that of a {form}; expected its diameter {count} times"
        fields.values["size"].report(message, "bad-size")
    return Shape(form, size, fields["mass"].number(0.2, *limits[1]), colour)


def read_constants(
    node: Node | None,
    classes: Mapping[str, ObjectClass],
    affordances: Collection[str] | None,
    attributes: Mapping[str, Attribute],
) -> dict[str, Thing]:
    """Read the constants: things that every scene has."""
    constants: dict[str, Thing] = {}
    for entry in entries(node, "constants"):
        name, what = entry.key.text, f"constant '{entry.key.text}'"
        fields = open_table(entry.value, "constant", what)
        class_name = fields["class"].choice("class", classes)
        if class_name not in classes:
            continue
        object_class = classes[class_name]
        if object_class.shape is not None:
            message = f"{what} is a {class_name}, which can be moved; expected it among the things of a scene"
            entry.key.report(message, "needs-placement", name)
        constants[name] = with_own(object_class.instance(name), fields, affordances, attributes)
    return constants


def with_own(
    thing: Thing, fields: Fields, affordances: Collection[str] | None, attributes: Mapping[str, Attribute]
) -> Thing:
    """Return a thing with the affordances and values that its own table states, instead of those of its class."""
    if not fields.values.keys().isdisjoint(("affords", "lacks")):
        gains = frozenset(fields["affords"].known("affordance", affordances))
        lacks = _lacks(fields, gains, affordances)
        thing = replace(thing, affordances=(thing.affordances | gains) - lacks, gains=gains, lacks=lacks)
    own = read_values(fields.get("attributes"), attributes, fields.what)
    return replace(thing, attributes=instead_of(thing.attributes, own)) if own else thing


def _lacks(fields: Fields, gains: frozenset[str], affordances: Collection[str] | None) -> frozenset[str]:
    """Read what a class or thing lacks; report what it affords as well."""
    lacks = frozenset(fields["lacks"].known("affordance", affordances))
    for name in gains & lacks:
        message = f"{fields.what} both affords and lacks {name}; expected one"
        fields.values["lacks"].report(message, "contradiction", name)
    return lacks
