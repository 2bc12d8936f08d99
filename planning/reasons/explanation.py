"""`Explainer`: tests the possible reasons why a conjunct is unreachable, the simplest first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, takewhile

from domains.invariants.clashing_facts import clashing_facts, switched_facts
from domains.problem import Problem
from planning.reasons.effort import Effort, SpentError
from planning.reasons.invariants import Invariants
from planning.reasons.obstacles import ActionObstacle, obstacle
from planning.reasons.reason import Kind, Reason, said
from planning.reasons.shadow import shadow
from planning.reasons.sketch import FactMutexes, Sketch, chain, draw, exclusions, reached
from planning.relevance.needed import needed
from semantics.logic.atoms import Atom, Literal, objects_in
from semantics.plain_text import together

MOST_NAMES = 6
"""Up to this many names, one sketch serves all literals; with more, each literal or pair gets its own sketch."""
MOST_TOGETHER = 12  # the largest number of names in a conflict that is reduced to its core
KEEP_ONE = "Ask for one of them at a time, or for a part."


class Explainer:
    """Explains one conjunct in one state. Results are cached; a test that exceeds the effort proves nothing."""

    def __init__(self, problem: Problem, effort: Effort | None = None) -> None:
        """Store the problem that has no plan, and the effort to spend."""
        self._original = problem
        domain = shadow(problem.domain) if problem.domain.is_adl else problem.domain
        self._problem = problem.within(needed(domain, problem.goal))
        self._conjunct = problem.conjunct
        self._is_small = len({arg for literal in self._conjunct for arg in literal.atom.args}) <= MOST_NAMES
        self._state = state = problem.state
        self._things = problem.objects
        self._domain = domain = self._problem.domain
        self._predicates = {name: model.predicate for name, model in domain.predicates.items()}
        self._invariants = Invariants(domain, state)
        self._effort = effort or Effort()
        self._sketches: dict[frozenset[Literal], tuple[Sketch, int]] = {}
        self._pairs: dict[frozenset[Literal], FactMutexes | None] = {}

    def reason(self) -> Reason:
        """Return the first reason found; it names facts of the state that contradict each other."""
        return with_contradiction(self._reason(), self._original)

    def _reason(self) -> Reason:
        missing = self._state.missing(self._conjunct)
        for literal in missing:
            if (stop := obstacle(literal, self._things, self._domain)) is not None:
                return self._stopped([literal], stop)
        try:
            reasons = (reason for literal in missing if (reason := self._unreached(literal)) is not None)
            return next(reasons, None) or self._conflict() or self._unexplained()
        except SpentError:
            return self._unexplained()

    def alone(self, literal: Literal) -> Reason | None:
        """Return why `literal` alone is unreachable; None when no reason is found."""
        if self._state.holds(literal):
            return None
        if (stop := obstacle(literal, self._things, self._domain)) is not None:
            return self._stopped([literal], stop)
        try:
            return self._unreached(literal) or self._clash((literal,))
        except SpentError:
            return None

    def within_reach(self, literal: Literal) -> bool:
        """Return whether some actions may make `literal` true; False also when the effort does not suffice to tell."""
        try:
            return obstacle(literal, self._things, self._domain) is None and self._unreached(literal) is None
        except SpentError:
            return False

    def pairs(self) -> Iterator[tuple[Literal, Literal]]:
        """Yield the pairs of literals that exclude each other though each is reachable, within the effort."""
        with suppress(SpentError):
            yield from self._pairs_excluded()

    def _pairs_excluded(self) -> Iterator[tuple[Literal, Literal]]:
        every = combinations(sorted(self._conjunct), 2)
        nearest = sorted(every, key=lambda pair: -len({*pair[0].atom.args} & {*pair[1].atom.args}))
        yield from filter(self._excluded, nearest)

    def _sketch(self, literals: Collection[Literal]) -> tuple[Sketch, int]:
        """Return the sketch for `literals`, and the facts that its relaxation reaches."""
        key = self._conjunct if self._is_small else frozenset(literals)
        if key not in self._sketches:
            problem = self._problem.within(needed(self._domain, self._problem.goal, self._things))
            sketch = draw(sorted(key), problem, self._invariants, self._effort)
            self._sketches[key] = sketch, reached(sketch, self._effort)
        return self._sketches[key]

    def _fixpoint(self, literals: Collection[Literal]) -> FactMutexes | None:
        sketch, have = self._sketch(literals)
        key = self._conjunct if self._is_small else frozenset(literals)
        if key not in self._pairs:
            self._pairs[key] = exclusions(sketch, have, self._effort)
        return self._pairs[key]

    def _unreached(self, literal: Literal) -> Reason | None:
        sketch, have = self._sketch((literal,))
        if have >> sketch.number(literal) & 1:
            return None
        links = chain(sketch, have, literal)
        stop = obstacle(links[-1], self._things, self._domain)
        places = [link for link in links if self._place(link)]
        if places and (stop is None or places[-1] is links[-1] is not literal):
            same = takewhile(lambda link: link.atom.predicate == places[-1].atom.predicate, reversed(places))
            return self._no_way(links, list(same)[-1], stop)
        facts = (fact for fact in sorted(self._state.atoms) if not set(links[-1].atom.args).isdisjoint(fact.args))
        begun = (obstacle(links[-1], self._things, self._domain, fact) for fact in facts if stop is None)
        lacking = (each for each in begun if each is not None and each.kind is Kind.NO_AFFORDANCE)
        stop = stop or next(lacking, ActionObstacle(Kind.NO_WAY, "nobody here gets that far"))
        return self._stopped(links, stop)

    def _place(self, literal: Literal) -> str:
        """Return the place in a literal that locates an agent or an object; empty when there is none."""
        kinds = self._predicates[literal.atom.predicate].parameters
        names = [
            name
            for name, kind in zip(literal.atom.args, kinds, strict=True)
            if kind == self._domain.conventions.location
        ]
        return names[0] if names and literal.positive else ""

    def _no_way(self, links: list[Literal], at: Literal, stop: ActionObstacle | None) -> Reason:
        place, subject = self._place(at), at.atom.args[0]
        agent = self._things[subject].class_name in self._domain.agents
        why = f"{subject} has no way to {place}" if agent else f"{subject} cannot be reached from {place}"
        if at is not links[0]:
            why = f"it needs that {said(at, self._predicates)}, and {why}"
        blamed = stop.culprits if stop else ()
        culprits = tuple(dict.fromkeys((*links[0].atom.args, place, subject, *blamed)))
        how = f"Clear a way to {place}, or ask for something elsewhere."
        return Reason(Kind.NO_WAY, (links[0],), said(links[0], self._predicates), why, how, culprits)

    def _stopped(self, links: list[Literal], stop: ActionObstacle) -> Reason:
        why = f"it needs that {said(links[-1], self._predicates)}, and {stop.why}" if len(links) > 1 else stop.why
        culprits = tuple(dict.fromkeys((*links[0].atom.args, *links[-1].atom.args, *stop.culprits)))
        return Reason(stop.kind, (links[0],), said(links[0], self._predicates), why, stop.how, culprits)

    def _conflict(self) -> Reason | None:
        for literal in self._state.missing(self._conjunct):
            if (reason := self._clash((literal,))) is not None:
                return reason
        pair = next(self._pairs_excluded(), None)
        return self._together(pair) if pair else self._core()

    def _core(self) -> Reason | None:
        """Remove literals that the conflict does not need, as long as the rest is still proved impossible."""
        core = tuple(sorted(self._conjunct))
        if len(objects_in(core)) > MOST_TOGETHER or not self._impossible(core):
            return None
        for literal in core:
            rest = tuple(other for other in core if other != literal)
            if rest and self._impossible(rest):
                core = rest
        return self._together(core)

    def _impossible(self, literals: Collection[Literal]) -> bool:
        fixpoint = self._fixpoint(literals)
        return fixpoint is not None and fixpoint.impossible(_facts(fixpoint.sketch, literals))

    def _excluded(self, literals: Collection[Literal]) -> bool:
        fixpoint = self._fixpoint(literals)
        return fixpoint is not None and fixpoint.excluded(_facts(fixpoint.sketch, literals)) is not None

    def _clash(self, literals: tuple[Literal]) -> Reason | None:
        """Return why a literal that the relaxation reaches is unreachable: its preconditions exclude each other."""
        fixpoint = self._fixpoint(literals)
        if fixpoint is None or not self._excluded(literals):
            return None
        sketch, literal = fixpoint.sketch, literals[0]
        fact = 1 << sketch.number(literal)
        clashes = [fixpoint.excluded(deed.needs) for deed in sketch.deeds if deed.adds & fact]
        pair = next((clash for clash in clashes if clash and clash[0] != clash[1]), None)
        if pair is None:
            return self._stopped([literal], ActionObstacle(Kind.EXCLUSION, "what it needs cannot be had together"))
        names = together(said(sketch.facts[fact], self._predicates) for fact in pair)
        why = f"it needs that {names}, and these exclude each other"
        culprits = tuple(
            dict.fromkeys((*literal.atom.args, *(arg for fact in pair for arg in sketch.facts[fact].atom.args)))
        )
        return Reason(Kind.EXCLUSION, (literal,), said(literal, self._predicates), why, "", culprits)

    def _together(self, literals: Collection[Literal]) -> Reason:
        what = together(said(literal, self._predicates) for literal in literals)
        if len(literals) == 1:
            return self._stopped(list(literals), ActionObstacle(Kind.EXCLUSION, "what it needs cannot be had together"))
        why = f"each can be had, but not {'both' if len(literals) == 2 else 'all'} together"
        if self._of_one_thing(literals):
            why = "each can be had, but no step puts a thing so that several of them hold"
        return Reason(Kind.EXCLUSION, tuple(literals), what, why, KEEP_ONE, objects_in(literals))

    def _of_one_thing(self, literals: Collection[Literal]) -> bool:
        """Return whether two relations that are sensed on demand have a thing in common."""
        related = [
            set(atom.args) for atom, positive in literals if positive and self._predicates[atom.predicate].on_demand
        ]
        return any(not first.isdisjoint(second) for first, second in combinations(related, 2))

    def _unexplained(self) -> Reason:
        literals = tuple(sorted(self._conjunct))
        what = together(said(literal, self._predicates) for literal in literals)
        why = "no sequence of actions ends that way"
        return Reason(Kind.UNEXPLAINED, literals, what, why, "", objects_in(literals))


def _facts(sketch: Sketch, literals: Collection[Literal]) -> int:
    return sum(1 << sketch.number(literal) for literal in set(literals))


HARMLESS = (Kind.ALREADY_TRUE, Kind.WHEREABOUTS_UNKNOWN)
"""The kinds of reasons that do not depend on what actions can do."""


def contradiction(problem: Problem, names: Set[str]) -> tuple[Atom, Atom] | None:
    """Return two facts of the state about one of the things `names` that no action would bring about together."""
    facts = sorted(atom for atom in problem.state.atoms if not names.isdisjoint(atom.args))
    found = (*clashing_facts(facts, problem.domain), *switched_facts(facts, problem.domain))
    return next((pair for pair in found if pair[0].args[0] in names), None)


def with_contradiction(reason: Reason, problem: Problem) -> Reason:
    """Return a reason that also names two facts of the state that contradict each other, if there are any.

    A fridge that is open and closed at once has no plan, or has one that makes no sense. Files of this project's
    own format refuse such a start. A PDDL file, or what a body senses, may still hold it, so the reason names the
    two facts.
    """
    if reason.kind in HARMLESS:
        return reason
    names = {arg for literal in problem.conjunct for arg in literal.atom.args}.union(reason.culprits)
    if (pair := contradiction(problem, names)) is None:
        return reason
    predicates = {name: model.predicate for name, model in problem.domain.predicates.items()}
    facts = together(f"{said(Literal(fact), predicates)} {fact}" for fact in pair)
    culprits = tuple(dict.fromkeys((*reason.culprits, *(arg for fact in pair for arg in fact.args))))
    why = f"{reason.why}; and the state contradicts itself: {facts}"
    return replace(reason, why=why, how=reason.how or "Correct one of these two facts.", culprits=culprits)
