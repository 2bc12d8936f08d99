"""Corrections of programs and plans: edited, checked, simulated on the model, and described; or the reason why not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import SequenceMatcher

from bt.correction.edits import edited
from bt.correction.rehearsal import Rehearsal, Rehearsed
from bt.programs import CheckedProgram, check_program, write_program
from bt.programs.plan_statement import steps_of
from bt.programs.writer import identifier, without_comments
from domains.problem import Problem
from semantics.logic.atoms import Conjunct
from semantics.logic.correction import Correction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.program import Program, RefusedProgram
from semantics.logic.state import Plan, State


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction that works on the model."""

    checked: CheckedProgram  # the corrected program
    difference: tuple[str, ...]  # one sentence for each change
    rehearsed: Rehearsed  # the result of the simulation


def correct(
    program: Program, correction: Correction, problem: Problem, *, rehearsal: Rehearsal | None = None
) -> Corrected | Rejection:
    """Correct a program, if the result can be carried out and still reaches the goal.

    Args:
        program: The program.
        correction: The edits.
        problem: The domain, the state in which the simulation starts, and the goal.
        rehearsal: The simulation; by default without a planner and a person.
    """
    changed = edited(program, correction)
    if isinstance(changed, Rejection):
        return changed
    tried = simulated(changed, problem, rehearsal or Rehearsal())
    return tried if isinstance(tried, Rejection) else Corrected(tried[0], difference(program, changed), tried[1])


def simulated(
    program: Program, problem: Problem, rehearsal: Rehearsal, named: Collection[str] = ()
) -> tuple[CheckedProgram, Rehearsed] | Rejection:
    """Check a program and simulate it; return why it cannot be carried out or does not reach the goal of `problem`.

    Where one thing of a class alone is `named`, the class means it, whatever else of that class there is by now.
    """
    kinds = [(identifier(thing.class_name), name) for name, thing in problem.objects.items() if name in named]
    bound = {kind: name for kind, name in kinds if [each for each, _ in kinds].count(kind) == 1}
    bound = {kind: name for kind, name in bound.items() if kind not in problem.objects}
    # The program is checked as text, so that the bounds of the reader apply.
    checked = check_program(write_program(program), problem.domain, problem.objects, bound=bound)
    if isinstance(checked, RefusedProgram):
        return Rejection(checked.feedback)
    rehearsed = rehearsal.of(checked, problem.state)
    failure = rehearsed.failure or _unreached(problem.conjunct, rehearsed.state)
    return (checked, rehearsed) if failure is None else Rejection((failure,))


def program_of_plan(plan: Plan) -> Program:
    """Return a plan as a program without choices."""
    return Program((), steps_of(plan))


def _unreached(goal: Conjunct, state: State) -> Feedback | None:
    """Return the feedback that a program would not reach a goal; None when it would."""
    missing = state.missing(goal)
    if not missing:
        return None
    why = f"it would come to its end, but {' and '.join(map(str, missing))} would not hold"
    names = tuple(dict.fromkeys(name for literal in missing for name in literal.atom.args))
    return Feedback(Code.INVALID_PLAN, "the corrected program", why, "Leave in what brings that about.", names)


def difference(old: Program, new: Program) -> tuple[str, ...]:
    """Return one sentence for each change between two programs, in the order of the text."""
    before, after = (write_program(without_comments(program)).splitlines() for program in (old, new))
    removed: list[str] = []
    added: list[tuple[int, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            removed += [line.strip() for line in before[a:b] if line.strip()]
            added += [(number, line.strip()) for number, line in enumerate(after[c:d], c) if line.strip()]
    sentences = []
    for number, line in added:
        similar = next((old for old in removed if _verb(old) == _verb(line)), None)
        previous = line if line in removed else similar
        if previous is not None:
            removed.remove(previous)
        sentences.append(_told(previous, line, _where(after, number)))
    return (*sentences, *(f"'{line}' is left out." for line in removed))


def _told(previous: str | None, line: str, where: str) -> str:
    if previous is None:
        return f"'{line}' is added {where}."
    return f"'{line}' is done {where}." if previous == line else f"'{previous}' becomes '{line}'."


def _verb(line: str) -> str:
    """Return the part of a line before its arguments."""
    return line.partition("(")[0]


def _where(lines: list[str], number: int) -> str:
    """Return the position of a line in words, by the line after it or before it."""
    following = next((line.strip() for line in lines[number + 1 :] if line.strip()), "")
    if following:
        return f"before '{following}'"
    leading = next((line.strip() for line in reversed(lines[:number]) if line.strip()), "")
    return f"after '{leading}'" if leading else "alone"
