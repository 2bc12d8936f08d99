"""`check_goal`: whether a goal names existing things, is free of contradictions, and does not hold already.

There are three stages, and each reports all of its errors. The first checks names and arity of every atom, and its
affordances: a disjunct that asks for what cannot be is dropped, and so is the denial of what cannot be. The second
checks each disjunct of the disjunctive normal form for a literal together with its negation, and against the domain's
semantic rules (one Prolog query for all, negated literals included, as AutoGPT+P section IV-C proposes and its code
does not do). The third compares the goal with the present state. When every disjunct fails, the rejection holds the
errors of the disjunct with the fewest, because that is the shortest way to a goal that passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from itertools import chain, zip_longest

from semantics.errors import FormulaError, UsageError
from semantics.hints import choices, did_you_mean, hint
from semantics.logic.atoms import And, Atom, Conjunct, Formula, Literal, Or, dnf, literals, rebuilt
from semantics.logic.attribute_goals import settled
from semantics.logic.exclusions import Exclusion, clashes, crowds, excluded
from semantics.logic.feedback import Code, Feedback, sentences
from semantics.logic.goal import CheckedGoal, Goal, Rejection, value_errors
from semantics.logic.rules import RuleBook, Violation
from semantics.logic.state import State
from semantics.logic.vocabulary import Predicate, Thing, Vocabulary

ANYTHING = "object"
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def check_goal(
    goal: Goal,
    vocabulary: Vocabulary,
    *,
    rules: RuleBook,
    state: State,
    exclusions: Callable[[], Iterable[Exclusion]] = tuple,
) -> CheckedGoal | Rejection:
    """Check a goal against the vocabulary, the rules of the domain, `exclusions` and the present `state`.

    An exclusion does not repeat what a rule reports. `exclusions` is called only when a disjunct passes everything else
    and some disjunct asks for two facts.

    Raises:
        PrologUnavailableError: There are rules, and SWI-Prolog is missing.
        UsageError: A rule is invalid.
    """
    known = settled(goal, vocabulary, state)
    if isinstance(known, Rejection):
        return known
    goal, unfit = known, _unfit(known, vocabulary)
    misfits = value_errors(goal, vocabulary) if goal.values else ()
    errors = tuple(dict.fromkeys((*name_errors(goal, vocabulary, unfit), *misfits)))
    if any(error.code is not Code.WRONG_AFFORDANCE for error in errors):
        return Rejection(errors)
    try:
        written = dnf(goal.formula)
    except FormulaError as error:
        return Rejection((Feedback(Code.UNREADABLE, "the goal", error.reason, "Ask for less at a time."),))
    if not written:
        why = "it is a choice between no alternatives, so nothing can make it true"
        return Rejection((Feedback(Code.CONTRADICTION, str(goal), why, "Name at least one alternative."),))
    conjuncts, idle = _meaningful(written, unfit, state) if unfit else (written, ())
    faults = [tuple(error for literal in sorted(each) for error in unfit.get(literal.atom, ())) for each in conjuncts]
    if all(faults):
        named = {literal.atom for conjunct in conjuncts for literal in conjunct}
        return Rejection(tuple(error for atom, told in unfit.items() if atom in named for error in told))
    conjuncts = tuple(conjunct for conjunct, told in zip(conjuncts, faults, strict=True) if not told)
    complaints = _contradictions(conjuncts, vocabulary, rules)
    passed = tuple(conjunct for conjunct, errors in zip(conjuncts, complaints, strict=True) if not errors)
    facts = [frozenset(atom for atom, positive in conjunct if positive) for conjunct in conjuncts]
    asked = frozenset[Atom]().union(*(each for each in facts if len(each) > 1))  # a fact alone excludes no other
    if passed and asked and (crowded := crowds(exclusions(), asked, state)):
        complaints = tuple(
            (*errors, *_excluded(conjunct, errors, vocabulary, crowded))
            for conjunct, errors in zip(conjuncts, complaints, strict=True)
        )
        passed = tuple(conjunct for conjunct, errors in zip(conjuncts, complaints, strict=True) if not errors)
    if not passed:
        return Rejection(min((*complaints, *filter(None, faults)), key=len))
    dropped = tuple(dict.fromkeys((*idle, *(error for told in (*faults, *complaints) for error in told))))
    return CheckedGoal(goal, passed, any(map(state.satisfies, map(vocabulary.decided, passed))), dropped)


def _unfit(goal: Goal, vocabulary: Vocabulary) -> dict[Atom, tuple[Feedback, ...]]:
    """Return the errors of the atoms with arguments that lack an affordance, so that they can never hold."""
    errors = {}
    for atom in dict.fromkeys(literal.atom for literal in literals(goal.formula)):
        predicate = vocabulary.predicates.get(atom.predicate)
        if predicate is not None and len(atom.args) == len(predicate.parameters):
            errors[atom] = tuple(_wrong_affordances(atom, predicate, vocabulary.things))
    return {atom: told for atom, told in errors.items() if told}


def without_unfit(goal: Goal, vocabulary: Vocabulary, state: State) -> Formula:
    """Return the formula of a goal with the value of each atom that lacks an affordance, which no action changes."""
    unfit = _unfit(goal, vocabulary)

    def replaced(part: Formula) -> Formula:
        if isinstance(part, Atom) and part in unfit:
            return And(()) if part in state.atoms else Or(())
        return rebuilt(part, replaced)

    return replaced(goal.formula)


def _meaningful(
    conjuncts: tuple[Conjunct, ...], unfit: Mapping[Atom, tuple[Feedback, ...]], state: State
) -> tuple[tuple[Conjunct, ...], tuple[Feedback, ...]]:
    """Return the conjuncts without the denials of what can never hold, and a note on each of these."""
    idle = {Literal(atom, False) for atom in unfit if atom not in state.atoms}
    denied = sorted(idle & frozenset[Literal]().union(*conjuncts))
    notes = tuple(
        Feedback(
            Code.WRONG_AFFORDANCE,
            str(literal),
            f"it is always so: {unfit[literal.atom][0].why.rstrip('.')}.",
            "Leave it out.",
            unfit[literal.atom][0].culprits,
        )
        for literal in denied
    )
    return tuple(conjunct - idle for conjunct in conjuncts), notes


def name_errors(goal: Goal, vocabulary: Vocabulary, unfit: Mapping[Atom, tuple[Feedback, ...]]) -> Iterator[Feedback]:
    """Yield what is wrong with the names of a goal, and with its `unfit` facts."""
    for atom in dict.fromkeys(literal.atom for literal in literals(goal.formula)):
        predicate = vocabulary.predicates.get(atom.predicate)
        if predicate is None:
            yield _unknown_predicate(atom.predicate, vocabulary)
        elif not predicate.goal:
            yield _no_goal_predicate(predicate, vocabulary)
        elif len(atom.args) != len(predicate.parameters):
            yield _wrong_arity(atom, predicate)
        if not {*atom.args} <= vocabulary.things.keys():
            yield from _unknown_objects(atom, predicate, vocabulary.things)
        yield from unfit.get(atom, ())


def _goal_predicates(vocabulary: Vocabulary) -> str:
    usable = (predicate for predicate in vocabulary.predicates.values() if predicate.goal)
    forms = (f"({predicate.name} {' '.join(predicate.parameters)})" for predicate in usable)
    return choices(forms, "predicate", vocabulary.world)


def _unknown_predicate(name: str, vocabulary: Vocabulary) -> Feedback:
    usable = [predicate.name for predicate in vocabulary.predicates.values() if predicate.goal]
    return Feedback(
        Code.UNKNOWN_PREDICATE,
        f"the predicate '{name}'",
        "this domain has no such predicate.",
        did_you_mean(name, usable) or f"Use one of: {_goal_predicates(vocabulary)}.",
        (name,),
    )


def _no_goal_predicate(predicate: Predicate, vocabulary: Vocabulary) -> Feedback:
    return Feedback(
        Code.UNKNOWN_PREDICATE,
        f"the predicate '{predicate.name}'",
        "it follows from other facts and may not stand in a goal.",
        f"Say what should hold with one of: {_goal_predicates(vocabulary)}.",
        (predicate.name,),
    )


def _wrong_arity(atom: Atom, predicate: Predicate) -> Feedback:
    wanted, count = len(predicate.parameters), len(atom.args)
    given = "is 1" if count == 1 else f"are {count}"
    return Feedback(
        Code.WRONG_ARITY,
        str(atom),
        f"'{predicate.name}' takes {wanted} argument{'s' * (wanted != 1)}, here {given}.",
        f"Write it as ({' '.join((predicate.name, *predicate.parameters))}).",
        (predicate.name,),
    )


def _unknown_objects(atom: Atom, predicate: Predicate | None, things: Mapping[str, Thing]) -> Iterator[Feedback]:
    """Report unknown names; suggestions are things with the needed affordance."""
    needs = predicate.parameters if predicate is not None else ()
    for name, needed in zip_longest(atom.args, needs[: len(atom.args)], fillvalue=ANYTHING):
        if name not in things:
            able = (each for each in sorted(things) if needed == ANYTHING or needed in things[each].affordances)
            how = hint(name, able, "object")
            yield Feedback(Code.UNKNOWN_NAME, f"'{name}'", "there is no such thing in the scene.", how, (name,))


def _wrong_affordances(atom: Atom, predicate: Predicate, things: Mapping[str, Thing]) -> Iterator[Feedback]:
    for place, (name, needed) in enumerate(zip(atom.args, predicate.parameters, strict=True)):
        if name not in things or needed == ANYTHING or needed in things[name].affordances:
            continue
        which = ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"
        able = _most_similar(things[name], (thing for thing in things.values() if needed in thing.affordances))
        yield Feedback(
            Code.WRONG_AFFORDANCE,
            str(atom),
            f"{name}, its {which} argument, does not afford '{needed}', which '{predicate.name}' needs there.",
            f"Name something that affords '{needed}': {choices(able, 'object')}."
            if able
            else f"Nothing in this scene affords '{needed}'; ask for something else.",
            (name,),
        )


def _most_similar(wrong: Thing, able: Iterable[Thing]) -> list[str]:
    """Return the names of `able`, things of the same kind as the wrong one first."""
    ranked = sorted(able, key=lambda thing: (not thing.kinds & wrong.kinds, thing.name))
    return [thing.name for thing in ranked]


def _contradictions(
    conjuncts: tuple[Conjunct, ...], vocabulary: Vocabulary, rules: RuleBook
) -> tuple[tuple[Feedback, ...], ...]:
    """Return the errors of each conjunct."""
    every = frozenset[Literal]().union(*conjuncts)
    torn = {atom for atom, positive in every if not positive and Literal(atom) in every}
    denied: tuple[tuple[Feedback, ...], ...] = tuple(() for _ in conjuncts)
    if torn:  # no rule reports the same contradiction again
        denied = tuple(tuple(_with_denial(conjunct, torn)) for conjunct in conjuncts)
        conjuncts = tuple(
            conjunct - {Literal(atom, False) for atom in torn if Literal(atom) in conjunct} for conjunct in conjuncts
        )
    broken = rules.violations(conjuncts, vocabulary.things)
    told = {violation: _violated(violation) for violation in dict.fromkeys(chain.from_iterable(broken))}
    return tuple(
        (*errors, *(told[violation] for violation in violations))
        for errors, violations in zip(denied, broken, strict=True)
    )


def _excluded(
    conjunct: Conjunct, errors: Collection[Feedback], vocabulary: Vocabulary, crowded: Collection[frozenset[Atom]]
) -> Iterator[Feedback]:
    """Yield errors from exclusions, unless a rule reports the same atoms: its sentence was written for the case."""
    blamed = [set(error.culprits) for error in errors]
    for first, second in clashes(crowded, conjunct):
        if not any(names <= {*first, *second, *first.args, *second.args} for names in blamed):
            yield excluded(first, second, vocabulary.predicates)


def _with_denial(conjunct: Conjunct, torn: Set[Atom]) -> Iterator[Feedback]:
    """Report atoms that are asked for and denied; `torn` are the candidates: some conjunct asks, and some denies."""
    for atom in sorted(torn):
        if {Literal(atom), Literal(atom, False)} <= conjunct:
            yield Feedback(
                Code.CONTRADICTION,
                str(atom),
                "it is asked for and asked not to hold at the same time.",
                "Keep one of the two.",
                (atom.predicate, *atom.args),
            )


def _violated(violation: Violation) -> Feedback:
    rule = violation.rule
    return Feedback(
        Code.CONTRADICTION,
        f"the goal ({rule.name})",
        _filled(rule.sentence, violation),
        _filled(rule.hint, violation),
        violation.culprits,
    )


def _filled(sentence: str, violation: Violation) -> str:
    """Replace ``{0}``, ``{1}`` by the culprits; nothing else in the text is interpreted."""

    def culprit(match: re.Match[str]) -> str:
        index = int(match[1])
        if index >= len(violation.culprits):
            raise UsageError(
                f"semantic rule '{violation.rule.name}': its text asks for {{{index}}}, "
                f"its Culprits are {len(violation.culprits)}"
            )
        return violation.culprits[index]

    return sentences(re.sub(r"\{(\d+)\}", culprit, sentence))
