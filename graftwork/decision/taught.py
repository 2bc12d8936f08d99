"""`with_lessons`: a goal with what a person has taught, before it is checked and planned.

Whoever has understood the sentence, its goal is met by the conditions of the lessons: what a lesson wants besides,
instead, before or afterwards becomes part of the goal or a goal of its own in the order, its values become values of
the facts that they are about, and what must never be so becomes actions that no plan may have. So nothing downstream
knows of lessons, and a goal that a lesson has changed is checked, planned, sensed and repaired like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

from bt.recovery import Obstacle
from domains.capability import Capability
from domains.model import Domain
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Formula, Literal, Or, dnf, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Rejection
from semantics.logic.lesson import ANY, Lesson, NumberedLesson, Sorts
from semantics.logic.quantity import Quantity
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.lexicon import Resolved
from semantics.words.names import NameIndex

MOST_ALTERNATIVES, MOST_CHOICES = 200, 500
"""The most alternatives of a goal to which lessons are applied, and the most choices of things for one lesson."""
WORD = re.compile(r"[\w'-]+")
Binding = Mapping[str, str]


@dataclass(frozen=True)
class Situation:
    """What is believed, as lessons are about it."""

    vocabulary: Vocabulary
    state: State

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self.vocabulary, state=self.state)

    @cached_property
    def _meant(self) -> dict[str, frozenset[str]]:
        return {}

    def meant(self, words: Iterable[str]) -> frozenset[str]:
        """Return all things that these words can stand for: sorts, names, or what things afford."""
        return frozenset[str]().union(*map(self._meant_by, words))

    def _meant_by(self, words: str) -> frozenset[str]:
        if words not in self._meant:
            things = self.vocabulary.things
            found = self._names.resolve(f"all the {words}")
            able = {name for name, thing in things.items() if words in thing.affordances}
            traits, rest = self._names.traits.before(tuple(words.split()))
            like = self._names.traits.fitting(traits, tuple(things)) if traits and not rest else ()
            own = {words} & things.keys()
            named = found.names if isinstance(found, Resolved) else ()
            self._meant[words] = frozenset((*named, *able, *like, *own))
        return self._meant[words]

    def is_noun(self, words: str) -> bool:
        """Return whether words are a noun of the world, also one for which nothing is here."""
        *traits, noun = words.split()
        is_noun = self._names.knows(noun) or noun in self.vocabulary.further or noun in ("thing", "things")
        known = self._names.knows(words) or words in self.vocabulary.further or self._names.traits.knows(words)
        return known or (is_noun and all(map(self._names.traits.knows, traits)))

    def bindings(
        self, lesson: Lesson, facts: Iterable[Literal]
    ) -> Iterator[tuple[dict[str, str], dict[Literal, Literal]]]:
        """Yield how the condition of a lesson is met by the facts of a goal: the things, and the fact of each pattern.

        Variables with which different facts begin stand for different things.
        """
        subjects = {literal.atom.args[0] for literal in lesson.asked if literal.atom.args}
        patterns, asked = (list(map(_signed, each)) for each in (lesson.asked, facts))
        for bound, matched in _matches(patterns, asked, {}):
            if len({bound.get(name, name) for name in subjects}) < len(subjects):
                continue
            met = {_literal(pattern): _literal(fact) for pattern, fact in matched.items()}
            for whole in self.given(lesson, bound):
                yield whole, met

    def given(self, lesson: Lesson, bound: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield how what a lesson says of the beginning is so, with what its variables stand for as far as is known."""
        needed = [literal.atom for literal in lesson.given if literal.positive]
        for whole, _ in _matches(needed, sorted(self.state.atoms), dict(bound)):
            fits = all(name not in whole or whole[name] in self.meant(of) for name, of in lesson.sorts)
            if fits and not any(self._is_so(each.atom, whole) for each in lesson.given if not each.positive):
                yield whole

    def _is_so(self, pattern: Atom, binding: Binding) -> bool:
        return next(_matches((pattern,), sorted(self.state.atoms), dict(binding)), None) is not None

    def can_be(self, atom: Atom) -> bool:
        """Return whether the things of a fact have the affordances that it needs."""
        known, things = self.vocabulary.predicates.get(atom.predicate), self.vocabulary.things
        return known is None or all(
            name in things and things[name].affords([needed])
            for name, needed in zip(atom.args, known.parameters, strict=False)
        )

    def choices(self, variables: Iterable[str], sorts: Sorts, bound: Binding) -> Iterator[Binding]:
        """Yield the things that free variables can stand for."""
        free = [name for name in dict.fromkeys(variables) if name.startswith("?") and name not in bound]
        able = [sorted(self.meant(sorts[name]) if name in sorts else self.vocabulary.things) for name in free]
        found = ({**bound, **dict(zip(free, names, strict=True))} for names in product(*able))
        distinct = (each for each in found if len({each[name] for name in free}) == len(free))
        yield from (each for _, each in zip(range(MOST_CHOICES), distinct, strict=False))


DENIED = "not "


def _signed(literal: Literal) -> Atom:
    """Return a literal as an atom whose predicate says whether it is denied."""
    return literal.atom if literal.positive else Atom(DENIED + literal.atom.predicate, literal.atom.args)


def _literal(atom: Atom) -> Literal:
    return Literal(Atom(atom.predicate.removeprefix(DENIED), atom.args), not atom.predicate.startswith(DENIED))


def _matches(
    patterns: Sequence[Atom], facts: Iterable[Atom], bound: dict[str, str]
) -> Iterator[tuple[dict[str, str], dict[Atom, Atom]]]:
    """Yield each way in which all patterns are met by facts, each by another one."""
    if not patterns:
        yield bound, {}
        return
    pattern, rest = patterns[0], patterns[1:]
    for fact in facts:
        named = _bound(pattern, fact, bound)
        if named is not None:
            for whole, matched in _matches(rest, [other for other in facts if other != fact], named):
                yield whole, {pattern: fact, **matched}


def _bound(pattern: Atom, fact: Atom, bound: Binding) -> dict[str, str] | None:
    wanted, found = _literal(pattern), _literal(fact)
    is_same = wanted.atom.predicate in (ANY, found.atom.predicate) and wanted.positive == found.positive
    if not is_same or len(pattern.args) != len(fact.args):
        return None
    named = dict(bound)
    for variable, name in zip(pattern.args, fact.args, strict=True):
        if named.setdefault(variable, name) != name if variable.startswith("?") else variable != name:
            return None
    return named


@dataclass(slots=True)
class _Alternative:
    """One way to fulfil a goal, with what the lessons make of it."""

    facts: list[Literal]
    more: dict[Formula, None] = field(default_factory=dict)
    first: dict[Formula, None] = field(default_factory=dict)
    after: dict[Formula, None] = field(default_factory=dict)
    values: dict[Literal, dict[str, Quantity]] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    misfits: set[int] = field(default_factory=set)

    @property
    def formula(self) -> Formula:
        parts = (*(literal.formula for literal in self.facts), *self.more)
        return parts[0] if len(parts) == 1 else And(parts)

    @property
    def shape(self) -> tuple[object, ...]:
        """What has to be equal in alternatives that are pursued together."""
        valued = sorted({tuple(sorted(values.items())) for values in self.values.values()}, key=str)
        return tuple(self.first), tuple(self.after), tuple(valued)


@dataclass(frozen=True)
class Teaching:
    """Applies lessons to goals."""

    lessons: Sequence[NumberedLesson]
    believed: Situation
    words: str

    def apply(self, goal: Goal) -> Goal | Rejection:
        """Return a goal with what was taught; the goal itself if no lesson is about it."""
        stages, used = list[Goal](), set[int]()
        for stage in goal.stages:
            made = self._stage(stage)
            if isinstance(made, Rejection):
                return made
            stages += made[0]
            used |= made[1]
        if not used:
            return goal
        first, *later = stages
        notes = (f"As you have taught me (lesson {number})." for number in sorted(used))
        return replace(first, text=goal.text, notes=(*goal.notes, *notes), weights=goal.weights, later=tuple(later))

    @property
    def _said(self) -> list[NumberedLesson]:
        words = " ".join(WORD.findall(self.words.lower()))
        return [kept for kept in self.lessons if is_said(kept.lesson, words)]

    def _stage(self, stage: Goal) -> tuple[list[Goal], set[int]] | Rejection:
        order = {literal: at for at, literal in enumerate(literals(stage.formula))}
        try:
            conjuncts = dnf(stage.formula)
        except FormulaError:  # it has too many alternatives
            return [stage], set()
        if len(conjuncts) > MOST_ALTERNATIVES:
            return [stage], set()
        found = [_Alternative(sorted(each, key=lambda fact: order[fact])) for each in conjuncts]
        for kept in self._said:
            for alternative in found:
                self._teach(kept, alternative)
        for number in {number for each in found for number in each.misfits}:
            fit = [each for each in found if number not in each.misfits]
            for each in fit if len(fit) < len(found) else ():
                each.used.add(number)
            found = fit or found
        broken = [self._broken(each) for each in found]
        allowed = [each for each, kept in zip(found, broken, strict=True) if kept is None]
        if not allowed:
            return self._refused(found[0])
        used = {kept.number for kept in broken if kept is not None}.union(*(each.used for each in found))
        alike = [each for each in allowed if each.shape == allowed[0].shape]
        return (list(_stages(stage, alike, self.believed.state)) if used else [stage]), used

    def wanted(self, goal: Goal, kept: NumberedLesson) -> Iterator[Way]:
        """Yield what a lesson wants of each way to fulfil a goal that it leaves; of an order, of the last goal."""
        lesson, last = kept.lesson, goal.stages[-1]
        ways = [(conjunct, self._way(lesson, conjunct)) for conjunct in dnf(last.formula)]
        chosen = [each for each in ways if each[1] is not None] or ways
        for conjunct, way in chosen:
            yield way or Way(tuple(sorted(conjunct)), None, None, None)

    def _way(self, lesson: Lesson, conjunct: Iterable[Literal]) -> Way | None:
        """Return what a lesson wants of one way to fulfil a goal; None if it wants another one."""
        facts = sorted(conjunct)
        atoms = [atom for atom, positive in facts if positive]
        first, after, end, handled = list[Formula](), list[Formula](), list[Formula](), set[str]()
        for bound, matched in self.believed.bindings(lesson, conjunct) if is_said(lesson, self.words) else ():
            if (lesson.choose or lesson.choose_sorts) and not self._is_chosen(lesson, bound, atoms):
                return None
            own = self._effects(lesson, bound, matched, dict(lesson.sorts))
            first += [own["first"]] if own["first"] is not None else []
            after += [own["after"]] if own["after"] is not None else []
            end += [own[name] for name in ("also", "instead") if own[name] is not None]  # type: ignore[misc]
            handled |= {fact.atom.args[0] for fact in matched.values() if fact.atom.args}
            if lesson.instead:
                facts = [fact for fact in facts if fact not in matched.values()]
        values = lesson.values if handled else ()
        return Way(tuple(facts), _all(first), _all(after), _all(end), values, frozenset(handled))

    def _teach(self, kept: NumberedLesson, alternative: _Alternative) -> None:
        """Add to an alternative what a lesson wants of it."""
        lesson, sorts = kept.lesson, dict(kept.lesson.sorts)
        atoms = [atom for atom, positive in alternative.facts if positive]
        ways = list(self.believed.bindings(lesson, alternative.facts))
        denials = dict.fromkeys(self._denials(lesson, atoms) if lesson.never else ())
        alternative.more.update(denials)
        alternative.used.update([kept.number] if denials else [])
        for bound, matched in ways:
            if (lesson.choose or lesson.choose_sorts) and not self._is_chosen(lesson, bound, atoms):
                alternative.misfits.add(kept.number)
            own = self._effects(lesson, bound, matched, sorts)
            met = [fact for fact in alternative.facts if fact in matched.values()]
            valued = met or ([] if lesson.asked else alternative.facts)
            if own["instead"] is not None:
                alternative.facts = [fact for fact in alternative.facts if fact not in met]
            _add(own["instead"], alternative.more)
            _add(own["also"], alternative.more)
            _add(own["first"], alternative.first)
            _add(own["after"], alternative.after)
            for fact in valued if lesson.values else ():
                alternative.values.setdefault(fact, {}).update(lesson.values)
            if lesson.values or any(own.values()):
                alternative.used.add(kept.number)

    def _effects(
        self, lesson: Lesson, bound: Binding, matched: Mapping[Literal, Literal], sorts: Sorts
    ) -> dict[str, Formula | None]:
        return {
            name: self._formula([self._named(fact, matched) for fact in getattr(lesson, name)], bound, sorts)
            for name in ("instead", "also", "first", "after")
        }

    @staticmethod
    def _named(fact: Literal, matched: Mapping[Literal, Literal]) -> Literal:
        """Return a fact; one of any predicate gets that of the fact that the same things were matched with."""
        if fact.atom.predicate != ANY:
            return fact
        alike = (made for pattern, made in matched.items() if pattern.atom.predicate == ANY)
        same = matched.get(fact) or next(alike, None)
        return fact if same is None else Literal(Atom(same.atom.predicate, fact.atom.args), fact.positive)

    def _formula(self, facts: Sequence[Literal], bound: Binding, sorts: Sorts) -> Formula | None:
        """Return facts with things in the place of variables; where several will do, a choice."""
        if not facts:
            return None
        variables = [arg for fact in facts for arg in fact.atom.args]
        ways = [
            tuple(fact.replaced(names) for fact in facts) for names in self.believed.choices(variables, sorts, bound)
        ]
        able = [way for way in ways if all(self.believed.can_be(fact.atom) for fact in way)]
        parts = [way[0].formula if len(way) == 1 else And(tuple(each.formula for each in way)) for way in able or ways]
        return None if not parts else parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _is_chosen(self, lesson: Lesson, bound: Binding, atoms: Iterable[Atom]) -> bool:
        sorts = dict(lesson.choose_sorts)
        holds = self.believed.state.atoms | {*atoms}
        so = all((fact.replaced(bound).atom in holds) == fact.positive for fact in lesson.choose)
        return so and all(bound.get(name) in self.believed.meant(words) for name, words in sorts.items())

    def _denials(self, lesson: Lesson, atoms: Sequence[Atom]) -> Iterator[Formula]:
        """Yield that what is put somewhere does not come to stand as the lesson forbids, where this is sensed."""
        if len(lesson.never) > 1 or not self._is_relation(lesson.never[0]):
            return
        moved = {atom.args[0] for atom in atoms if atom.args}
        for fact in self.forbidden(lesson):
            if fact.args[0] in moved:
                yield Literal(fact, False).formula

    def _is_relation(self, atom: Atom) -> bool:
        known = self.believed.vocabulary.predicates.get(atom.predicate)
        return known is not None and known.on_demand

    def forbidden(self, lesson: Lesson) -> Iterator[Atom]:
        """Yield the facts that a lesson forbids, if it forbids single ones."""
        if len(lesson.never) != 1:
            return
        (pattern,) = lesson.never
        for names in self.believed.choices(pattern.args, dict(lesson.sorts), {}):
            atom = pattern.replaced(names)
            if self.believed.can_be(atom) and next(self.believed.given(lesson, names), None) is not None:
                yield atom

    def _broken(self, alternative: _Alternative) -> NumberedLesson | None:
        """Return the lesson that forbids what an alternative asks for, or None."""
        parts = (alternative.formula, *alternative.first, *alternative.after)
        wanted = {atom for part in parts for atom, positive in literals(part) if positive}
        if isinstance(alternative.formula, Or):
            return None
        for kept in self._said:
            never, sorts = kept.lesson.never, dict(kept.lesson.sorts)
            for bound, _ in _matches(never, sorted(wanted), {}) if never else ():
                is_meant = all(bound[name] in self.believed.meant(of) for name, of in sorts.items() if name in bound)
                if is_meant and not all(atom.replaced(bound) in self.believed.state.atoms for atom in never):
                    return kept
        return None

    def _refused(self, alternative: _Alternative) -> Rejection:
        kept = self._broken(alternative)
        assert kept is not None
        told = kept.lesson.told(self.believed.vocabulary.predicates)
        how = f"Say something else, or 'graftwork memory forget L{kept.number}'."
        return Rejection(
            (Feedback(Code.CONTRADICTION, "the goal", f"you have taught me (lesson {kept.number}): {told}.", how),)
        )


@dataclass(frozen=True, slots=True)
class Way:
    """What a lesson wants of one way to fulfil a goal, as a condition on what is done."""

    main: tuple[Literal, ...]  # the facts that the goal asks for still
    first: Formula | None
    after: Formula | None
    end: Formula | None
    values: tuple[tuple[str, Quantity], ...] = ()
    handled: frozenset[str] = frozenset()  # the things in whose steps the values are

    def is_so(self, steps: Sequence[Operator], states: Sequence[State]) -> bool:
        """Return whether it is fulfilled by steps, and the states before the first and after each of them."""
        reached = [at for at, state in enumerate(states) if state.satisfies(self.main)]
        if not reached or reached[-1] + 1 < len(states) or not (self.end is None or states[-1].judge(self.end)):
            return False
        if self.first is not None and not any(state.judge(self.first) for state in states[: max(reached[0], 1)]):
            return False
        if self.after is not None and not any(state.judge(self.after) for state in states[reached[0] :]):
            return False
        return all(self._is_done_at(name, quantity, steps) for name, quantity in self.values)

    def _is_done_at(self, name: str, quantity: Quantity, steps: Sequence[Operator]) -> bool:
        """Return whether the steps with the things have a value, those that take such a one."""
        own = [dict(step.action.values) for step in steps if self.handled & {*step.action.args}]
        said = [values[short] for values in own if (short := name.rpartition(".")[2]) in values]
        return (bool(said) or not own) and all(value == quantity for value in said)


def _all(parts: Sequence[Formula]) -> Formula | None:
    return And(tuple(parts)) if parts else None


def _add(formula: Formula | None, parts: dict[Formula, None]) -> None:
    if formula is not None:
        parts[formula] = None


def is_said(lesson: Lesson, words: str) -> bool:
    """Return whether a sentence has the words of the condition of a lesson, and none that it must not have."""
    said = f" {words.lower()} "

    def has(word: str) -> bool:
        return re.search(rf"\W{re.escape(word)}(?:'s|s|es)?\W", said) is not None

    return all(map(has, lesson.words)) and not any(map(has, lesson.unless))


def reworded(words: str, lessons: Iterable[NumberedLesson]) -> str:
    """Return a sentence with what its words were taught to mean."""
    for _, lesson in lessons:
        if lesson.meaning and is_said(lesson, words):
            said = re.compile(rf"(?<!\w){re.escape(lesson.phrase)}(?!\w)", re.IGNORECASE)
            words = lesson.meaning.join(said.split(words))
    return words


def _stages(stage: Goal, alike: Sequence[_Alternative], state: State) -> Iterator[Goal]:
    """Yield the goals that alternatives make of one: what comes first, the facts with values, what comes after."""
    chosen = alike[0]
    for part in chosen.first:
        own = (chosen.values.get(fact, {}) for fact in literals(part))
        values = {name: quantity for each in own for name, quantity in each.items()} | dict(stage.values)
        if not state.judge(part):
            yield Goal(part, values=tuple(sorted(values.items())))
    formula = chosen.formula if len(alike) == 1 else Or(tuple(each.formula for each in alike))
    said = dict(stage.values)
    valued = {fact: values for fact, values in chosen.values.items() if values}
    if not valued or len(alike) > 1 or len(valued) == len([fact for fact in chosen.facts if fact.positive]):
        values = {name: quantity for each in valued.values() for name, quantity in each.items()}
        yield replace(stage, formula=formula, values=tuple(sorted({**values, **said}.items())), jobs=())
    else:
        yield from _one_by_one(stage, chosen, formula, said)
    yield from (Goal(part) for part in chosen.after)


def _one_by_one(stage: Goal, chosen: _Alternative, formula: Formula, said: Mapping[str, Quantity]) -> Iterator[Goal]:
    """Yield the facts of a goal one group after the other, each with its own values; in the end all hold."""
    values = [chosen.values.get(fact, {}) for fact in chosen.facts]
    ends = [at for at in range(len(values)) if at + 1 == len(values) or values[at] != values[at + 1]]
    for end in ends:
        facts = [fact.formula for fact in chosen.facts[: end + 1]]
        reached = And(tuple(facts)) if end else facts[0]
        own = tuple(sorted({**values[end], **said}.items()))
        yield replace(stage, formula=formula if end == ends[-1] else reached, values=own, jobs=())


def taught_goal(
    goal: Goal, words: str, lessons: Sequence[NumberedLesson], vocabulary: Vocabulary, state: State
) -> Goal | Rejection:
    """Return the goal of some words with what was taught; the goal itself if no lesson is about it."""
    return Teaching(lessons, Situation(vocabulary, state), words).apply(goal)


def forbidding(lessons: Iterable[NumberedLesson], believed: Situation, domain: Domain) -> tuple[Obstacle, ...]:
    """Return the actions that no plan may have, because a lesson says that what they do must never be so."""
    teaching = Teaching(tuple(lessons), believed, "")
    facts = [
        atom
        for _, lesson in teaching.lessons
        for atom in teaching.forbidden(lesson)
        if atom not in believed.state.atoms
    ]
    made = (_forbidden(capability, fact) for fact in facts for capability in domain.capabilities.values())
    return tuple(dict.fromkeys(obstacle for each in made for obstacle in each))


def _forbidden(capability: Capability, fact: Atom) -> Iterator[Obstacle]:
    numbers = {f"?{parameter.name}": number for number, parameter in enumerate(capability.parameters)}
    for effect in capability.effect:
        if not effect.positive or effect.predicate != fact.predicate:
            continue
        pairs = list(zip(effect.args, fact.args, strict=True))
        if all(arg in numbers or arg == name for arg, name in pairs):
            pattern = sorted({(numbers[arg], name) for arg, name in pairs if arg in numbers})
            yield Obstacle(Code.DECLINED, capability.name, tuple(pattern))
