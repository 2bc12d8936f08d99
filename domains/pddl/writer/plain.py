"""STRIPS without negation: a negated atom becomes an atom of the opposite predicate, and inequalities become facts.

Each predicate that a condition negates gets an opposite predicate, which every effect maintains. Where an action may
both add and delete the same atom, because two arguments may be equal, the action is written once for each case: PDDL
deletes before it adds, and the opposite predicate cannot follow that order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from domains.pddl.writer.names import Naming
from domains.pddl.writer.profiles import ProfileError, RefusedPart
from domains.pddl.writer.schemas import Additions, PddlAction
from semantics.logic.atoms import And, Atom, Equal, Formula, Literal, Not, literals

MOST_VARIANTS = 64
MOST_FACTS = 500_000


def plain(
    schemas: Sequence[PddlAction],
    goal: Formula,
    facts: Collection[Atom],
    objects: Mapping[str, str],
    naming: Naming,
    extra: Additions,
) -> tuple[tuple[PddlAction, ...], Formula]:
    """Return actions and goal without negation; `extra` receives the additions to the problem.

    Raises:
        ProfileError: There are too many cases or facts.
    """
    denied = {
        atom.predicate: len(atom.args)
        for condition in (*(condition for schema in schemas for condition in schema.conditions), *_parts(goal))
        for atom, positive in literals(condition)
        if not positive
    }
    opposites = {name: naming.give("made", f"not {name}", f"not-{name}") for name in denied}
    cases = [case for schema in schemas for case in _cases(schema, denied, naming)]
    compiler = _Compiler(opposites, naming)
    written = tuple(map(compiler.schema, cases))
    wanted = And(tuple(compiler.condition(part) for part in _parts(goal)))
    extra.predicates |= {opposites[name]: arity for name, arity in denied.items()}
    holding = frozenset(facts)
    for name, arity in denied.items():
        extra.facts += _absent(name, arity, opposites[name], holding, objects)
    compiler.add_comparisons(extra, objects)
    return written, wanted


def _parts(formula: Formula) -> tuple[Formula, ...]:
    return formula.parts if isinstance(formula, And) else (formula,)


def _absent(
    name: str, arity: int, opposite: str, holding: Collection[Atom], objects: Mapping[str, str]
) -> Iterator[Atom]:
    if len(objects) ** arity > MOST_FACTS:
        reason = f"its denial for {len(objects)} things is too long"
        raise ProfileError("strips", [RefusedPart(f"predicate {name}", reason, "use the profile adl-costs")])
    return (Atom(opposite, args) for args in product(objects, repeat=arity) if Atom(name, args) not in holding)


class _Compiler:
    def __init__(self, opposites: Mapping[str, str], naming: Naming) -> None:
        self._opposites = opposites
        self._naming = naming
        self._compared: dict[bool, str] = {}

    def schema(self, schema: PddlAction) -> PddlAction:
        conditions = tuple(dict.fromkeys(map(self.condition, schema.conditions)))
        added = {literal.atom for literal in schema.effects if literal.positive}
        effects = [literal for literal in schema.effects if literal.positive or literal.atom not in added]
        mirrored = [
            Literal(Atom(self._opposites[atom.predicate], atom.args), not positive)
            for atom, positive in effects
            if atom.predicate in self._opposites
        ]
        return replace(schema, conditions=conditions, effects=tuple(dict.fromkeys((*effects, *mirrored))))

    def condition(self, condition: Formula) -> Formula:
        match condition:
            case Not(Atom() as atom):
                return Atom(self._opposites[atom.predicate], atom.args)
            case Not(Equal(left, right)):
                return Atom(self._comparison(same=False), (left, right))
            case Equal(left, right):
                return Atom(self._comparison(same=True), (left, right))
            case And(parts):
                return And(tuple(map(self.condition, parts)))
        return condition

    def _comparison(self, *, same: bool) -> str:
        if same not in self._compared:
            word = "same" if same else "distinct"
            self._compared[same] = self._naming.give("made", f"{word} things", word)
        return self._compared[same]

    def add_comparisons(self, extra: Additions, objects: Iterable[str]) -> None:
        for same, name in self._compared.items():
            extra.predicates[name] = 2
            extra.facts += [Atom(name, pair) for pair in product(objects, repeat=2) if (pair[0] == pair[1]) == same]


def _cases(schema: PddlAction, denied: Collection[str], naming: Naming) -> list[PddlAction]:
    """Split an action into one case for each way in which an added and a deleted atom may be equal."""
    settled, unsettled = list[PddlAction](), [schema]
    while unsettled:
        action = unsettled.pop()
        pair = next(_may_be_equal(action, denied), None)
        if pair is None:
            settled.append(action)
        else:
            unsettled += [_equated(action, *pair), replace(action, conditions=(*action.conditions, Not(Equal(*pair))))]
        if len(settled) + len(unsettled) > MOST_VARIANTS:
            reason = "too many arguments that may be the same thing"
            raise ProfileError("strips", [RefusedPart(f"action {schema.name}", reason, "say which must differ")])
    for number, action in enumerate(settled[1:], 2):
        settled[number - 1] = replace(action, name=_renamed(naming, schema.name, number))
    return settled


def _renamed(naming: Naming, name: str, number: int) -> str:
    made = naming.give("made", f"{name} case {number}", f"{name}-case-{number}")
    naming.ours[made] = naming.ours[name]
    return made


def _may_be_equal(schema: PddlAction, denied: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield two different arguments that decide whether an added and a deleted atom are equal."""
    apart = set(_differences(schema.conditions))
    for added in (literal.atom for literal in schema.effects if literal.positive and literal.atom.predicate in denied):
        for deleted in (literal.atom for literal in schema.effects if not literal.positive):
            if deleted.predicate == added.predicate:
                pairs = [pair for pair in zip(added.args, deleted.args, strict=True) if pair[0] != pair[1]]
                if not any(frozenset(pair) in apart or not any(arg.startswith("?") for arg in pair) for pair in pairs):
                    yield from pairs


def _differences(conditions: Iterable[Formula]) -> Iterator[frozenset[str]]:
    for condition in conditions:
        match condition:
            case Not(Equal(left, right)):
                yield frozenset((left, right))


def _equated(schema: PddlAction, first: str, second: str) -> PddlAction:
    """Return the case of two equal arguments: the parameters stay, and one argument replaces the other in effects."""
    replaced, replacement = (first, second) if first.startswith("?") else (second, first)
    return replace(
        schema,
        conditions=(*schema.conditions, Equal(replaced, replacement)),
        effects=tuple(dict.fromkeys(literal.replaced({replaced: replacement}) for literal in schema.effects)),
    )
