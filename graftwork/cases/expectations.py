"""The reader of a case's expectation: one kind of outcome, and the properties that it must have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Literal as Choice

from domains.model import Capability, Domain
from domains.reader.formulas.conditions import read_formula
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode
from domains.reader.nodes.fields import Fields, choice, flag, number, open_fields, scalars, texts, whole
from graftwork.cases.model import (
    ANY,
    Already,
    Expectation,
    Partial,
    PlanExpected,
    Planned,
    QuestionExpected,
    RefusalExpected,
    StepPattern,
    Substituted,
)
from semantics.atoms import And, Atom, Conjunct, Formula, Literal, Not, literals
from semantics.feedback import Code
from semantics.vocabulary import Thing

__all__ = ["KINDS", "ExpectationReader", "read_facts", "read_goal", "read_literal"]


PLANNED = ("cost", "plan", "optimal")
KINDS = (*PLANNED, "refused", "no-plan", "culprits", "question", "already", "substitute", "part")
CODES = tuple(map(str, Code))
STEP = re.compile(r"\(\s*([^\s()]+(?:\s+[^\s()]+)*)\s*\)|([^\s()]+)")
PARTS = ("contains", "in-order", "not", "length")


class ExpectationReader:
    """Reads the expectation of a case.

    Args:
        domain: The world.
        things: The objects of the scene; None when the scene could not be read.
        diagnostics: Collects the mistakes.
    """

    def __init__(self, domain: Domain, things: dict[str, Thing] | None, diagnostics: Diagnostics) -> None:
        self._domain = domain
        self._things = things
        self._diagnostics = diagnostics

    def read(self, fields: Fields, goal: Formula | None) -> Expectation:
        """Read the expectation of a case; report a mistake when there is none, or more than one."""
        readers: Mapping[str, Callable[[Node], Expectation]] = {
            "refused": lambda node: self._refused(node, "check", fields),
            "no-plan": lambda node: self._refused(node, "planning", fields),
            "question": self._asked,
            "already": lambda node: self._true(node, "already", Already()),
            "substitute": self._substituted,
            "part": lambda node: self._partial(node, goal),
        }
        outcome_keys = [key for key in readers if fields.get(key) is not None]
        self._check_single(fields, outcome_keys)
        if outcome_keys:
            node = fields.get(outcome_keys[0])
            assert node is not None
            return readers[outcome_keys[0]](node)
        return self._planned(fields)

    def _check_single(self, fields: Fields, outcome_keys: list[str]) -> None:
        planned = [key for key in PLANNED if fields.get(key) is not None]
        if not outcome_keys and not planned and fields.values:
            listed = ", ".join(key for key in KINDS if key != "culprits")
            self._diagnostics.add(fields.mark, f"nothing is expected of the case; expected one of {listed}")
        for key in [*outcome_keys, *planned][1:] if outcome_keys else ():
            node = fields.get(key)
            assert node is not None
            message = f"the case expects '{outcome_keys[0]}' and '{key}' at once; expected one of them"
            self._diagnostics.add(node.mark, message)
        culprits = fields.get("culprits")
        if culprits is not None and not {"refused", "no-plan"}.intersection(outcome_keys):
            self._diagnostics.add(culprits.mark, "culprits belong to 'refused' or 'no-plan'; expected one of these")

    def _planned(self, fields: Fields) -> Planned:
        cost, optimal = fields.get("cost"), fields.get("optimal")
        return Planned(
            None if cost is None else whole(cost, "the cost", self._diagnostics),
            self._shape(fields.get("plan")),
            None if optimal is None else flag(optimal, "'optimal'", self._diagnostics),
        )

    def _shape(self, node: Node | None) -> PlanExpected:
        """Read a complete plan (a list of steps) or some properties of a plan (a table)."""
        if node is None:
            return PlanExpected()
        if not isinstance(node, TableNode):
            return PlanExpected(whole=tuple(self._steps(node, "the plan")))
        fields = open_fields(node, "the plan", self._diagnostics, optional=PARTS)
        if not fields.values:
            self._diagnostics.add(node.mark, f"the plan says nothing; expected one of {', '.join(PARTS)}")
        length = fields.get("length")
        return PlanExpected(
            contains=tuple(self._steps(fields.get("contains"), "'contains'")),
            in_order=tuple(self._steps(fields.get("in-order"), "'in-order'")),
            without=tuple(self._steps(fields.get("not"), "'not'")),
            length=None if length is None else whole(length, "the length of the plan", self._diagnostics),
        )

    def _steps(self, node: Node | None, what: str) -> Iterator[StepPattern]:
        for scalar in scalars(node, what, self._diagnostics):
            step = self._step(scalar, what)
            if step is not None:
                yield step

    def _step(self, scalar: Scalar, what: str) -> StepPattern | None:
        match = STEP.fullmatch(scalar.text.strip().lower())
        if match is None:
            message = f"an item of {what} is no step; expected one such as (open robot0 fridge0 *), or its name alone"
            self._diagnostics.add(scalar.mark, message)
            return None
        name, *args = (match[1] or match[2]).split()
        capability = self._domain.capabilities.get(name)
        if capability is None:
            self._diagnostics.unknown(scalar.mark, "capability", name, self._domain.capabilities)
            return None
        step = StepPattern(name, tuple(args) if match[1] else None)
        self._check(step, capability, scalar)
        return step

    def _check(self, step: StepPattern, capability: Capability, scalar: Scalar) -> None:
        if step.args is None:
            return
        if len(step.args) != len(capability.parameters):
            form = " ".join((step.name, *(f"?{parameter.name}" for parameter in capability.parameters)))
            self._diagnostics.add(scalar.mark, f"{step} has {len(step.args)} arguments; expected ({form})")
        for arg in step.args:
            if self._things is not None and arg not in (ANY, *self._things):
                self._diagnostics.unknown(scalar.mark, "thing", arg, self._things)

    def _refused(self, node: Node, stage: Choice["check", "planning"], fields: Fields) -> RefusalExpected:
        code = choice(node, "code", CODES, "'refused'" if stage == "check" else "'no-plan'", self._diagnostics)
        culprits = frozenset(name for name, _ in texts(fields.get("culprits"), "the culprits", self._diagnostics))
        return RefusalExpected(Code(code) if code else Code.NO_PLAN, stage, culprits)

    def _asked(self, node: Node) -> Expectation:
        if isinstance(node, Scalar):
            return self._true(node, "question", QuestionExpected())
        fields = open_fields(node, "'question'", self._diagnostics, required=("options",))
        options = texts(fields.get("options"), "the options", self._diagnostics)
        return QuestionExpected(frozenset(word for word, _ in options))

    def _true(self, node: Node, key: str, expected: Expectation) -> Expectation:
        if not flag(node, f"'{key}'", self._diagnostics, default=True):
            self._diagnostics.add(node.mark, f"'{key}' is false; expected true, or another expectation instead")
        return expected

    def _substituted(self, node: Node) -> Substituted:
        return Substituted(choice(node, "class", self._domain.classes, "'substitute'", self._diagnostics))

    def _partial(self, node: Node, goal: Formula | None) -> Partial:
        keys = ("reached", "left-out", "cost", "value", "weights", "hard")
        fields = open_fields(node, "the part", self._diagnostics, optional=keys)
        if not {"reached", "left-out", "cost", "value"}.intersection(fields.values) and isinstance(node, TableNode):
            self._diagnostics.add(node.mark, "the part says nothing; expected one of reached, left-out, cost, value")
        left = fields.get("left-out")
        named = (
            self._codes(left) if isinstance(left, TableNode) else dict.fromkeys(self._literals(left, goal, "left-out"))
        )
        cost, value = fields.get("cost"), fields.get("value")
        return Partial(
            reached=self._literals(fields.get("reached"), goal, "reached"),
            left_out=named,
            cost=None if cost is None else whole(cost, "the cost of the part", self._diagnostics),
            value=None if value is None else number(value, "the value of the part", self._diagnostics, low=0.0),
            weights=dict(self._weights(fields.get("weights"), goal)),
            hard=self._literals(fields.get("hard"), goal, "hard"),
        )

    def _literals(self, node: Node | None, goal: Formula | None, key: str) -> Conjunct:
        wishes = (self._wish(scalar, goal, f"an item of '{key}'") for scalar in scalars(node, key, self._diagnostics))
        return frozenset(chain.from_iterable(wishes))

    def _wish(self, scalar: Scalar, goal: Formula | None, what: str) -> tuple[Literal, ...]:
        """Read a literal; when the case gives its goal in PDDL, the literal must be one of the goal."""
        literal = read_literal(scalar, what, self._diagnostics)
        if literal is None:
            return ()
        wishes = tuple(literals(goal)) if goal is not None else ()
        if goal not in (None, And(())) and literal not in wishes:
            self._diagnostics.unknown(scalar.mark, "part of the goal", str(literal), [str(wish) for wish in wishes])
        return (literal,)

    def _entries(self, node: Node | None, goal: Formula | None, what: str) -> Iterator[tuple[Literal, Entry]]:
        if node is not None and not isinstance(node, TableNode):
            self._diagnostics.add(node.mark, f"{what} is no table; expected one such as {{(in milk0 fridge0): …}}")
            return
        for entry in node.entries if node is not None else ():
            for literal in self._wish(entry.key, goal, f"a key of {what}"):
                yield literal, entry

    def _codes(self, node: TableNode) -> dict[Literal, Code | None]:
        reasons = {
            literal: choice(entry.value, "code", CODES, f"the reason of {literal}", self._diagnostics)
            for literal, entry in self._entries(node, None, "'left-out'")
        }
        return {literal: Code(code) if code else None for literal, code in reasons.items()}

    def _weights(self, node: Node | None, goal: Formula | None) -> Iterator[tuple[Literal, float]]:
        for literal, entry in self._entries(node, goal, "'weights'"):
            yield literal, number(entry.value, f"the weight of {literal}", self._diagnostics, 1.0, low=0.001)


def read_goal(node: Node, what: str, diagnostics: Diagnostics) -> Formula:
    """Read a formula; return an empty conjunction when the node is no text."""
    if not isinstance(node, Scalar):
        diagnostics.add(node.mark, f"{what} is no text; expected PDDL such as (in apple0 fridge0)")
        return And(())
    return read_formula(node, what, diagnostics)


def read_facts(node: Node | None, what: str, diagnostics: Diagnostics) -> list[tuple[Scalar, Atom]]:
    """Read a list of facts, each with its place in the file."""
    facts: list[tuple[Scalar, Atom]] = []
    for scalar in scalars(node, what, diagnostics):
        literal = read_literal(scalar, f"an item of {what}", diagnostics)
        if literal is not None and literal.positive:
            facts.append((scalar, literal.atom))
        elif literal is not None:
            diagnostics.add(scalar.mark, f"an item of {what} is {literal}; expected a fact such as (opened fridge0)")
    return facts


def read_literal(scalar: Scalar, what: str, diagnostics: Diagnostics) -> Literal | None:
    """Read a fact or its negation; for anything else, report a mistake and return None."""
    formula = read_formula(scalar, what, diagnostics)
    match formula:
        case Atom():
            return Literal(formula)
        case Not(Atom() as atom):
            return Literal(atom, False)
    if formula != And(()):  # an unreadable formula becomes an empty conjunction, and is already reported
        diagnostics.add(
            scalar.mark, f"{what} is {formula}; expected one fact such as (in milk0 fridge0), or its denial"
        )
    return None
