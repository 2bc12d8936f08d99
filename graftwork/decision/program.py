"""`decide_program`: from the text of a program to a checked and rehearsed program, or to its mistakes."""

from __future__ import annotations

from bt.correction.rehearsal import Rehearsal
from bt.programs import check_program
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import FinalDecision, ProgramDecision
from graftwork.record.episode import Outcome
from semantics.body.protocols import reaches_of
from semantics.logic.feedback import Code, Feedback
from semantics.logic.program import RefusedProgram
from semantics.logic.reply import ProgramText
from semantics.logic.state import State
from semantics.plain_text import counted

__all__ = ["decide_program"]

STANDS = "The program stands; nothing was moved."


def decide_program(context: DecisionContext, program: ProgramText, state: State | None = None) -> FinalDecision:
    """Return the decision to carry out a program, or why it is refused.

    Args:
        context: The world, and what is sensed.
        program: The program.
        state: The state in which it is rehearsed on the model first; None for a program that needs no rehearsal. A
            program that asks a person is rehearsed up to the question.
    """
    checked = check_program(program.text, context.domain, context.world.objects)
    if isinstance(checked, RefusedProgram):
        return FinalDecision(Outcome.REFUSED, _refusal(checked), checked.feedback)
    decided = ProgramDecision(Outcome.PLANNED, STANDS, checked=checked, text=program.text)
    if state is None or context.environment is None:
        return decided
    watcher, robot = context.environment.watcher, context.environment.robot
    on_the_model = Rehearsal(
        context.plans.found,
        sightings=watcher.sightings,
        heading=watcher.heading,
        views=watcher.views,
        reaches=reaches_of(robot),
    )
    failure = on_the_model.of(checked, state).failure
    if failure is None or failure.code is Code.QUESTION:
        return decided
    return FinalDecision(Outcome.REFUSED, f"On the model, the program fails: {failure}", (failure,))


def join_programs(before: ProgramText, added: ProgramText) -> ProgramText:
    """Return a program with the functions that were added to it; the added one itself if it is more than functions."""
    lines = [line for line in added.text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    is_functions = bool(lines) and all(line.startswith(("def ", " ", "\t")) for line in lines)
    return ProgramText(f"{added.text.rstrip()}\n\n{before.text}", before.name) if is_functions else added


def undefined(program: ProgramText, context: DecisionContext) -> tuple[Feedback, ...]:
    """Return what to say about the functions that a program calls and nobody has defined."""
    checked = check_program(program.text, context.domain, context.world.objects)
    unresolved = checked.unresolved if isinstance(checked, RefusedProgram) else ()
    how = "Answer with a program of its definition alone, or with the whole program."
    return tuple(
        Feedback(Code.UNKNOWN_NAME, each.call, f"nobody has defined {each.name}.", how, (each.name,))
        for each in unresolved
    )


def _refusal(refused: RefusedProgram) -> str:
    """Return why a program is refused, one mistake on each line."""
    count = counted(len(refused.mistakes), "mistake")
    lines = [f"The program has {count}; nothing was moved.", *map(str, refused.mistakes)]
    if refused.unresolved:
        lines.append(f"Nobody has defined {', '.join(unresolved.name for unresolved in refused.unresolved)}.")
    return "\n".join(lines)
