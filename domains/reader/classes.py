"""The readers of classes, kinds, and the words of people for them."""

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
    """The further words of classes and kinds; one word means one class or kind."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._meanings: dict[str, tuple[str, Mark]] = {}

    def read(self, node: Node | None, owner: str) -> tuple[str, ...]:
        """Read the words of `owner`."""
        if node is None or is_empty(node):
            return ()
        words = texts(node, f"the words of '{owner}'", self._diagnostics)
        for word, mark in words:
            meaning, _ = self._meanings.setdefault(word, (owner, mark))
            if meaning != owner:
                self._diagnostics.add(
                    mark, f"'{word}' already means '{meaning}'; expected a word of its own", "named-twice"
                )
        return tuple(word for word, _ in words)

    def check(self, symbols: Collection[str]) -> None:
        """Report words that are the name of another class or kind."""
        for word, (owner, mark) in self._meanings.items():
            name = word.replace(" ", "_")
            if name in symbols and name != owner:
                self._diagnostics.add(
                    mark, f"'{word}' of '{owner}' is itself a class or kind; expected another word", "named-twice"
                )


def read_kinds(node: Node | None, words: Words, diagnostics: Diagnostics) -> dict[str, tuple[str, ...]]:
    """Read the kinds, each with its further words."""
    return {key.text: words.read(value, key.text) for key, value in entries(node, "kinds", diagnostics)}


def read_classes(
    node: Node | None,
    affordances: Collection[str] | None,
    kinds: Collection[str],
    words: Words,
    diagnostics: Diagnostics,
) -> dict[str, ObjectClass]:
    """Read the classes by name."""
    return {
        entry.key.text: _read_class(entry, affordances, kinds, words, diagnostics)
        for entry in entries(node, "classes", diagnostics)
    }


def _read_class(
    entry: Entry,
    affordances: Collection[str] | None,
    kinds: Collection[str],
    words: Words,
    diagnostics: Diagnostics,
) -> ObjectClass:
    name, what = entry.key.text, f"class '{entry.key.text}'"
    if name in kinds:
        diagnostics.add(
            entry.key.mark, f"'{name}' is already a kind; expected another name for the class", "named-twice"
        )
    fields = open_table(entry.value, "class", what, diagnostics)
    shape, model = fields.get("shape"), fields.get("model")
    if shape is not None and model is not None:
        diagnostics.add(
            model.mark, f"{what} has both 'shape' and 'model'; expected one (movable, or furniture)", "keys-contradict"
        )
    abstract = flag(fields.get("abstract"), f"'abstract' of {what}", diagnostics)
    body = shape if shape is not None else model
    if abstract and body is not None:
        message = f"{what} is abstract, so it has no body; expected neither 'shape' nor 'model'"
        diagnostics.add(body.mark, message, "keys-contradict", "abstract")
    return ObjectClass(
        name=name,
        affordances=frozenset(
            known(fields.get("affordances"), "affordance", affordances, f"the affordances of {what}", diagnostics)
        ),
        kinds=frozenset(known(fields.get("kinds"), "kind", kinds, f"the kinds of {what}", diagnostics)),
        words=words.read(fields.get("words"), name),
        shape=read_shape(shape, what, diagnostics) if shape is not None else None,
        model=symbol(model, f"the model of {what}", diagnostics) if model is not None else None,
        abstract=abstract,
    )


def read_shape(node: Node, owner: str, diagnostics: Diagnostics) -> Shape:
    """Read the solid of a movable thing."""
    what = f"the shape of {owner}"
    fields = open_table(node, "shape", what, diagnostics)
    size_node = fields.get("size")
    form = choice(fields.get("form"), "form", FORMS, f"the form of {owner}", diagnostics)
    size = _three(numbers(size_node, 3, f"the size of {owner}", diagnostics, 0.005, MAX_SIZE))
    if size_node is not None and all(size):
        _check_round(form, size, size_node.mark, owner, diagnostics)
    mass = number(fields.get("mass"), f"the mass of {owner}", diagnostics, 0.2, 0.001, MAX_MASS)
    colour = fields.get("colour")
    if colour is None:
        return Shape(form, size, mass, GREY)
    return Shape(form, size, mass, _three(numbers(colour, 3, f"the colour of {owner}", diagnostics, 0.0, 1.0)))


def _check_round(form: str, size: Vector, mark: Mark, owner: str, diagnostics: Diagnostics) -> None:
    alike = {"cylinder": size[:2], "sphere": size}.get(form, ())
    if len(set(alike)) > 1:
        count = "two" if form == "cylinder" else "three"
        diagnostics.add(
            mark, f"the size of {owner} is not that of a {form}; expected its diameter {count} times", "bad-size"
        )


def _three(values: tuple[float, ...]) -> Vector:
    return (values[0], values[1], values[2])


def kinds_of(classes: Mapping[str, ObjectClass], kinds: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the classes of each kind."""
    return {
        kind: frozenset(name for name, object_class in classes.items() if kind in object_class.kinds) for kind in kinds
    }


def read_constants(
    node: Node | None, classes: Mapping[str, ObjectClass], affordances: Collection[str] | None, diagnostics: Diagnostics
) -> dict[str, Thing]:
    """Read the constants: things that every scene has."""
    constants: dict[str, Thing] = {}
    for entry in entries(node, "constants", diagnostics):
        name, what = entry.key.text, f"constant '{entry.key.text}'"
        fields = open_table(entry.value, "constant", what, diagnostics)
        class_name = choice(fields.get("class"), "class", classes, f"the class of {what}", diagnostics)
        if class_name not in classes:
            continue
        object_class = classes[class_name]
        if object_class.shape is not None or object_class.model is not None:
            message = f"{what} is a {class_name}, which has a body; expected it among the things of a scene"
            diagnostics.add(entry.key.mark, message, "needs-placement", name)
        thing = Thing(name, object_class.name, object_class.affordances, object_class.kinds, object_class.words)
        constants[name] = with_affordances(thing, fields, affordances, diagnostics)
    return constants


def with_affordances(
    thing: Thing, fields: Fields, affordances: Collection[str] | None, diagnostics: Diagnostics
) -> Thing:
    """Return a thing with its additional affordances (``affords``), and without those that it ``lacks``."""
    more, less = fields.get("affords"), fields.get("lacks")
    if more is None and less is None:
        return thing
    added = known(more, "affordance", affordances, f"'affords' of {fields.what}", diagnostics)
    removed = known(less, "affordance", affordances, f"'lacks' of {fields.what}", diagnostics)
    for name in set(added) & set(removed):
        mark = fields.values["lacks"].mark
        diagnostics.add(mark, f"{fields.what} both affords and lacks {name}; expected one", "contradiction", name)
    gains, lacks = frozenset(added), frozenset(removed)
    return replace(thing, affordances=(thing.affordances | gains) - lacks, gains=gains, lacks=lacks)
