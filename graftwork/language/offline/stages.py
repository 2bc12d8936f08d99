"""The order of the clauses of a sentence: what is to be done first, and what after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from graftwork.language.offline.clauses import MeaningfulClause, Placed, Stage
from graftwork.language.offline.patterns import said
from graftwork.language.offline.segments import Boundary
from semantics.logic.atoms import literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection


def stages(placed: Sequence[Placed]) -> tuple[Stage, ...] | Rejection:
    """Return the clauses in the order in which they are to be done; a rejection if that is unclear."""
    last = max((parts[0].stage for _, parts in placed), default=0)
    found: list[Stage] = []
    for rank in range(last + 1):
        here = [(clause, parts) for clause, parts in placed if parts[0].stage == rank]
        every = [clause for clause, _ in here if isinstance(clause, MeaningfulClause)]
        ends = [clause for clause, parts in here if any(part.last for part in parts)]
        if ends and ends != every[-1:]:
            why = f"what comes before '{said(ends[0].words)}' is not clear."
            how = "Name the jobs in their order, with 'then' between them."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, (said(ends[0].words),)),))
        begins = [clause for clause, parts in here if any(part.first for part in parts)]
        if begins == every[:1] and rank < last and len(here) > 1 and here[1][1][0].boundary is Boundary.AND:
            begins = []  # "first open the fridge and the door, then …"
        between = [clause for clause in every if clause not in begins and clause not in ends]
        ordered = ([clause for clause in every if clause in begins], between)
        found += [*filter(None, ordered), *([[every[-1]]] if ends and every[-1] not in begins else [])]
    return tuple(found)


def apart(order: Sequence[Stage], momentary: Collection[str]) -> tuple[Stage, ...]:
    """Return stages in which a clause about momentary facts alone, such as "wait", is one of its own.

    What such a clause asks for is over when something else is done, so that it is done where it is said.
    """
    divided: list[Stage] = []
    for stage in order:
        for is_momentary, clauses in groupby(stage, lambda wish: _is_momentary(wish, momentary)):
            group = list(clauses)
            divided += [[wish] for wish in group] if is_momentary else [group]
    return tuple(divided)


def _is_momentary(wish: MeaningfulClause, momentary: Collection[str]) -> bool:
    return all(atom.predicate in momentary for atom, _ in literals(wish.pattern.template))
