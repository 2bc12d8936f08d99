"""Which rung mends a logged failure: setting the words right, a rule, or a new plan.

The logs do not say what held when a command failed. A situation with just that cause is staged instead: the scene as
published, hands filled with things that the command does not speak of, the fridge shut or open. What is counted is thus
whether a rung has an answer to this kind of failure of this command, not whether that run would have ended well.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from benchmarks.copal.suite import copal_scene
from benchmarks.copal_ladder.records import Cause, Record
from bt.recovery import Mended, RepairSearch
from domains.problem import Problem
from domains.reader import load_domain
from graftwork.decision.plan_text import read_line
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Feedback
from semantics.logic.state import Operator, State

__all__ = ["Answer", "answered", "published_scene"]


class Answer(StrEnum):
    """What mends a failure."""

    WORDS = "words set right"
    RULE = "a rule"
    PLAN = "a new plan"
    UNTOLD = "the log does not say what failed"


def published_scene(data: Path) -> Problem:
    """Read CoPAL's bar, in the world `barman`: the published environment state below the folder `data`."""
    domain = load_domain("barman")
    scene = copal_scene(data, domain)
    return Problem(domain, scene.things, State(scene.facts, scene.numbers))


def answered(record: Record, scene: Problem) -> tuple[Answer, Operator | Feedback | None]:
    """Return what mends a failure, and how its command was read."""
    said = read_line(record.command, scene)
    if record.cause is Cause.UNTOLD:
        return Answer.UNTOLD, said
    if not isinstance(said, Operator) or record.cause is Cause.TARGET_FULL:
        return Answer.PLAN, said
    if record.cause in (Cause.UNKNOWN_COMMAND, Cause.UNKNOWN_NAME, Cause.NOT_OPENABLE):
        return Answer.WORDS, said
    return _tried(record, said, scene), said


def _tried(record: Record, said: Operator, scene: Problem) -> Answer:
    state = _staged(record.cause, said, scene)
    step = read_line(record.command, scene.with_state(state))
    if not isinstance(step, Operator):
        return Answer.PLAN
    if step.applicable(state):
        return Answer.WORDS  # what was left open, a hand, is chosen so that it can be done
    found = RepairSearch(scene.domain.repairs).mend((step,), scene.with_state(state).with_goal(frozenset()))
    return Answer.RULE if isinstance(found, Mended) else Answer.PLAN


def _staged(cause: Cause, said: Operator, scene: Problem) -> State:
    """Return the published scene, changed so that it has the cause and no other."""
    parameters = scene.domain.capabilities[said.action.name].parameters
    binding = dict(zip((parameter.name for parameter in parameters), said.action.args, strict=True))
    named = set(said.action.args)
    hands = [name for name, thing in scene.objects.items() if thing.class_name == "hand"]
    bottles = [name for name, thing in scene.objects.items() if thing.class_name == "bottle" and name not in named]
    state = scene.state if cause is Cause.CLOSED else scene.state.with_atoms(deleted=_doors(scene))
    if said.action.name in ("pour", "screw"):
        state = state.with_atoms(deleted=[Atom("closed", (name,)) for name in named])
    if cause is Cause.HAND_FULL:
        held = {binding.get("h", hands[0]): bottles[0]}
    elif cause is Cause.HANDS_FULL:
        held = dict(zip(hands, bottles, strict=False))
    elif cause is Cause.HANDS_USED:
        held = dict(zip(hands, [*(binding[one] for one in ("b",) if one in binding), *bottles], strict=False))
    elif cause is Cause.CLOSED and said.action.name == "put_in":
        held = {hands[0]: binding["o"]}
    else:
        held = {}
    return _holding(held, state)


def _doors(scene: Problem) -> list[Atom]:
    return [Atom("closed", (name,)) for name, thing in scene.objects.items() if "door" in thing.affordances]


def _holding(held: Mapping[str, str], state: State) -> State:
    gone = [atom for atom in state.atoms if atom.predicate in ("on", "inside") and atom.args[0] in held.values()]
    gone += [Atom("free", (hand,)) for hand in held]
    return state.with_atoms([Atom("holding", pair) for pair in held.items()], gone)
