"""The end of a run: its episode, made from the decision and the events, and what the memory stores of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from affordances.newcomers import PERSON
from affordances.watcher import Watcher
from bt.background import SLICE_SECONDS
from bt.recovery import Rule
from bt.recovery.mishap import mishaps
from bt.runner import BLIND_SECONDS, sensing_lost
from domains.relations import RESTING
from graftwork.decision import Decision, FinalDecision, PlanDecision
from graftwork.errors import MemoryFileError
from graftwork.language.conversation import is_correction, turn_document
from graftwork.memory import Subtree
from graftwork.record.episode import Episode, Outcome, RungUse
from graftwork.recovery.accepted_rules import fixes_told
from graftwork.recovery.consent import Changed
from graftwork.recovery.explore import Explore
from graftwork.run.context import RunState, Services
from graftwork.run.program_text import all_told, before_told, measured_told, unsensed_told
from graftwork.run.stages import GoalsInOrder
from graftwork.setup.limits import Consent
from graftwork.setup.plans import choice_told
from graftwork.setup.prices import shares_told
from semantics.body.observation import LONGEST_AGE
from semantics.body.protocols import Beliefs, Robot
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.reply import ProgramText
from semantics.logic.state import Action, Plan

NO_PLAN = Plan((), frozenset())


def unconfirmed(goal: CheckedGoal, beliefs: Beliefs) -> tuple[Feedback, ...]:
    """Return the literals of a believed goal that were never sensed, as the reason not to report it as achieved."""
    every = ([each for each in sorted(conjunct) if beliefs.sensed(each) is not True] for conjunct in goal.conjuncts)
    unseen = min(every, key=len)
    why = "it is believed, but was not sensed to hold"
    return tuple(Feedback(Code.NOT_VISIBLE, str(literal), why, culprits=literal.atom.args) for literal in unseen)


def already_told(decision: FinalDecision, watcher: Watcher) -> FinalDecision:
    """Return a decision; that a goal holds already says what of it is not sensed."""
    goal = decision.goal
    if decision.outcome is not Outcome.ALREADY or not isinstance(goal, CheckedGoal):
        return decision
    unsensed = unsensed_told((goal,), watcher)
    return replace(decision, message=f"{decision.message} As far as is known; {unsensed}.") if unsensed else decision


def closing_told(
    outcome: Outcome,
    feedback: tuple[Feedback, ...],
    goal: CheckedGoal | Goal | None,
    goals: GoalsInOrder | None,
    watcher: Watcher,
) -> str:
    """Return the closing message of a run; `goals` are those that it reached one after the other."""
    if outcome is Outcome.ACHIEVED:
        achieved = [goal] if goals is None else goals.achieved
        return all_told([each for each in achieved if isinstance(each, CheckedGoal)], watcher)
    return (" ".join(map(str, feedback)) or str(outcome)) + ("" if goals is None else before_told(goals.achieved))


def decided_with_senses(decision: FinalDecision, robot: Robot, stopped: Callable[[], object]) -> FinalDecision | None:
    """Return a decision; a failure if the body goes on to sense nothing, and None if it senses again after a while."""
    seconds = 0.0
    while robot.clock.now() - robot.observation().time > LONGEST_AGE and seconds <= BLIND_SECONDS and not stopped():
        robot.clock.sleep(SLICE_SECONDS)
        seconds += SLICE_SECONDS
    if seconds <= BLIND_SECONDS:
        return None if seconds else decision
    lost = sensing_lost(robot)
    return replace(decision, outcome=Outcome.FAILED, message=str(lost), feedback=(lost,), question=None)


def first_plan(decision: PlanDecision, services: Services, state: RunState) -> Plan | None:
    """Return the first plan for the goal; None if a search for something came first and no plan came of it."""
    if not decision.looks_for:
        return decision.foreseen
    # The other plans before it are those of the search, and their repairs.
    beside = (Explore.name, Rule.name)
    made = next((event for event in state.events.of("plan") if event["why"] not in beside), None)
    if made is None:
        return None
    problem = services.plans.problem(decision.state)
    steps = tuple(problem.ground(Action.read(step)) for step in made["steps"])
    return replace(decision.plan, steps=steps, optimal=made["optimal"], planner=made["planner"])


def run_told(decision: Decision | None, services: Services, state: RunState) -> dict[str, Any]:
    """Return the fields of an episode about its plan, the events of its tree, and the use of the model."""
    events = state.events
    treatments = () if decision is None else decision.treatments
    asked = decision.question if isinstance(decision, FinalDecision) else None
    is_kept = services.new_things is Consent.ASK  # else nobody has agreed, unless a person has said it
    told = {
        "treatments": tuple(each.as_dict() for each in treatments if is_kept or each.new_origin.source == PERSON),
        "rungs": tuple(
            RungUse(Code(event["code"]), event["rung"], event["solved"], event["seconds"])
            for event in events.of("rung")
        ),
        "turns": _without_kind(events.of("turn")),
        "requests": _without_kind(events.of("request")),
        "answer": next(({name: event[name] for name in ("type", "value")} for event in events.of("answer")), None)
        or (decision.answer if isinstance(decision, FinalDecision) else None),
        "question": asked.as_dict() if asked else None,
        "model_calls": state.use.calls,
        "tokens": state.use.tokens,
        "exchange": tuple(turn.as_dict() for turn in state.use.turns),
        "money": round(state.use.money, 6),
    }
    if not isinstance(decision, PlanDecision):
        return told
    plan, pricing = first_plan(decision, services, state), services.plans.pricing
    token = state.turns[-1].token if state.turns else None
    partly = (token.partly if isinstance(token, Changed) else None) if token else decision.partly
    return told | {
        "tried": tuple(state.trials.counts.values()),
        "plan": () if plan is None else tuple(map(str, plan.steps)),
        "optimal": plan is not None and plan.optimal,
        "cost": None if plan is None else pricing.units(plan.cost),
        "costs": () if plan is None else shares_told(pricing.shares(plan, services.plans.problem(decision.state))),
        "planner": "" if plan is None else plan.planner,
        "choice": choice_told(services.planning.service.name, services.world.domain),
        "part": partly.as_dict() if partly else None,
        "first_goal": str(decision.goal.goal) if state.turns else None,
    }


def _without_kind(events: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    return tuple({key: value for key, value in event.items() if key != "e"} for event in events)


def concluded(
    episode: Episode,
    learned: PlanDecision | ProgramText | None,
    services: Services,
    state: RunState,
    decision: Decision | None = None,
) -> Episode:
    """Add the failures and fixes to the episode, close the record, store the episode in the memory, and return it.

    If the run is recorded, the episode gets its durations and the path of its report. If the memory fails, the episode
    gets another feedback.

    Args:
        episode: The episode of the run.
        learned: What the memory stores for the instruction. None when the decision did not follow from
            the words alone, so that a later run has to ask again.
        services: The services of the run.
        state: The state of the run.
        decision: The decision of the run, which may hold a lesson that is to be kept.
    """
    episode = replace(episode, notes=(*episode.notes, *late_told(services, state)))
    failures = tuple(mishap.as_dict() for mishap in mishaps(state.events.events))
    episode = replace(episode, failures=failures, fixes=fixes_told(state.events.events))
    if state.record is not None:
        episode = state.record.end(episode, state.watch)
    memory = services.memory
    if memory is None:
        return episode
    vocabulary, kept = services.world.vocabulary, state.said if services.keeps_turns else ()
    said = [turn_document(turn, vocabulary) for turn in kept]
    subtree = None if learned is None else _subtree(learned, episode.instruction, services, state)
    taught = decision.lesson if isinstance(decision, FinalDecision) else None

    def keep() -> None:
        if taught is not None and taught[0] is not None:
            memory.taught.learn(taught[0], services.world.domain.name, taught[1])
        elif taught is not None:
            memory.taught.forget(taught[1])
        is_first = len(services.conversation) <= len(state.said)
        earlier = [] if is_first else [turn for turn in services.conversation if turn not in state.said]
        if earlier and earlier[-1].program and is_correction(episode.instruction):
            memory.distrust(earlier[-1].words, services.world.domain.name)
        memory.remember(episode, subtree, said, learned.goal.goal.text if isinstance(learned, PlanDecision) else "")

    return _kept(episode, keep)


def describe_side_effects(decision: PlanDecision | None, services: Services, state: RunState) -> str:
    """Return what the run has moved to another place without being asked to, and what its body has measured."""
    measured = measured_told(services.watcher, state.begun.numbers)
    if decision is None:
        return measured
    domain, now = services.world.domain, services.watcher.state
    goal = state.goal or decision.goal
    named = {name for conjunct in goal.conjuncts for literal in conjunct for name in literal.atom.args}
    handled = {name for event in state.events.of("plan") for step in event["steps"] for name in Action.read(step).args}

    def rests(facts: Iterable[Atom]) -> dict[str, str]:
        resting = {name for name, model in domain.predicates.items() if model.sensed in RESTING}
        return {fact.args[0]: f"{fact.predicate} {fact.args[1]}" for fact in facts if fact.predicate in resting}

    before, after = rests(decision.state.atoms), rests(now.atoms)
    moved = [
        name for name in sorted(handled - named) if name in before.keys() & after.keys() and before[name] != after[name]
    ]
    where = "; ".join(f"{name}, which is now {after[name]}" for name in moved)
    return f" Moved aside and not put back: {where}.{measured}" if where else measured


def late_told(services: Services, state: RunState) -> Iterator[str]:
    """Say, and record, when a simulation was slower than the wall clock that it should follow."""
    pace = services.pace
    if pace is not None and pace.told:
        if state.record is not None:
            state.record.note(pace.told)
        yield pace.told


def _subtree(
    decision: PlanDecision | ProgramText, instruction: str, services: Services, state: RunState
) -> Subtree | None:
    world = services.world
    if isinstance(decision, ProgramText):
        return Subtree.of_program(instruction, decision.text, world.domain, world.vocabulary, state.begun)
    plan, *ahead = decision.plan, *decision.ahead
    if services.plans.pricing.model is not None or decision.obstacles:
        plan = replace(plan, optimal=False)  # optimal only at the session's own costs, which the memory does not store
    if decision.said is not None:  # lessons may be forgotten, so what was understood is kept without them
        return Subtree.learned(decision.said, NO_PLAN, world.domain, world.vocabulary, decision.state)
    return Subtree.learned(decision.goal.goal, plan, world.domain, world.vocabulary, decision.state, ahead)


def _kept(episode: Episode, keep: Callable[[], None]) -> Episode:
    """Store an episode by `keep`; if the memory fails, add feedback and keep the outcome."""
    try:
        keep()
    except (MemoryFileError, UsageError, ValueError) as error:  # the file does not take it, or what no text can hold
        feedback = Feedback(Code.UNAVAILABLE, "memory", f"this episode was not kept: {error}", recoverable=False)
        return replace(episode, feedback=(*episode.feedback, feedback))
    return episode
