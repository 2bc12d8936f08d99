"""`decide_program`: from the text of a program to a checked and rehearsed program, or to its mistakes."""

from __future__ import annotations

from collections.abc import Mapping

from bt.correction.rehearsal import Rehearsal, Rehearsed
from bt.programs import CheckedProgram, check_program
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import FinalDecision, ProgramDecision
from graftwork.language.offline.said_programs import functions_called
from graftwork.record.episode import Outcome
from semantics.body.observation import Sighting
from semantics.body.protocols import reaches_of
from semantics.logic.feedback import Code
from semantics.logic.program import RefusedProgram
from semantics.logic.reply import PlanText, ProgramText
from semantics.logic.state import State
from semantics.plain_text import counted

STANDS = "The program stands; nothing was moved."


def decide_program(
    context: DecisionContext,
    program: ProgramText,
    state: State | None = None,
    seen: Mapping[str, Sighting] | None = None,
) -> FinalDecision:
    """Return the decision to carry out a program, or why it is refused.

    Args:
        context: The world, and what is sensed.
        program: The program.
        state: The state in which it is rehearsed on the model first; None for a program that needs no rehearsal. A
            program that asks a person is rehearsed up to the question.
        seen: Where things were in that state; None for where they are now.
    """
    programs = {**context.vocabulary.programs, **context.world.taught}  # a taught function comes before the world's
    text = "\n\n\n".join((*dict.fromkeys(functions_called(program.text, programs)), program.text))
    checked = check_program(text, context.domain, context.world.objects)
    if isinstance(checked, RefusedProgram):
        return FinalDecision(Outcome.REFUSED, _refusal(checked), checked.feedback)
    decided = ProgramDecision(Outcome.PLANNED, STANDS, checked=checked, text=text)
    if state is None or context.environment is None:
        return decided
    failure = rehearse_program(context, checked, state, seen).failure
    if failure is None or failure.code is Code.QUESTION:
        return decided
    return FinalDecision(Outcome.REFUSED, f"On the model, the program fails: {failure}", (failure,))


def rehearse_program(
    context: DecisionContext, checked: CheckedProgram, state: State, seen: Mapping[str, Sighting] | None = None
) -> Rehearsed:
    """Carry out a program on the model, with things where they are sensed, or were `seen`; nothing moves."""
    assert context.environment is not None
    watcher, robot = context.environment.watcher, context.environment.robot
    on_the_model = Rehearsal(
        context.plans.found,
        sightings=watcher.sightings if seen is None else seen,
        heading=watcher.heading,
        views=watcher.views,
        reaches=reaches_of(robot),
    )
    return on_the_model.of(checked, state)


def steps_of_program(context: DecisionContext, program: ProgramText, state: State) -> PlanText | FinalDecision:
    """Return the steps that a program takes on the model, or why it is refused."""
    decided = decide_program(context, program)
    if not isinstance(decided, ProgramDecision):
        return decided
    rehearsed = rehearse_program(context, decided.checked, state)
    if rehearsed.failure is not None:
        return FinalDecision.refused(rehearsed.failure)
    return PlanText(tuple(str(step) for step in rehearsed.steps))


def join_programs(before: ProgramText, added: ProgramText) -> ProgramText:
    """Return a program with the functions that were added to it; the added one itself if it is more than functions."""
    lines = [line for line in added.text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    is_functions = bool(lines) and all(line.startswith(("def ", " ", "\t")) for line in lines)
    return ProgramText(f"{added.text.rstrip()}\n\n{before.text}", before.name) if is_functions else added


def _refusal(refused: RefusedProgram) -> str:
    """Return why a program is refused, one mistake on each line."""
    count = counted(len(refused.mistakes), "mistake")
    lines = [f"The program has {count}; nothing was moved.", *map(str, refused.mistakes)]
    if refused.unresolved:
        lines.append(f"Nobody has defined {', '.join(unresolved.name for unresolved in refused.unresolved)}.")
    return "\n".join(lines)
