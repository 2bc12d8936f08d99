"""Finds the objects that are at most cleared away, from their affordances, once for a world.

Take any plan and drop every action on certain *idle* objects. The rest is also a plan if those actions change nothing
of the other objects except resources that are not missed (see `Resources`), and nothing that the goal asks for. This
depends only on the affordances that are present, so it is tested in a miniature. The miniature has as many objects of
each *signature* (the affordances that let it fill parameters, and the class of an agent) as one action can name.
Objects of one signature are interchangeable, so only the actions that name the first ones of each signature are
grounded. Signatures are removed from the idle ones until the argument holds. Of an idle signature, there are other
objects only if some object of it is kept: if no cutlery is kept, nothing that only cutlery does to an idle cup matters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from domains.model import Domain
from planning.problem.grounding import candidates
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, Operator
from semantics.logic.vocabulary import Thing

IDLE = "?idle"  # the prefix of the names of idle objects in a miniature; no object has such a name

Signature = tuple[frozenset[str], str]


@dataclass(frozen=True, slots=True)
class Idleness:
    """The idle objects.

    Attributes:
        signatures: The signatures of idle objects.
        balances: The balances that must hold at the start, with the signature of their objects.
    """

    signatures: frozenset[Signature]
    balances: frozenset[tuple[ResourceInvariant, Signature]]


class _Link(NamedTuple):
    operator: Operator
    needs: frozenset[Atom]
    makes: frozenset[Atom]


def signature(thing: Thing, domain: Domain, asked: Iterable[frozenset[str]]) -> Signature:
    """Return the affordances of an object that let it fill parameters, and its class if it is an agent.

    Args:
        thing: The object.
        domain: Names the agents.
        asked: The affordances that each parameter asks for.
    """
    filling = frozenset[str]().union(*(needs for needs in asked if needs <= thing.affordances))
    return filling, thing.class_name if thing.class_name in domain.agents else ""


def idleness(
    domain: Domain, signatures: frozenset[Signature], kept: frozenset[Signature], wanted: frozenset[str]
) -> Idleness:
    """Return what is idle if objects of `signatures` are present, and of those only objects of `kept` are never idle.

    The result is cached, and so are the operators, which take longest and are the same for all goals.

    Args:
        domain: The world.
        signatures: The signatures of all objects.
        kept: The signatures of the objects that are never idle.
        wanted: The predicates of the goal, which would notice dropped actions.
    """
    return domain.remember(("idle", signatures, kept, wanted), lambda: _decide(domain, signatures, kept, wanted))


def _decide(
    domain: Domain, signatures: Collection[Signature], kept: Collection[Signature], wanted: Collection[str]
) -> Idleness:
    # Only objects that can be carried may be left out, never furniture or agents.
    idle = frozenset(
        candidate for candidate in signatures if domain.conventions.carry in candidate[0] and not candidate[1]
    )
    everything = _miniature(domain, signatures, idle, signatures) if idle else {}
    grounded = domain.remember(("idle", signatures), lambda: tuple(map(_link, _operators(domain, everything))))
    while idle:
        sample = _miniature(domain, signatures, idle, kept)
        operators = _possible([each for each in grounded if sample.keys() >= set(each.operator.action.args)])
        dropped = [operator for operator in operators if _about_idle(operator.action.args)]
        resources = Resources(operators)
        made = {Literal(atom) for operator in dropped for atom in operator.added if not _about_idle(atom.args)}
        made |= {
            Literal(atom, False) for operator in dropped for atom in operator.deleted if not _about_idle(atom.args)
        }
        touched = {literal.atom for literal in made}
        bad = {atom for atom in touched if atom.predicate in wanted or not resources.may_drop(atom, made, touched)}
        if not bad:
            signature_of = {name: (thing.affordances, thing.class_name) for name, thing in sample.items()}
            return Idleness(idle, frozenset((balance, signature_of[name]) for balance, name in resources.balances()))
        idle -= _blamed(dropped, resources.causes(bad), sample, idle)
    return Idleness(frozenset(), frozenset())


def _blamed(
    dropped: Iterable[Operator], bad: Collection[object], sample: Mapping[str, Thing], idle: frozenset[Signature]
) -> frozenset[Signature]:
    """Return the signatures of the objects in changes that matter, those with the most affordances first."""
    culprits = {
        (sample[arg].affordances, "")
        for operator in dropped
        if not (operator.added | operator.deleted).isdisjoint(bad)
        for arg in operator.action.args
        if _about_idle((arg,))
    }
    most = max((len(culprit[0]) for culprit in culprits), default=0)
    return frozenset(culprit for culprit in culprits if len(culprit[0]) == most) or idle


def _miniature(
    domain: Domain, signatures: Collection[Signature], idle: Collection[Signature], kept: Collection[Signature]
) -> dict[str, Thing]:
    things: dict[str, Thing] = {}
    for number, (affordances, agent) in enumerate(sorted(signatures, key=lambda pair: (sorted(pair[0]), pair[1]))):
        fitting = (
            sum(set(part.affordances) - {"object"} <= affordances for part in capability.parameters)
            for capability in domain.capabilities.values()
        )
        count = max(fitting, default=0)
        is_idle = (affordances, agent) in idle
        is_kept = not is_idle or (affordances, agent) in kept
        for prefix in (*(("kept",) if is_kept else ()), *((IDLE,) if is_idle else ())):
            for index in range(count):
                name = f"{prefix}-{number}-{index}"
                things[name] = Thing(name, agent, affordances)
    return things


def _operators(domain: Domain, things: Mapping[str, Thing]) -> Iterator[Operator]:
    """Yield the operators of a miniature, of those that differ only in the numbers of interchangeable objects few.

    Of each signature, an action names the first objects, in any order.
    """
    firsts = {name: thing for name, thing in things.items() if name.endswith("-0")}
    for capability in domain.capabilities.values():
        at = {parameter.name: index for index, parameter in enumerate(capability.parameters)}
        distinct = [(at[left], at[right]) for left, right in capability.distinct]
        for kinds in product(*candidates(domain, capability, firsts)):
            for args in _numbered(kinds):
                if all(args[left] != args[right] for left, right in distinct):
                    yield domain.ground(Action(capability.name, args), things)


def _link(operator: Operator) -> _Link:
    """Return an operator with the facts that it asks for and makes.

    At the start there is no fact about another object and an idle one: what an object that is not idle stands on, or is
    in, is not left out.
    """
    asked = (literal.atom for literal in operator.precondition if literal.positive)
    needs = (atom for atom in asked if _about_idle(atom.args) and not atom.args[0].startswith(IDLE))
    return _Link(operator, frozenset(map(_form, needs)), frozenset(map(_form, operator.added)))


def _possible(left: list[_Link]) -> list[Operator]:
    """Leave out what asks for a fact that no operator makes."""
    made = frozenset[Atom]().union(*(each.makes for each in left))
    possible = [each for each in left if each.needs <= made]
    return _possible(possible) if len(possible) < len(left) else [each.operator for each in left]


def _form(atom: Atom) -> Atom:
    """Return an atom with the numbers of interchangeable objects in the order in which it names them."""
    seen: dict[str, list[str]] = {}
    args = []
    for arg in atom.args:
        kind, _, number = arg.rpartition("-")
        numbers = seen.setdefault(kind, [])
        if number not in numbers:
            numbers.append(number)
        args.append(f"{kind}-{numbers.index(number)}")
    return Atom(atom.predicate, tuple(args))


def _numbered(kinds: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield names of objects of these kinds, each kind told by its first object, without gaps in their numbers."""
    if len(set(kinds)) == len(kinds):
        yield kinds
        return
    for numbers in product(*(range(kinds.count(kind)) for kind in kinds)):
        used = set(zip(kinds, numbers, strict=True))
        if all(number == 0 or (kind, number - 1) in used for kind, number in used):
            yield tuple([f"{kind[:-1]}{number}" for kind, number in zip(kinds, numbers, strict=True)])


def _about_idle(args: Iterable[str]) -> bool:
    return any(arg.startswith(IDLE) for arg in args)


class ResourceInvariant(NamedTuple):
    """If the literal on `predicate` holds, no fact of `token` is about its argument; otherwise exactly one is."""

    predicate: str  # the predicate of the resource; it has one argument
    positive: bool  # the sign that is required
    token: str  # the predicate of the tokens
    place: int  # the index of the token's argument that is the resource's argument


class Resources:
    """Answers whether changes of an atom may be dropped.

    A free hand and a free surface are resources. An action on irrelevant objects changes them. It can be dropped from a
    plan if its changes are not missed. There are two cases. Either such actions never make the sign that is required.
    Or the resource is balanced by *tokens*: it holds exactly when none of its tokens holds, and otherwise exactly one
    token holds (an occupied hand holds one object). This is verified on each operator, as Fast Downward verifies
    invariants of weight one (Helmert, AIJ 2009, section 5). The caller verifies that it holds at the start.
    """

    def __init__(self, operators: Sequence[Operator]) -> None:
        """Index all operators."""
        self._about: dict[str, list[Operator]] = defaultdict(list)
        for operator in operators:
            for name in {arg for atom in operator.added | operator.deleted for arg in atom.args}:
                self._about[name].append(operator)
        self._wanted = {literal for operator in operators for literal in operator.precondition}
        self._found: dict[Atom, tuple[ResourceInvariant, frozenset[Atom]] | None] = {}
        self._used: set[tuple[ResourceInvariant, str]] = set()

    def balances(self) -> frozenset[tuple[ResourceInvariant, str]]:
        """Return the balances that answers relied on, each with the object that has the resource."""
        return frozenset(self._used)

    def may_drop(self, atom: Atom, made: Collection[Literal], touched: Collection[Atom]) -> bool:
        """Return whether the changes of `atom` by operators that make `made`, literals on `touched`, are not missed."""
        asked = self._asked(atom)
        if len(asked) != 1:
            return not asked
        if asked[0] not in made:
            return True
        balance = self._balance(asked[0])
        if balance is None or not balance[1].isdisjoint(touched):
            return False
        self._used.add((balance[0], atom.args[0]))
        return True

    def causes(self, missed: Collection[Atom]) -> Collection[Atom]:
        """Return those of some missed atoms without a balance; if all have one, all of them.

        A balance that fails because its tokens change is mended when those tokens, which are missed too, are kept.
        """
        return [atom for atom in missed if not any(map(self._balance, self._asked(atom)))] or missed

    def _asked(self, atom: Atom) -> list[Literal]:
        return [literal for literal in (Literal(atom), Literal(atom, False)) if literal in self._wanted]

    def _balance(self, literal: Literal) -> tuple[ResourceInvariant, frozenset[Atom]] | None:
        if literal.atom not in self._found:
            self._found[literal.atom] = self._search(literal)
        return self._found[literal.atom]

    def _search(self, literal: Literal) -> tuple[ResourceInvariant, frozenset[Atom]] | None:
        if len(literal.atom.args) != 1:
            return None
        (name,) = literal.atom.args
        operators = self._about[name]  # other operators change neither the literal nor its tokens
        groups: dict[tuple[str, int], set[Atom]] = defaultdict(set)
        for operator in operators:
            for atom in operator.added | operator.deleted:
                for place, arg in enumerate(atom.args):
                    if arg == name and atom.predicate != literal.atom.predicate:
                        groups[atom.predicate, place].add(atom)
        for (token, place), atoms in sorted(groups.items()):
            if all(_balanced(operator, literal, atoms) for operator in operators):
                return ResourceInvariant(literal.atom.predicate, literal.positive, token, place), frozenset(atoms)
        return None


def _makes(operator: Operator, literal: Literal) -> bool:
    return literal.atom in (operator.added if literal.positive else operator.deleted)


def _balanced(operator: Operator, literal: Literal, tokens: set[Atom]) -> bool:
    """Return whether `operator` keeps the sum of the literal and its tokens at one."""
    gained, lost = operator.added & tokens, operator.deleted & tokens
    if _makes(operator, literal):
        return not gained and len(lost) == 1 and all(Literal(atom) in operator.precondition for atom in lost)
    if _makes(operator, literal.negated()):
        return not lost and len(gained) == 1 and literal in operator.precondition
    return not gained and not lost
