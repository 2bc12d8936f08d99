"""From clauses to a goal: the clauses of a stage are joined, and each choice is made once for the whole sentence.

A choice ("a cup") is made once for the whole sentence: the goal is a disjunction of conjunctions, one for each choice.
So "put a cup on the tray and bring it to me" speaks of one cup. A clause about the robot's own hand or place is only
an intermediate step if a later clause speaks of the same objects: "pick up the apple and put it on the table" asks for
an apple on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod

from graftwork.language.offline.clause import MeaningfulClause
from graftwork.language.offline.patterns import filled, said
from graftwork.language.offline.referents import MOST_ALTERNATIVES, Referent, are_others
from graftwork.language.offline.said_values import SaidValue, Values, values_of
from semantics.logic.atoms import And, Atom, Formula, Not, Or, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection

Stage = list[MeaningfulClause]
"""Clauses without an order among them."""
Binding = Mapping[Referent, tuple[str, ...]]


def goal_of(instruction: str, order: Sequence[Stage], robot: str) -> Goal | Question | Rejection:
    """Join the clauses, which have no doubts, into one goal for each stage; the first one has the others as `later`."""
    wishes = [wish for stage in order for wish in stage]
    steps = [wish for at, wish in enumerate(wishes[:-1], 1) if _is_step(wish, wishes[at:], robot)]
    notes = dict.fromkeys(note for wish in wishes for note in wish.notes)
    notes |= dict.fromkeys(
        f"'{said(wish.words)}' was taken as a step on the way, not as something that holds in the end."
        for wish in steps
    )
    remaining = [left for stage in order if (left := [wish for wish in stage if wish not in steps])]
    if len(remaining) > 1 and (choice := _choice_between(remaining)) is not None:
        return _which_one(choice)
    read = [_formula_of(stage) for stage in remaining]
    refused = next((formula for formula in read if isinstance(formula, Rejection)), None)
    if refused is not None:
        return refused
    formulas = _with_what_stays([formula for formula in read if not isinstance(formula, Rejection)])
    told = [" and ".join(said(wish.words) for wish in stage) for stage in remaining]
    values: list[Values] | Feedback = [()] * len(remaining)
    if any(wish.values for wish in wishes):
        values = _values_of(order, steps, notes)
    if isinstance(values, Feedback):
        return Rejection((values,))
    first, *later = (
        Goal(
            formula,
            text,
            values=each,
            every=tuple(
                dict.fromkeys(each for wish in stage for said_of in wish.referents.values() for each in said_of.every)
            ),
        )
        for formula, text, each, stage in zip(formulas, (instruction, *told[1:]), values, remaining, strict=True)
    )
    jobs = tuple(Goal(_conjunction([wish], _only(wish)), said(wish.words)) for wish in _linked(remaining))
    return replace(first, notes=tuple(notes), later=tuple(later), jobs=jobs)


def _with_what_stays(formulas: Sequence[Formula]) -> list[Formula]:
    """Return the formulas of stages; what something is put on or in stays there, and what was taken away stays away.

    "Put green on blue, and then red on green" is a tower in the end, also where the last fact has a shorter way.
    """
    kept: list[Formula] = []
    for formula in formulas:
        parts = formula.parts if isinstance(formula, And) else (formula,)
        facts = [part for part in parts if isinstance(part, Atom) and len(part.args) > 1]
        under = {name for fact in facts for name in fact.args[1:]} - {fact.args[0] for fact in facts}
        held = kept[-1].parts if kept and isinstance(kept[-1], And) else kept[-1:]
        stays = [each for each in held if isinstance(each, Atom) and each.args[1:] and each.args[0] in under]
        gone = [each for each in held if isinstance(each, Not) and each.part not in parts and each not in parts]
        whole = (*parts, *gone, *(stays if len(facts) == len(parts) else ()))
        kept.append(formula if len(whole) == len(parts) else And(whole))
    return kept


def _linked(remaining: Sequence[Stage]) -> Stage:
    """Return the clauses of the only stage where several are about the same thing, which a pronoun stands for."""
    clauses = remaining[0] if len(remaining) == 1 else []
    about = [referent for wish in clauses for referent in wish.about[0]]
    is_fixed = all(len(each.alternatives) == 1 for wish in clauses for each in wish.referents.values())
    is_list = any(wish.words[:3] == other.words[:3] for wish, other in pairwise(clauses))  # "on the table and shelf"
    return clauses if is_fixed and not is_list and len(set(about)) < len(about) else []


def _only(wish: MeaningfulClause) -> Binding:
    return {referent: referent.alternatives[0] for referent in wish.referents.values()}


def _values_of(
    order: Sequence[Stage], steps: Sequence[MeaningfulClause], notes: dict[str, None]
) -> list[Values] | Feedback:
    """Return the values of each stage that is left, and add their notes; those of a mere step hold for the next one."""
    found: list[Values] = []
    values: list[SaidValue] = []
    for stage in order:
        values += [value for wish in stage for value in wish.values]
        if clauses := [(said(wish.words), wish.values, wish.made) for wish in stage if wish not in steps]:
            read = values_of(values, clauses)
            if isinstance(read, Feedback):
                return read
            found.append(read[0])
            notes |= dict.fromkeys(read[1])
            values = []
    return found


def _choice_between(order: Sequence[Stage]) -> Referent | None:
    """Return what leaves a choice open and is named in more than one stage, so that it must be the same in each."""
    own = [[referent for wish in stage for referent in wish.referents.values()] for stage in order]
    named = [dict.fromkeys(each for referent in stage for each in (referent, *referent.unlike)) for stage in own]
    choices = (referent for names in named for referent in names if len(referent.alternatives) > 1)
    return next((referent for referent in choices if sum(referent in names for names in named) > 1), None)


def _which_one(referent: Referent) -> Question:
    options = tuple(" and ".join(names) for names in referent.alternatives)
    why = "several do, and what comes later speaks of the same one"
    feedback = Feedback(Code.AMBIGUOUS, f"'{referent.words}'", f"{why}.", culprits=(referent.words,))
    return Question.among(options, feedback)


def _formula_of(remaining: Stage) -> Formula | Rejection:
    """Join the clauses of a stage into a formula."""
    referents = list(dict.fromkeys(referent for wish in remaining for referent in wish.referents.values()))
    if prod(len(referent.alternatives) for referent in referents) > MOST_ALTERNATIVES:
        why = f"it leaves more than {MOST_ALTERNATIVES} choices open."
        return Rejection((Feedback(Code.AMBIGUOUS, "the instruction", why, "Name the things one by one."),))
    choices = product(*(referent.alternatives for referent in referents))
    bindings = list(filter(are_others, (dict(zip(referents, choice, strict=True)) for choice in choices)))
    # Two choices may pick the same object; drop those combinations unless no other is left.
    if len(bindings) > 1:
        bindings = [binding for binding in bindings if _distinct(remaining, binding)] or bindings
    made = dict.fromkeys(_conjunction(remaining, binding) for binding in bindings)
    branches = tuple(branch for branch in made if branch != And(()))  # "a block" that goes with nothing is not meant
    return branches[0] if len(branches) == 1 else Or(branches)


def _conjunction(wishes: Sequence[MeaningfulClause], binding: Binding) -> Formula:
    """Return the conjunction of the clauses' goals, each for every combination of its objects."""
    parts: dict[Formula, None] = {}  # in order, each once
    for wish in wishes:
        slots = [slot for slot in wish.referents if slot not in wish.pairs]
        for names in product(*(binding[wish.referents[slot]] for slot in slots)):
            bound = dict(zip(slots, names, strict=True))
            held = {slot: where[bound[by]] for slot, (by, where) in wish.held.items()}
            # With any of their partners; nothing for what has none.
            options = [[(slot, name) for name in of.get(bound[by], ())] for slot, (by, of) in wish.pairs.items()]
            ways = [filled(wish.pattern.template, {**bound, **held, **dict(choice)}) for choice in product(*options)]
            for formula in (ways[0] if len(ways) == 1 else Or(tuple(ways)),) if ways else ():
                parts |= dict.fromkeys(formula.parts if isinstance(formula, And) else (formula,))
    return next(iter(parts)) if len(parts) == 1 else And(tuple(parts))


def _distinct(wishes: Sequence[MeaningfulClause], binding: Binding) -> bool:
    """Return whether no clause relates an object to itself, which "put a cup on a plate" never means."""
    for wish in wishes:
        names = [name for referent in wish.referents.values() for name in binding[referent]]
        if len(set(names)) < len(names):
            return False
    return True


def _is_step(wish: MeaningfulClause, later: Sequence[MeaningfulClause], robot: str) -> bool:
    """Return whether a clause is only about the robot, and its other objects appear again in `later` clauses.

    A clause that names no object, such as "wait", is no step on the way to anything.
    """
    # "Fetch the cup and put it on the table" says nobody who is to have it in the end.
    hands = {robot} | ({*wish.referents["speaker"].names} if "speaker" in wish.pattern.free else set())
    hands = {robot} if "me" in wish.words else hands
    own = [referent for referent in wish.referents.values() if not referent.names <= hands]
    if wish in later or not own or len(own) == len(wish.referents):  # or the same words once more
        return False
    if not all(any(_speaks_of(atom, hand, wish) for hand in hands) for atom, _ in literals(wish.pattern.template)):
        return False
    later_names = {name for other in later for referent in other.referents.values() for name in referent.names}
    return all(referent.names <= later_names for referent in own)


def _speaks_of(atom: Atom, name: str, wish: MeaningfulClause) -> bool:
    args = filled(atom, {slot: name for slot, referent in wish.referents.items() if referent.names == {name}})
    return isinstance(args, Atom) and name in args.args
