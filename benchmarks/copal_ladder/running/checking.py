"""CoPAL's logical checker: a command as it is written, word for word, and why it cannot be carried out.

Names are not set right here, and nothing is looked ahead. Where the world is stricter than their checker, it is done as
the logs have it: what is done already (taken, open, shut) is no failure, waiting never fails, and where something is
taken from is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.copal_ladder.records import Cause
from domains.problem import Problem
from graftwork.decision.plan_text import FILLER, read_line
from semantics.logic.state import Operator, State
from semantics.logic.vocabulary import Thing

__all__ = ["DONE", "VERBS", "Failure", "checked", "held_by", "strange"]

VERBS = frozenset(
    {"get", "put", "pour", "open", "close", "open_door", "close_door", "screw", "unscrew", "switch_on", "switch_off"}
    | {"finger_push", "wait", "gaze"}
)
"""What their robot knows, by its paper and its prompts."""
DONE = None
"""Nothing is to be done: it is so already."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a command cannot be carried out."""

    cause: Cause
    why: str


def strange(text: str, things: Mapping[str, Thing]) -> Failure | None:
    """Return what of a command is no known word; None when all are known."""
    verb, *rest = text.split() or [""]
    if verb not in VERBS:
        return Failure(Cause.UNKNOWN_COMMAND, f"{verb} does not exist in the robot API")
    unknown = [word for word in rest if word not in things and not FILLER.fullmatch(word)]
    if unknown:
        return Failure(Cause.UNKNOWN_NAME, f'"{unknown[0]}" does not exist in environment state')
    return None


def checked(text: str, problem: Problem) -> Operator | Failure | None:
    """Return what a command comes to, why it cannot be carried out, or `DONE`."""
    state = problem.state
    wrong = strange(text, problem.objects)
    if wrong is not None:
        return wrong
    step = read_line(_placed(text.split(), state), problem)
    if not isinstance(step, Operator):
        cause = Cause.NOT_OPENABLE if text.split()[0] in ("open", "close") else Cause.UNKNOWN_COMMAND
        return Failure(cause, str(step))
    if step.applicable(state):
        return step
    return _lacking(step, state)


def _placed(words: Sequence[str], state: State) -> str:
    """Return a `get` with the place where the thing really is; other commands as they are."""
    if words[0] != "get" or len(words) < 2:
        return " ".join(words)
    hands = [word for word in words[2:] if word.startswith("hand_")]
    for atom in sorted(state.atoms):
        if atom.predicate == "on" and atom.args[0] in (words[1], f"{words[1]}1"):
            return " ".join(("get", atom.args[0], "from", atom.args[1], *hands))
    return " ".join(words)


def held_by(name: str, state: State) -> str:
    """Return the hand that holds a thing, or a piece of that name; empty when none does."""
    for atom in state.atoms:
        if atom.predicate == "holding" and atom.args[1] in (name, f"{name}1"):
            return atom.args[0]
    return ""


def _lacking(step: Operator, state: State) -> Failure | None:
    """Return why a step cannot be done, in the logs' terms; None when its work is done already."""
    deed, lacks = step.action.name, {(one.atom.predicate, one.positive) for one in step.missing(state)}
    why = f"{', '.join(map(str, step.missing(state))) or step.condition} does not hold"
    if deed == "wait":
        return DONE
    if deed == "get" and any(held_by(name, state) for name in step.action.args[2:3]):
        return DONE
    if ("closed", False) in lacks and deed in ("screw", "close_door"):
        return DONE
    if ("closed", True) in lacks and deed in ("unscrew", "open_door"):
        return DONE
    if ("holding", True) in lacks:
        return Failure(Cause.NOT_IN_HAND, why)
    if ("closed", False) in lacks or ("inside", False) in lacks:
        return Failure(Cause.CLOSED, why)
    if ("free", True) in lacks:
        free = any(atom.predicate == "free" for atom in state.atoms)
        full = Cause.HAND_FULL if free else Cause.HANDS_FULL
        return Failure(full if deed == "get" else Cause.HANDS_USED, why)
    return Failure(Cause.TARGET_FULL, why)
