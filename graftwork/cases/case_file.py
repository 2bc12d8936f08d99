"""The reader of case files: strict YAML; it reports all mistakes together, each with its line and column.

A file holds one case or a list of cases. A goal may name unknown objects, so that a case can expect a refusal; facts
and steps may not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from affordances.scene import Scene, bookkeeping_of
from domains.diagnostics import Mark
from domains.errors import DomainFileError
from domains.model import Domain, SceneFile
from domains.reader import available_scenes, load_scene
from domains.reader.formulas.conditions import check_names
from domains.reader.nodes.document import Listing, Node, Scalar, read_document
from domains.reader.nodes.fields import Field, Fields, open_fields
from domains.world import World
from graftwork.cases.expectations import KINDS, ExpectationReader, read_facts, read_goal
from graftwork.cases.model import Case, CasePosition
from semantics.errors import UnknownNameError
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.rules import RuleBook
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing
from semantics.process.reading import read_table, real_path

ASKED = ("goal", "instruction", "answers")
KEYS = ("scene", *ASKED, "facts", *KINDS)
Things = dict[str, Thing]


def read_cases(path: Path, world: CaseWorld, shown: str = "") -> tuple[Case, ...]:
    """Read the cases of a file.

    Args:
        path: The file.
        world: The world of the cases.
        shown: The path for messages; by default `path`.

    Raises:
        DomainFileError: The file cannot be used; lists every problem with its line and column.
    """
    shown = shown or str(path)
    node, diagnostics = read_document(path, shown)
    reader = _CaseReader(path, shown, world)
    cases = tuple(reader.case(item) for item in _items(node))
    diagnostics.settle()
    return cases


def _items(node: Node) -> Iterator[Node]:
    items = node.items if isinstance(node, Listing) else (node,)
    if not items:
        node.report("there are no cases; expected one, or a list of them")
    yield from items


class _CaseReader:
    """Reads the cases of one file; two cases must not have the same name."""

    def __init__(self, path: Path, shown: str, world: CaseWorld) -> None:
        self._path = path
        self._shown = shown
        self._world = world
        self._names: dict[str, Mark] = {}

    def case(self, node: Node) -> Case:
        fields = open_fields(node, "a case", required=("name",), optional=KEYS)
        scene, things = self._scene(fields)
        added, removed = self._facts(fields.get("facts"), things)
        expectations = ExpectationReader(self._world.domain, things)
        goal_node = fields.get("goal")
        goal = read_goal(goal_node, "the goal") if goal_node is not None else None
        return Case(
            name=self._name(fields),
            place=CasePosition(self._shown, node.mark.line),
            scene=scene,
            goal=goal,
            instruction=self._instruction(fields),
            expected=expectations.read(fields, goal),
            answers=self._answers(fields),
            added=added,
            removed=removed,
        )

    def _name(self, fields: Fields) -> str:
        node = fields.get("name")
        name = Field(node, "the name of the case").text()
        if node is not None and name in self._names:
            first = self._names[name].line
            node.report(f"a case named '{name}' stands in line {first} already; expected another")
        elif node is not None:
            self._names[name] = node.mark
        return name

    def _scene(self, fields: Fields) -> tuple[str, Things | None]:
        """Return the name and the objects of the scene; the objects are None when the scene cannot be read."""
        node = fields.get("scene")
        name = Field(node, "the scene").text(self._world.first_scene)
        if not name:
            if node is None and fields.values:
                fields.node.report("no scene is named, and the domain has none")
            return "", None
        if "/" in name or name.endswith((".yaml", ".yml")):
            name = str(real_path(self._path.parent / name))
        place = node or fields.node
        try:
            return name, dict(self._world.scene(name).things)
        except UnknownNameError as error:
            place.unknown("scene", name, error.valid)
        except DomainFileError as error:
            place.report(f"the scene cannot be used: {error.problems[0]}")
        return name, None

    def _instruction(self, fields: Fields) -> str:
        words, goal = fields.get("instruction"), fields.get("goal")
        if words is not None and goal is not None:
            words.report("the case has a goal and an instruction; expected one of the two")
        if words is None and goal is None and fields.values:
            fields.node.report("nothing is asked for; expected 'goal' (PDDL) or 'instruction' (words)")
        return Field(words, "the instruction").text()

    def _answers(self, fields: Fields) -> tuple[str, ...] | None:
        node = fields.get("answers")
        if node is None:
            return None
        if fields.get("instruction") is None:
            node.report("answers are given by a model that reads words; expected an 'instruction'")
        items = node.items if isinstance(node, Listing) else (node,)
        return tuple(answer_text(item) for item in items)

    def _facts(self, node: Node | None, things: Things | None) -> tuple[frozenset[Atom], frozenset[Atom]]:
        if node is None:
            return frozenset(), frozenset()
        fields = open_fields(node, "the facts", optional=("add", "remove"))
        added = read_facts(fields.get("add"), "'add'")
        removed = read_facts(fields.get("remove"), "'remove'")
        for scalar, atom in (*added, *removed):
            self._check_fact(scalar, atom, things)
        return frozenset(atom for _, atom in added), frozenset(atom for _, atom in removed)

    def _check_fact(self, scalar: Scalar, atom: Atom, things: Things | None) -> None:
        if things is None:
            return
        names = {name: sorted(thing.affordances) for name, thing in things.items()}
        check_names(scalar, names, self._world.domain.predicates)
        domain, name = self._world.domain, atom.predicate
        is_bookkeeping = name in bookkeeping_of(domain)
        if is_bookkeeping or name in domain.derived:
            message = f"{atom} follows from other facts; expected one that does not, and this one is computed"
            scalar.report(message)


PARTS = ("goal", "question", "refusal")


def answer_text(node: Node) -> str:
    """Read an answer: a text is kept as written; a table becomes JSON in which its missing keys are null."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Listing):
        node.report(f"an answer is a list; expected a text, or a table with one of {', '.join(PARTS)}")
        return ""
    fields = open_fields(node, "an answer", optional=PARTS)
    if len(fields.values) != 1:
        node.report(f"an answer says {len(fields.values)} things; expected one of {', '.join(PARTS)}")
    answer = {part: Field(fields.get(part), f"'{part}' of an answer").text() or None for part in PARTS}
    return json.dumps(answer, ensure_ascii=False)


Schema = dict[str, Any]

TEXT: Schema = {"type": ["string", "number", "boolean"]}
FREE: Schema = {"type": ["object", "array", "string", "number", "boolean"]}
CODE: Schema = {"enum": [str(code) for code in Code]}
VALUES: dict[str, Schema] = {**read_table(__file__), "refused": CODE, "no-plan": CODE}
"""The schema of each key that has one; the reader checks the others."""


def case_schema() -> Schema:
    """Return the JSON Schema of a case file, for editors: one case, or a list of cases."""
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


@dataclass(frozen=True, slots=True)
class CaseScene:
    """A scene to plan in: the scene as written, its world, and its state."""

    scene: SceneFile
    world: World
    state: State


@dataclass(slots=True)
class CaseWorld:
    """A domain and its scenes."""

    domain: Domain  # the domain
    rules: RuleBook = field(init=False)  # its semantic conditions; Prolog loads them once
    _settings: dict[str, CaseScene] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.rules = RuleBook(self.domain.rules)

    @property
    def first_scene(self) -> str:
        """The default scene, for cases that name none; empty when the domain has no scene."""
        return next(iter(available_scenes(self.domain)), "")

    def scene(self, name_or_path: str) -> SceneFile:
        """Read a scene, or return it from the cache.

        Raises:
            UnknownNameError: There is no such scene.
            DomainFileError: The scene file cannot be used.
        """
        return self._written(name_or_path).scene

    def setting(
        self, name_or_path: str, added: frozenset[Atom] = frozenset(), removed: frozenset[Atom] = frozenset()
    ) -> CaseScene:
        """Return a scene with some of its facts changed; the derived facts are computed again."""
        written = self._written(name_or_path)
        if not added and not removed:
            return written
        scene = written.scene
        beliefs: Mapping[Atom, str] = {atom: why for atom, why in scene.beliefs.items() if atom not in removed}
        changed = replace(scene, facts=scene.facts - removed | added, beliefs=beliefs)
        return replace(written, state=Scene.as_written(changed, self.domain).state)

    def _written(self, name_or_path: str) -> CaseScene:
        if name_or_path not in self._settings:
            path = Path(name_or_path)
            scene = load_scene(self.domain, path if path.is_absolute() else name_or_path)
            state = Scene.as_written(scene, self.domain).state
            self._settings[name_or_path] = CaseScene(scene, World.of(scene, self.domain, self.rules), state)
        return self._settings[name_or_path]
