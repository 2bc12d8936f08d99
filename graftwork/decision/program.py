"""`decide_program`: from the text of a program to a checked program, or to its mistakes."""

from __future__ import annotations

from bt.programs import check_program
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import FinalDecision, ProgramDecision
from graftwork.record.episode import Outcome
from semantics.logic.program import RefusedProgram
from semantics.logic.reply import ProgramText
from semantics.plain_text import counted

__all__ = ["decide_program"]

STANDS = "The program stands; nothing was moved."


def decide_program(context: DecisionContext, program: ProgramText) -> FinalDecision:
    """Return the decision to carry out a program, or why it is refused."""
    checked = check_program(program.text, context.domain, context.world.objects)
    if isinstance(checked, RefusedProgram):
        return FinalDecision(Outcome.REFUSED, _refusal(checked), checked.feedback)
    return ProgramDecision(Outcome.PLANNED, STANDS, checked=checked, text=program.text)


def _refusal(refused: RefusedProgram) -> str:
    """Return why a program is refused, one mistake on each line."""
    count = counted(len(refused.mistakes), "mistake")
    lines = [f"The program has {count}; nothing was moved.", *map(str, refused.mistakes)]
    if refused.unresolved:
        lines.append(f"Nobody has defined {', '.join(unresolved.name for unresolved in refused.unresolved)}.")
    return "\n".join(lines)
