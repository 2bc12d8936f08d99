"""Classes, kinds, and the words people use for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from domains.model import ObjectClass
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Entry, Node
from domains.reader.nodes.fields import (
    Fields,
    choice,
    entries,
    flag,
    is_empty,
    known,
    number,
    numbers,
    symbol,
    texts,
)
from semantics.geometry import Vector
from semantics.layout import Shape
from semantics.vocabulary import Thing

__all__ = [
    "FORMS",
    "Words",
    "kinds_of",
    "read_classes",
    "read_constants",
    "read_kinds",
    "read_shape",
    "with_affordances",
]

FORMS = ("box", "cylinder", "sphere", "open-box")
GREY = (0.6, 0.6, 0.6)
MAX_SIZE = 3.0
MAX_MASS = 50.0


class Words:
    """Further words by what they mean; one word means one class or kind."""

    def __init__(self, complaints: Diagnostics) -> None:
        self._complaints = complaints
        self._meanings: dict[str, tuple[str, Mark]] = {}

    def read(self, node: Node | None, owner: str) -> tuple[str, ...]:
        """Read the words of `owner`."""
        if node is None or is_empty(node):
            return ()
        found = texts(node, f"the words of '{owner}'", self._complaints)
        for word, mark in found:
            meaning, _ = self._meanings.setdefault(word, (owner, mark))
            if meaning != owner:
                self._complaints.add(
                    mark, f"'{word}' already means '{meaning}'; expected a word of its own", "named-twice"
                )
        return tuple(word for word, _ in found)

    def check(self, symbols: Collection[str]) -> None:
        """Complain of words that are the name of something else."""
        for word, (owner, mark) in self._meanings.items():
            name = word.replace(" ", "_")
            if name in symbols and name != owner:
                self._complaints.add(
                    mark, f"'{word}' of '{owner}' is itself a class or kind; expected another word", "named-twice"
                )


def read_kinds(node: Node | None, words: Words, complaints: Diagnostics) -> dict[str, tuple[str, ...]]:
    """Read the kinds, each with its further words."""
    return {key.text: words.read(value, key.text) for key, value in entries(node, "kinds", complaints)}


def read_classes(
    node: Node | None,
    affordances: Collection[str] | None,
    kinds: Collection[str],
    words: Words,
    complaints: Diagnostics,
) -> dict[str, ObjectClass]:
    """Read the classes by name."""
    return {
        entry.key.text: _read_class(entry, affordances, kinds, words, complaints)
        for entry in entries(node, "classes", complaints)
    }


def _read_class(
    entry: Entry,
    affordances: Collection[str] | None,
    kinds: Collection[str],
    words: Words,
    complaints: Diagnostics,
) -> ObjectClass:
    name, what = entry.key.text, f"class '{entry.key.text}'"
    if name in kinds:
        complaints.add(
            entry.key.mark, f"'{name}' is already a kind; expected another name for the class", "named-twice"
        )
    fields = open_table(entry.value, "class", what, complaints)
    shape, model = fields.get("shape"), fields.get("model")
    if shape is not None and model is not None:
        complaints.add(
            model.mark, f"{what} has both 'shape' and 'model'; expected one (movable, or furniture)", "keys-contradict"
        )
    abstract = flag(fields.get("abstract"), f"'abstract' of {what}", complaints)
    body = shape if shape is not None else model
    if abstract and body is not None:
        message = f"{what} is abstract, so it has no body; expected neither 'shape' nor 'model'"
        complaints.add(body.mark, message, "keys-contradict", "abstract")
    return ObjectClass(
        name=name,
        affordances=frozenset(
            known(fields.get("affordances"), "affordance", affordances, f"the affordances of {what}", complaints)
        ),
        kinds=frozenset(known(fields.get("kinds"), "kind", kinds, f"the kinds of {what}", complaints)),
        words=words.read(fields.get("words"), name),
        shape=read_shape(shape, what, complaints) if shape is not None else None,
        model=symbol(model, f"the model of {what}", complaints) if model is not None else None,
        abstract=abstract,
    )


def read_shape(node: Node, owner: str, complaints: Diagnostics) -> Shape:
    """Read the solid of a movable thing."""
    what = f"the shape of {owner}"
    fields = open_table(node, "shape", what, complaints)
    size_node = fields.get("size")
    form = choice(fields.get("form"), "form", FORMS, f"the form of {owner}", complaints)
    size = _three(numbers(size_node, 3, f"the size of {owner}", complaints, 0.005, MAX_SIZE))
    if size_node is not None and all(size):
        _check_round(form, size, size_node.mark, owner, complaints)
    mass = number(fields.get("mass"), f"the mass of {owner}", complaints, 0.2, 0.001, MAX_MASS)
    colour = fields.get("colour")
    if colour is None:
        return Shape(form, size, mass, GREY)
    return Shape(form, size, mass, _three(numbers(colour, 3, f"the colour of {owner}", complaints, 0.0, 1.0)))


def _check_round(form: str, size: Vector, mark: Mark, owner: str, complaints: Diagnostics) -> None:
    alike = {"cylinder": size[:2], "sphere": size}.get(form, ())
    if len(set(alike)) > 1:
        count = "two" if form == "cylinder" else "three"
        complaints.add(
            mark, f"the size of {owner} is not that of a {form}; expected its diameter {count} times", "bad-size"
        )


def _three(values: tuple[float, ...]) -> Vector:
    return (values[0], values[1], values[2])


def kinds_of(classes: Mapping[str, ObjectClass], kinds: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the classes of each kind."""
    return {kind: frozenset(name for name, found in classes.items() if kind in found.kinds) for kind in kinds}


def read_constants(
    node: Node | None, classes: Mapping[str, ObjectClass], affordances: Collection[str] | None, complaints: Diagnostics
) -> dict[str, Thing]:
    """Read the things that every scene has."""
    found: dict[str, Thing] = {}
    for entry in entries(node, "constants", complaints):
        name, what = entry.key.text, f"constant '{entry.key.text}'"
        fields = open_table(entry.value, "constant", what, complaints)
        class_name = choice(fields.get("class"), "class", classes, f"the class of {what}", complaints)
        if class_name not in classes:
            continue
        one = classes[class_name]
        if one.shape is not None or one.model is not None:
            message = f"{what} is a {class_name}, which has a body; expected it among the things of a scene"
            complaints.add(entry.key.mark, message, "needs-placement", name)
        thing = Thing(name, one.name, one.affordances, one.kinds, one.words)
        found[name] = with_affordances(thing, fields, affordances, complaints)
    return found


def with_affordances(
    thing: Thing, fields: Fields, affordances: Collection[str] | None, complaints: Diagnostics
) -> Thing:
    """Return a thing with what it affords beyond its class (``affords``), and without what it ``lacks``."""
    more, less = fields.get("affords"), fields.get("lacks")
    if more is None and less is None:
        return thing
    added = known(more, "affordance", affordances, f"'affords' of {fields.what}", complaints)
    removed = known(less, "affordance", affordances, f"'lacks' of {fields.what}", complaints)
    for name in set(added) & set(removed):
        mark = fields.values["lacks"].mark
        complaints.add(mark, f"{fields.what} both affords and lacks {name}; expected one", "contradiction", name)
    gains, lacks = frozenset(added), frozenset(removed)
    return replace(thing, affordances=(thing.affordances | gains) - lacks, gains=gains, lacks=lacks)
