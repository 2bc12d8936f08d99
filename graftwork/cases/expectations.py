"""The reader of a case's expectation: one kind of outcome, and the properties that it must have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Literal as Choice

from domains.model import Capability, Domain
from domains.reader.formulas.conditions import read_formula
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode
from domains.reader.nodes.fields import Field, Fields, open_fields
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
from semantics.logic.atoms import And, Atom, Conjunct, Formula, Literal, Not, literals
from semantics.logic.feedback import Code
from semantics.logic.vocabulary import Thing

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
    """

    def __init__(self, domain: Domain, things: dict[str, Thing] | None) -> None:
        self._domain = domain
        self._things = things

    def read(self, fields: Fields, goal: Formula | None) -> Expectation:
        """Read the expectation of a case; report a mistake when there is none, or more than one."""
        readers: Mapping[str, Callable[[Node], Expectation]] = {
            "refused": lambda node: self._refused(node, "check", fields),
            "no-plan": lambda node: self._refused(node, "planning", fields),
            "question": self._asked,
            "already": lambda node: self._true(node, "already", Already()),
            "substitute": lambda node: Substituted(Field(node, "'substitute'").choice("class", self._domain.classes)),
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
            fields.node.report(f"nothing is expected of the case; expected one of {listed}")
        for key in [*outcome_keys, *planned][1:] if outcome_keys else ():
            node = fields.get(key)
            assert node is not None
            node.report(f"the case expects '{outcome_keys[0]}' and '{key}' at once; expected one of them")
        culprits = fields.get("culprits")
        if culprits is not None and not {"refused", "no-plan"}.intersection(outcome_keys):
            culprits.report("culprits belong to 'refused' or 'no-plan'; expected one of these")

    def _planned(self, fields: Fields) -> Planned:
        optimal = fields.get("optimal")
        return Planned(
            Field(fields.get("cost"), "the cost").whole(None),
            self._shape(fields.get("plan")),
            None if optimal is None else Field(optimal, "'optimal'").flag(),
        )

    def _shape(self, node: Node | None) -> PlanExpected:
        """Read a complete plan (a list of steps) or some properties of a plan (a table)."""
        if node is None:
            return PlanExpected()
        if not isinstance(node, TableNode):
            return PlanExpected(whole=tuple(self._steps(node, "the plan")))
        fields = open_fields(node, "the plan", optional=PARTS)
        if not fields.values:
            node.report(f"the plan says nothing; expected one of {', '.join(PARTS)}")
        return PlanExpected(
            contains=tuple(self._steps(fields.get("contains"), "'contains'")),
            in_order=tuple(self._steps(fields.get("in-order"), "'in-order'")),
            without=tuple(self._steps(fields.get("not"), "'not'")),
            length=Field(fields.get("length"), "the length of the plan").whole(None),
        )

    def _steps(self, node: Node | None, what: str) -> Iterator[StepPattern]:
        for scalar in Field(node, what).scalars():
            step = self._step(scalar, what)
            if step is not None:
                yield step

    def _step(self, scalar: Scalar, what: str) -> StepPattern | None:
        match = STEP.fullmatch(scalar.text.strip().lower())
        if match is None:
            message = f"an item of {what} is no step; expected one such as (open robot0 fridge0 *), or its name alone"
            scalar.report(message)
            return None
        name, *args = (match[1] or match[2]).split()
        capability = self._domain.capabilities.get(name)
        if capability is None:
            scalar.unknown("capability", name, self._domain.capabilities)
            return None
        step = StepPattern(name, tuple(args) if match[1] else None)
        self._check(step, capability, scalar)
        return step

    def _check(self, step: StepPattern, capability: Capability, scalar: Scalar) -> None:
        if step.args is None:
            return
        if len(step.args) != len(capability.parameters):
            form = " ".join((step.name, *(f"?{parameter.name}" for parameter in capability.parameters)))
            scalar.report(f"{step} has {len(step.args)} arguments; expected ({form})")
        for arg in step.args:
            if self._things is not None and arg not in (ANY, *self._things):
                scalar.unknown("thing", arg, self._things)

    def _refused(self, node: Node, stage: Choice["check", "planning"], fields: Fields) -> RefusalExpected:
        code = Field(node, "'refused'" if stage == "check" else "'no-plan'").choice("code", CODES)
        culprits = frozenset(Field(fields.get("culprits"), "the culprits").texts())
        return RefusalExpected(Code(code) if code else Code.NO_PLAN, stage, culprits)

    def _asked(self, node: Node) -> Expectation:
        if isinstance(node, Scalar):
            return self._true(node, "question", QuestionExpected())
        fields = open_fields(node, "'question'", required=("options",))
        return QuestionExpected(frozenset(Field(fields.get("options"), "the options").texts()))

    def _true(self, node: Node, key: str, expected: Expectation) -> Expectation:
        if not Field(node, f"'{key}'").flag(default=True):
            node.report(f"'{key}' is false; expected true, or another expectation instead")
        return expected

    def _partial(self, node: Node, goal: Formula | None) -> Partial:
        keys = ("reached", "left-out", "cost", "value", "weights", "hard")
        fields = open_fields(node, "the part", optional=keys)
        if not {"reached", "left-out", "cost", "value"}.intersection(fields.values) and isinstance(node, TableNode):
            node.report("the part says nothing; expected one of reached, left-out, cost, value")
        left = fields.get("left-out")
        named = (
            self._codes(left) if isinstance(left, TableNode) else dict.fromkeys(self._literals(left, goal, "left-out"))
        )
        return Partial(
            reached=self._literals(fields.get("reached"), goal, "reached"),
            left_out=named,
            cost=Field(fields.get("cost"), "the cost of the part").whole(None),
            value=Field(fields.get("value"), "the value of the part").number(None, low=0.0),
            weights=dict(self._weights(fields.get("weights"), goal)),
            hard=self._literals(fields.get("hard"), goal, "hard"),
        )

    def _literals(self, node: Node | None, goal: Formula | None, key: str) -> Conjunct:
        wishes = (self._wish(scalar, goal, f"an item of '{key}'") for scalar in Field(node, key).scalars())
        return frozenset(chain.from_iterable(wishes))

    def _wish(self, scalar: Scalar, goal: Formula | None, what: str) -> tuple[Literal, ...]:
        """Read a literal; when the case gives its goal in PDDL, the literal must be one of the goal."""
        literal = read_literal(scalar, what)
        if literal is None:
            return ()
        wishes = tuple(literals(goal)) if goal is not None else ()
        if goal not in (None, And(())) and literal not in wishes:
            scalar.unknown("part of the goal", str(literal), [str(wish) for wish in wishes])
        return (literal,)

    def _entries(self, node: Node | None, goal: Formula | None, what: str) -> Iterator[tuple[Literal, Entry]]:
        if node is not None and not isinstance(node, TableNode):
            node.report(f"{what} is no table; expected one such as {{(in milk0 fridge0): …}}")
            return
        for entry in node.entries if node is not None else ():
            for literal in self._wish(entry.key, goal, f"a key of {what}"):
                yield literal, entry

    def _codes(self, node: TableNode) -> dict[Literal, Code | None]:
        reasons = {
            literal: Field(entry.value, f"the reason of {literal}").choice("code", CODES)
            for literal, entry in self._entries(node, None, "'left-out'")
        }
        return {literal: Code(code) if code else None for literal, code in reasons.items()}

    def _weights(self, node: Node | None, goal: Formula | None) -> Iterator[tuple[Literal, float]]:
        for literal, entry in self._entries(node, goal, "'weights'"):
            yield literal, Field(entry.value, f"the weight of {literal}").number(1.0, low=0.001)


def read_goal(node: Node, what: str) -> Formula:
    """Read a formula; return an empty conjunction when the node is no text."""
    if not isinstance(node, Scalar):
        node.report(f"{what} is no text; expected PDDL such as (in apple0 fridge0)")
        return And(())
    return read_formula(node, what)


def read_facts(node: Node | None, what: str) -> list[tuple[Scalar, Atom]]:
    """Read a list of facts, each with its place in the file."""
    facts: list[tuple[Scalar, Atom]] = []
    for scalar in Field(node, what).scalars():
        literal = read_literal(scalar, f"an item of {what}")
        if literal is not None and literal.positive:
            facts.append((scalar, literal.atom))
        elif literal is not None:
            scalar.report(f"an item of {what} is {literal}; expected a fact such as (opened fridge0)")
    return facts


def read_literal(scalar: Scalar, what: str) -> Literal | None:
    """Read a fact or its negation; for anything else, report a mistake and return None."""
    formula = read_formula(scalar, what)
    match formula:
        case Atom():
            return Literal(formula)
        case Not(Atom() as atom):
            return Literal(atom, False)
    if formula != And(()):  # an unreadable formula becomes an empty conjunction, and is already reported
        scalar.report(f"{what} is {formula}; expected one fact such as (in milk0 fridge0), or its denial")
    return None
