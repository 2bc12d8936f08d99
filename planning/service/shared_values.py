"""Avoids sending what both processes know already: worlds are sent by number, and states as differences.

Pickling a thousand objects and their facts holds the interpreter for about ten milliseconds, and delays a robot's
ticks. So domains, objects and costs are sent once to each process, and named by a number afterwards. A state is sent as
its difference from the last one. Only the sender decides what is remembered and what is forgotten, and includes this in
each question. The receiver obeys, so the two cannot get out of step. A process that is replaced starts with nothing,
and so does the record about it.

Facts and objects are sent as plain tuples, which pickle ten times faster than objects with named fields.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from domains.model import Domain
from domains.problem import Problem
from planning.costs import CostModel
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

REMEMBERED = 12  # the total number of domains, sets of objects and costs that a process remembers

Grouped = dict[str, list[tuple[str, ...]]]
"""Atoms as plain tuples: arguments by predicate."""

FIELDS = tuple(attribute.name for attribute in fields(Thing))
DOMAIN_FIELDS = tuple(attribute.name for attribute in fields(Domain) if attribute.init)


@dataclass(frozen=True)
class PlanningRequest:
    """A question to a process."""

    verb: str  # the name of a function, see `planning.service.verbs`
    problem: Problem  # the problem it is about
    expected: State | None = None  # the other state that the function takes, if any
    given: Mapping[str, Any] = field(default_factory=dict)  # its other arguments by name


class _Difference(NamedTuple):
    """The changes from the last state to this one; `numbers` contains all numbers, or None if they are the same."""

    added: Grouped
    removed: Grouped
    numbers: dict[Atom, float] | None


class SentRequest(NamedTuple):
    """A question as it is sent: numbers for known values, `news` with their numbers, and in `gone` what to forget.

    `parts` are the numbers of the domain, the objects and the costs. `states` are the problem's state and the other
    one.
    """

    verb: str
    parts: tuple[int, int, int]
    goal: tuple[Conjunct, ...]
    news: list[tuple[int, object]]
    gone: list[int]
    states: list[_Difference]
    given: dict[str, Any]


@dataclass
class PlanningLedger:
    """The sender: records what one process knows, as pictures of the values, which do not change when these do."""

    _known: OrderedDict[int, object] = field(default_factory=OrderedDict)
    _state: State = field(default_factory=State)
    _next: int = 0

    def tell(self, question: PlanningRequest) -> SentRequest:
        """Return the question without what the process knows already, and record what it will know."""
        problem = question.problem
        sent = SentRequest(question.verb, (0, 0, 0), problem.goal, [], [], [], dict(question.given))
        parts = [self._number(part, sent.news) for part in (problem.domain, problem.objects, problem.costs)]
        while len(self._known) > REMEMBERED:
            sent.gone.append(self._known.popitem(last=False)[0])
        states = (problem.state, question.expected)
        sent.states.extend(self._difference(state) for state in states if state is not None)
        return sent._replace(parts=(parts[0], parts[1], parts[2]))

    def _number(self, part: object, news: list[tuple[int, object]]) -> int:
        picture = _picture(part)
        for number, known in self._known.items():
            # The order of objects counts: it decides which of several equally cheap plans is found.
            if part is known or (
                picture == known
                and (not isinstance(picture, dict) or not isinstance(known, dict) or list(picture) == list(known))
            ):
                self._known.move_to_end(number)
                return number
        self._next += 1
        base = next((number for number in reversed(self._known) if type(self._known[number]) is type(picture)), None)
        news.append((self._next, _packed(picture, base, self._known.get(base or 0))))
        self._known[self._next] = picture
        return self._next

    def _difference(self, state: State) -> _Difference:
        old = self._state
        changed = frozenset[Atom]() if state.atoms is old.atoms else state.atoms ^ old.atoms
        numbers = None if state.numbers == old.numbers else dict(state.numbers)
        self._state = State(state.atoms, old.numbers if numbers is None else dict(numbers))
        added: Grouped = defaultdict(list)
        removed: Grouped = defaultdict(list)
        for atom in changed:
            (added if atom in state.atoms else removed)[atom.predicate].append(atom.args)
        return _Difference(dict(added), dict(removed), numbers)


class Shelf:
    """The receiver."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}
        self._state = State()

    def read(self, request: SentRequest) -> PlanningRequest:
        """Return the whole question."""
        for number, packed in request.news:
            self._known[number] = _unpacked(packed, self._known)
        domain, objects, costs = (self._known[number] for number in request.parts)
        for number in request.gone:
            del self._known[number]
        state, *expected = map(self._restored, request.states)
        problem = Problem(domain, objects, state, request.goal, costs)
        return PlanningRequest(request.verb, problem, expected[0] if expected else None, request.given)

    def _restored(self, difference: _Difference) -> State:
        atoms = self._state.atoms.difference(_atoms(difference.removed)).union(_atoms(difference.added))
        numbers = self._state.numbers if difference.numbers is None else difference.numbers
        self._state = State(atoms, numbers)
        return self._state


class _Rows(NamedTuple):
    """Objects as plain tuples."""

    rows: list[tuple[object, ...]]


class _Changes(NamedTuple):
    """A mapping, or a domain by its fields, as what is new since the value with the number `base`."""

    base: int
    new: Any
    gone: list[str]


def _picture(part: object) -> object:
    if isinstance(part, Mapping):
        return dict(part)
    if isinstance(part, CostModel):
        views = {
            attribute.name: dict(old)
            for attribute in fields(part)
            if isinstance(old := getattr(part, attribute.name), Mapping)
        }
        return replace(part, **views)  # type: ignore[arg-type]  # each under its own name
    return part


def _packed(picture: object, base: int | None, before: object) -> object:
    """Return a value as it is sent: as what has changed since the value `before`, which the process knows as `base`."""
    if base is not None and isinstance(picture, Domain) and isinstance(before, Domain):
        changed = {
            name: _packed(new, base, old) if isinstance(old, dict) else new
            for name in DOMAIN_FIELDS
            if (new := getattr(picture, name)) is not (old := getattr(before, name)) and new != old
        }
        return _Changes(base, changed, [])
    if not isinstance(picture, dict):
        return picture
    if base is not None and isinstance(before, dict):
        new = {name: value for name, value in picture.items() if name not in before or before[name] != value}
        gone = [name for name in before if name not in picture]
        kept = [name for name in before if name in picture]
        # The order counts: it decides which of several equally cheap plans is found.
        if len(new) * 2 < len(picture) and [*kept, *(name for name in new if name not in before)] == list(picture):
            return _Changes(base, _rows(new), gone)
    return _rows(picture)


def _rows(picture: dict[str, Any]) -> object:
    if all(type(thing) is Thing and name == thing.name for name, thing in picture.items()):
        return _Rows([tuple([getattr(thing, name) for name in FIELDS]) for thing in picture.values()])
    return picture


def _unpacked(packed: object, known: Mapping[int, Any]) -> Any:  # noqa: ANN401  # as it was packed
    if isinstance(packed, _Changes):
        before = known[packed.base]
        if isinstance(before, Domain):
            return replace(
                before, **{name: _with_changes(getattr(before, name), new) for name, new in packed.new.items()}
            )
        return _with_changes(before, packed)
    if isinstance(packed, _Rows):
        things = (Thing(*row) for row in packed.rows)  # type: ignore[arg-type]  # as they were packed
        return {thing.name: thing for thing in things}
    return packed


def _with_changes(before: Any, packed: object) -> Any:  # noqa: ANN401  # a mapping, or what replaces a field
    if not isinstance(packed, _Changes):
        return _unpacked(packed, {})
    kept = {name: value for name, value in before.items() if name not in packed.gone}
    return kept | _unpacked(packed.new, {})


def _atoms(grouped: Grouped) -> list[Atom]:
    return [Atom(predicate, args) for predicate, rows in grouped.items() for args in rows]
