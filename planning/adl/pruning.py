"""Removes from a task what no plan needs: what cannot happen, steps on idle objects, and dominated steps.

An object is *idle* if all steps on it can be dropped from any plan, and the rest is still a plan. Let D be the steps on
certain *idle* objects. Compare a plan with the same plan without its steps in D. Some literals are *wanted*: the goals,
the preconditions of the other steps, and the conditions of their effects, in the sense that more of them never hurts.
If each wanted literal that holds in the full plan also holds in the reduced plan at every moment, then the reduced plan
is valid. A step of D endangers this only where it makes a wanted literal. It is safe even there in two cases:

- The literal *lasts*: it held at the start, and no step outside D ends it.
- The literal is *balanced* (see `planning.adl.balance`): it holds where none of its tokens holds. Tokens about idle
  objects never hold in the reduced plan. D ends none of the other tokens, so they do not hold where the full plan is
  without them. For example, a hand that puts down an idle bottle was free all the time.

The algorithm first assumes that all objects are idle. Then it removes those for which some step of D does more than
this.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from planning.adl.balance import Balances
from planning.adl.task import AdlAction, AdlEffect, AdlRule, AdlTask
from semantics.logic.atoms import Conjunct, Literal


def without_idle(task: AdlTask) -> AdlTask:
    """Return `task` without the steps on idle objects. A cheapest plan costs the same, and solvability is unchanged."""
    balances = Balances(task)
    idle = {arg for step in task.steps for arg in step.operator.action.args}
    while True:
        dropped = [step for step in task.steps if not idle.isdisjoint(step.operator.action.args)]
        remaining = [step for step in task.steps if idle.isdisjoint(step.operator.action.args)]
        projection = _Beside(task, remaining, dropped, balances)
        blamed = {arg for step in dropped if projection.endangers(step) for arg in step.operator.action.args} & idle
        # Keeping more objects adds wanted literals, so the test is repeated until no object is blamed (a fixpoint).
        if not blamed:
            return replace(task, steps=tuple(remaining))
        idle -= blamed


class _Beside:
    """What happens to the wanted literals when the `dropped` steps are left out."""

    def __init__(
        self, task: AdlTask, remaining: Iterable[AdlAction], dropped: Iterable[AdlAction], balances: Balances
    ) -> None:
        self._start = task.start
        self._made = made_by(remaining)
        self._ended = made_by(dropped)
        self._balances = balances
        self._wanted = Wanted(remaining, task.rules)
        self._wanted.add(literal for goal in task.goals for literal in goal)
        self._wanted.add(literal for step in remaining for literal in step.asked)
        self._safe: dict[Literal, bool] = {}
        while unchecked := (self._ended & self._wanted.literals) - self._safe.keys():
            for literal in sorted(unchecked):
                self._is_safe(literal)  # this may add wanted literals

    def endangers(self, step: AdlAction) -> bool:
        """Return whether the dropped `step` makes a wanted literal that is then missing."""
        made = (literal for effect in step.effects for literal in effect.made)
        return any(literal in self._wanted.literals and not self._is_safe(literal) for literal in made)

    def _is_safe(self, literal: Literal) -> bool:
        if literal not in self._safe:
            self._safe[literal] = self._lasts(literal) or self._is_balanced(literal)
        return self._safe[literal]

    def _lasts(self, literal: Literal) -> bool:
        return (literal.atom in self._start) == literal.positive and literal.negated() not in self._made

    def _is_balanced(self, literal: Literal) -> bool:
        """Return whether tokens show that `literal` holds. The dropped steps must not end a token that may hold."""
        balance = self._balances.of(literal)
        if balance is None:
            return False
        never = {atom for atom in balance.tokens if atom not in self._start and Literal(atom) not in self._made}
        absent = {Literal(atom, False) for atom in balance.tokens - never}
        self._wanted.add(absent)
        # Ending a token would make the literal true only in the full plan, so such steps must not be dropped.
        self._safe.update(dict.fromkeys(absent, False))
        return True


class Wanted:
    """The wanted literals; both signs of an atom may be wanted.

    More of them never hurts (the plan is monotone in them). They include what effects depend on.

    Attributes:
        literals: The literals that are wanted.
    """

    def __init__(self, steps: Iterable[AdlAction], rules: Iterable[AdlRule]) -> None:
        """Index what effects and rules depend on. The caller must add the goals and the preconditions."""
        self.literals: set[Literal] = set()
        self._by: dict[Literal, set[Literal]] = defaultdict(set)
        for step in steps:
            for effect in step.effects:
                for made in effect.made if effect.condition else ():
                    self._by[made] |= effect.condition
                    self._by[made.negated()] |= {literal.negated() for literal in effect.condition}
        for rule in rules:
            for literal in (Literal(rule.head), Literal(rule.head, False)):
                self._by[literal] |= {signed for part in rule.body for signed in (part, part.negated())}

    def add(self, literals: Iterable[Literal]) -> None:
        """Add `literals` and what they depend on."""
        agenda = list(literals)
        while agenda:
            literal = agenda.pop()
            if literal not in self.literals:
                self.literals.add(literal)
                agenda += self._by.get(literal, ())


def made_by(steps: Iterable[AdlAction]) -> set[Literal]:
    """Return the literals that some of `steps` make, perhaps conditionally."""
    return {literal for step in steps for effect in step.effects for literal in effect.made}


def possible(task: AdlTask) -> AdlTask:
    """Return `task` without unreachable steps, effects, rules and goals, and without conditions that always hold."""
    reached = _Possible(task)
    goals = [
        (reached.open(goal), number) for goal, number in zip(task.goals, task.numbers, strict=True) if reached.may(goal)
    ]
    return replace(
        task,
        steps=tuple(reached.cut(step) for step in task.steps if reached.may(step.asked)),
        rules=tuple(
            AdlRule(rule.head, reached.open(rule.body), rule.layer) for rule in task.rules if reached.may(rule.body)
        ),
        goals=tuple(goal for goal, _ in goals),
        numbers=tuple(number for _, number in goals),
    )


def without_self_checks(task: AdlTask) -> AdlTask:
    """Return `task` with steps that only end a literal, and no longer require it: if it is false, they do nothing.

    For example, a bottle need not be closed to be opened, so no plan closes it first.
    """
    return replace(task, steps=tuple(map(_unchecked, task.steps)))


def _unchecked(step: AdlAction) -> AdlAction:
    made = {literal for effect in step.effects for literal in effect.made}
    if len(made) != 1 or step.conditional or step.operator.changes:
        return step
    return AdlAction(step.operator, step.asked - {literal.negated() for literal in made}, step.effects)


class _Possible:
    """A relaxation: what held once, of either sign, holds forever; a derived literal may always be true or false."""

    def __init__(self, task: AdlTask) -> None:
        self._start = task.start
        self._derived = {rule.head for rule in task.rules}
        self._changed: set[Literal] = set()
        self._grow(task)

    def _grow(self, task: AdlTask) -> None:
        """Let effects happen whose conditions may hold, until nothing new is possible."""
        waiting: dict[Literal, list[int]] = defaultdict(list)
        lacking, made = list[int](), list[tuple[Literal, ...]]()
        agenda: list[Literal] = []
        for step in task.steps:
            before = [literal for literal in step.asked if not self._may(literal)]
            for effect in step.effects:
                lacks = {*before, *(literal for literal in effect.condition if not self._may(literal))}
                for literal in lacks:
                    waiting[literal].append(len(made))
                agenda += () if lacks else effect.made
                lacking.append(len(lacks))
                made.append(effect.made)
        while agenda:
            literal = agenda.pop()
            if literal not in self._changed:
                self._changed.add(literal)
                for number in waiting.pop(literal, ()):
                    lacking[number] -= 1
                    agenda += () if lacking[number] else made[number]

    def may(self, conjunct: Iterable[Literal]) -> bool:
        """Return whether each literal can hold at some time."""
        return all(self._may(literal) for literal in conjunct)

    def _may(self, literal: Literal) -> bool:
        atom, positive = literal
        return (atom in self._start) == positive or literal in self._changed or atom in self._derived

    def open(self, conjunct: Conjunct) -> Conjunct:
        """Return the literals that can also be false."""
        return frozenset(literal for literal in conjunct if self._may(literal.negated()))

    def cut(self, step: AdlAction) -> AdlAction:
        """Return `step` without conditions that always hold."""
        effects = (
            AdlEffect(
                self.open(effect.condition), tuple(literal for literal in effect.made if self._may(literal.negated()))
            )
            for effect in step.effects
            if self.may(effect.condition)
        )
        return AdlAction(step.operator, self.open(step.asked), tuple(effect for effect in effects if effect.made))


@dataclass(frozen=True, slots=True)
class _Worth:
    """The value of a step: the wanted literals that it makes, and the wanted literals that it ends."""

    step: AdlAction
    number: int
    made: frozenset[Literal]
    ended: frozenset[Literal]


def without_dominated(task: AdlTask) -> AdlTask:
    """Return `task` without dominated steps. A cheapest plan costs the same.

    A better step requires no more, costs no more, makes what is wanted and ends no more, so that any plan can use it
    instead. A literal may be wanted only to make another literal, which then lasts. It is replaced by that other one:
    for example, no plan fills a jug first if the liquid goes into the glass in the end.
    """
    wanted = Wanted(task.steps, task.rules)
    wanted.add(literal for goal in task.goals for literal in goal)
    wanted.add(literal for step in task.steps for literal in step.asked)
    instead = _instead(task, wanted.literals)
    worths = [_worth(step, number, wanted.literals) for number, step in enumerate(task.steps) if not step.conditional]
    common = Counter(literal for worth in worths for literal in worth.step.asked)
    by_asked: dict[Literal | None, list[_Worth]] = defaultdict(list)
    for worth in worths:
        # Index each step by its rarest precondition: a rival's preconditions are a subset of the step's own.
        by_asked[min(worth.step.asked, key=lambda literal: (common[literal], literal), default=None)].append(worth)
    dropped = set[int]()
    for worth in worths:
        rivals = (rival for literal in (None, *worth.step.asked) for rival in by_asked.get(literal, ()))
        if not worth.made or any(rival.number not in dropped and _as_good(rival, worth, instead) for rival in rivals):
            dropped.add(worth.number)
    return replace(task, steps=tuple(step for number, step in enumerate(task.steps) if number not in dropped))


def _worth(step: AdlAction, number: int, wanted: set[Literal]) -> _Worth:
    effects = made_by([step])
    made = {literal for literal in effects if literal.positive or literal.negated() not in effects}
    ended = (literal.negated() for literal in made)
    return _Worth(step, number, frozenset(made & wanted), frozenset(literal for literal in ended if literal in wanted))


def _as_good(better: _Worth, worse: _Worth, instead: Mapping[Literal, Literal]) -> bool:
    return (
        better.number != worse.number
        and better.step.asked <= worse.step.asked
        and better.step.operator.cost <= worse.step.operator.cost
        and better.ended <= worse.ended
        and all(literal in better.made or instead.get(literal) in better.made for literal in worse.made)
    )


def _instead(task: AdlTask, wanted: set[Literal]) -> dict[Literal, Literal]:
    """Return what can replace each literal that is wanted only for one purpose: the literal it makes, if that lasts."""
    ends = made_by(task.steps)
    named = {literal for rule in task.rules for part in rule.body for literal in (part, part.negated())}
    named.update(literal for conjunct in (*task.goals, *(step.asked for step in task.steps)) for literal in conjunct)
    uses: dict[Literal, set[Literal]] = defaultdict(set)
    for condition, made in _open_effects(task, wanted):
        for literal in condition:
            uses[literal].add(made)
    replacements = {
        literal: next(iter(made))
        for literal, made in uses.items()
        if len(made) == 1 and literal not in named and literal.negated() not in wanted
    }
    return {
        literal: made
        for literal, made in replacements.items()
        if made not in replacements and made.negated() not in ends
    }


def _open_effects(task: AdlTask, wanted: set[Literal]) -> Iterator[tuple[frozenset[Literal], Literal]]:
    """Yield the condition and the literal of each effect that makes a wanted literal."""
    for step in task.steps:
        for effect in step.effects:
            for made in effect.made:
                if made in wanted:
                    yield effect.condition, made
