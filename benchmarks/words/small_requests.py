"""What a small model is asked: 300 household sentences, each with a schema of one kind of reply and its names.

The prompt is short, since such a model reads a hundred tokens a second: the things of the scene, then words with their
replies, and the sentence last, so that a server that keeps prefixes reads only this. The schema allows the names of the
scene alone, each where the world takes it, and all that it allows is allowed in a session. So what the model draws can
be read, and much of it could be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from benchmarks.words.entries import Instruction, load
from benchmarks.words.worlds import copy_of, place_of
from domains.model import Domain
from semantics.body.protocols import Message
from semantics.logic.reply import QueryKind
from semantics.logic.vocabulary import Thing

__all__ = ["COUNTS", "SmallRequest", "misfits", "requests"]

COUNTS: Mapping[str, int] = {
    "goal": 102,
    "program": 33,
    "plan": 33,
    "query": 33,
    "question": 33,
    "refusal": 33,
    "answer": 33,
}
"""How many sentences are answered with each kind of reply."""


LESSONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "goal": (
        ("put the ball into the box", '"goal": ["(in ball0 box0)"], "prefer": null'),
        ("Give me the doll.", '"goal": ["(inhand doll0 human0)"], "prefer": null'),
        ("could you open the gate", '"goal": ["(opened gate0)"], "prefer": null'),
    ),
    "program": (
        ("put the ball into the box", """"program": "achieve('(in ball0 box0)')\""""),
        ("All toys should be on the chair.", """"program": "for x in objects('toy'): achieve(on(x, chair0))\""""),
        ("could you open the gate", """"program": "achieve('(opened gate0)')\""""),
    ),
    "plan": (
        ("put the ball into the box", '"plan": ["pick up ball0", "put ball0 in box0"], "brief": null'),
        ("Give me the doll.", '"plan": ["pick up doll0", "give doll0 to human0"], "brief": null'),
    ),
    "query": (
        ("where is the ball", '"query": {"ask": "where", "about": ["ball0"], "that": null}'),
        ("How many toys are there?", '"query": {"ask": "count", "about": ["toy"], "that": null}'),
    ),
    "question": (
        ("give me a toy", '"question": "Which toy do you mean?", "options": ["ball0", "doll0"]'),
        ("put it into the box", '"question": "What shall be in the box?", "options": ["ball0", "car0"]'),
    ),
    "refusal": (
        ("give me the ball", '"refusal": "There is no ball here.", "missing": ["ball"]'),
        ("paint the fence", '"refusal": "Nobody has any paint.", "missing": ["brush"]'),
    ),
    "answer": (
        ("do you like the ball", '"answer": "Balls are all the same to me."'),
        ("the doll is old", '"answer": "The doll looks as good as new."'),
    ),
}
"""Words with the replies that they get, by the kind of reply."""
STEPS = (
    "go to {location}",
    "pick up {carry}",
    "put {carry} on {support}",
    "put {carry} in {hollow}",
    "give {carry} to human0",
    "open {open}",
    "close {open}",
    "wipe {soil}",
)
"""The lines of a plan; in braces, what a thing must afford."""
CLAUSE = "[A-Z][a-z ,]{9,60}"
TYPES: Mapping[str, type] = {"string": str, "null": type(None), "array": list, "object": dict}
NOTHING = {"type": "null"}


class SmallRequest(NamedTuple):
    """One request to the small model.

    Attributes:
        entry: What is said.
        kind: The kind of reply that is asked for.
        seed: The seed of the model's draws.
    """

    entry: Instruction
    kind: str
    seed: int

    @property
    def id(self) -> str:
        """Its name."""
        return f"{self.entry.id} {self.kind}"

    @property
    def messages(self) -> list[Message]:
        """What the model is told: what is here, words with their replies, and the words that are meant."""
        here = " ".join(_known_things(self.entry))
        told = f"Turn what human0 says to robot0 into JSON on one line. Here are: {here}."
        lessons = [
            Message(role, text)
            for words, reply in LESSONS[self.kind]
            for role, text in (("user", words), ("assistant", f'{{"reply": {{{reply}, "note": null}}}}'))
        ]
        return [Message("system", told), *lessons, Message("user", self.entry.sentence)]

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the reply: one kind, and the names of the scene."""
        place = place_of(self.entry.world, self.entry.scene, str(copy_of(self.entry.world)))
        keys = _keys_of(self.kind, _Names(place.domain, _known_things(self.entry)))
        return _object({"reply": _object({**keys, "note": NOTHING})})


def requests() -> list[SmallRequest]:
    """Return the requests, those in a scene one after the other, and among them those for a kind."""
    entries, order = load("household"), [*COUNTS]
    chosen = [
        SmallRequest(entry, kind, seed)
        for kind, count in COUNTS.items()
        for seed, entry in enumerate(Random(kind).sample(entries, count), 1)
    ]
    return sorted(chosen, key=lambda each: (each.entry.scene, order.index(each.kind), each.seed))


def misfits(value: object, schema: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Yield where a value does not obey a schema of the strict subset, with patterns and lengths of lists."""
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    allowed = any(isinstance(value, TYPES[name]) for name in types) and value in schema.get("enum", [value])
    if not allowed or (isinstance(value, str) and not re.fullmatch(schema.get("pattern", ".*"), value)):
        yield f"{where}: {value!r}"
    elif isinstance(value, dict):
        keys = schema["properties"]
        yield from (f"{where}: {key}" for key in value.keys() ^ keys.keys())
        for key in value.keys() & keys.keys():
            yield from misfits(value[key], keys[key], f"{where}.{key}")
    elif isinstance(value, list):
        if not schema["minItems"] <= len(value) <= schema["maxItems"]:
            yield f"{where}: {len(value)} items"
        for each in value:
            yield from misfits(each, schema["items"], f"{where}[]")


def _known_things(entry: Instruction) -> Mapping[str, Thing]:
    """Return what the robot knows of in the scene of an entry."""
    place = place_of(entry.world, entry.scene, str(copy_of(entry.world)))
    return {name: thing for name, thing in place.things.items() if name not in place.hidden}


class _Names:
    """The names of a scene, and patterns of what may be said with them.

    Args:
        domain: The world.
        things: What is there.
    """

    def __init__(self, domain: Domain, things: Mapping[str, Thing]) -> None:
        self._domain, self._things = domain, things
        self.things, self.kinds = [*things], sorted({kind for thing in things.values() for kind in thing.kinds})
        self.absent = sorted(domain.classes.keys() - {thing.class_name for thing in things.values()})

    @property
    def facts(self) -> str:
        """The pattern of the facts that can be wanted of the things."""
        models = [model.predicate for model in self._domain.predicates.values() if not model.bookkeeping]
        wanted = [each for each in models if each.goal and not each.on_demand]
        return self.forms(rf"\({' '.join((each.name, *map('{{{}}}'.format, each.parameters)))}\)" for each in wanted)

    def forms(self, forms: Iterable[str]) -> str:
        """Return the pattern of forms whose gaps are filled by things, without those that nothing fits."""
        return either(filter(None, map(self._filled, forms)))

    def _filled(self, form: str) -> str:
        gaps = re.findall(r"{([\w-]+)}", form)
        able = {gap: [name for name, thing in self._things.items() if thing.affords((gap,))] for gap in gaps}
        return re.sub(r"{([\w-]+)}", lambda gap: either(able[gap[1]]), form) if all(able.values()) else ""


def either(parts: Iterable[str]) -> str:
    """Return the pattern of one of some parts."""
    return f"({'|'.join(parts)})"


def _keys_of(kind: str, names: _Names) -> dict[str, Any]:
    """Return the schema of each key of a kind of reply, but the note."""
    swept = names.forms((r"on\(x, {support}\)", r"in_\(x, {hollow}\)"))
    loop = rf"for x in objects\('{either(names.kinds)}'\): achieve\({swept}\)"
    match kind:
        case "goal":
            every = names.forms((r"\(on \?x {support}\)", r"\(in \?x {hollow}\)"))
            whole = either((names.facts, rf"\(forall \(\?x - {either(names.kinds)}\) {every}\)"))
            return {"goal": _list(_text(whole), 2), "prefer": NOTHING}
        case "program":
            return {"program": _text(either((rf"achieve\('{names.facts}'\)", loop, r"say\('[a-z ]{3,30}'\)")))}
        case "plan":
            return {"plan": _list(_text(names.forms(STEPS)), 4), "brief": NOTHING}
        case "query":
            about = _list({"type": "string", "enum": [*names.things, *names.kinds]}, 2)
            return {
                "query": _object(
                    {"ask": {"type": "string", "enum": [*map(str, QueryKind)]}, "about": about, "that": NOTHING}
                )
            }
        case "question":
            return {"question": _text(rf"{CLAUSE}\?"), "options": _list({"type": "string", "enum": names.things}, 3)}
        case "refusal":
            return {"refusal": _text(rf"{CLAUSE}\."), "missing": _list({"type": "string", "enum": names.absent}, 2)}
        case _:
            return {"answer": _text(rf"{CLAUSE}\.")}


def _object(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(keys), "required": [*keys], "additionalProperties": False}


def _list(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(items), "minItems": 1, "maxItems": most}


def _text(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}
