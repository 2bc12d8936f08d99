"""The decision of ``graftwork plan``, without a robot, and what is printed of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from affordances.scene import Scene
from domains.model import Domain, SceneFile
from domains.reader import load_scene
from domains.world import World
from graftwork.cli.options import print_json, tell_unneeded, teller, waiting
from graftwork.decision import (
    Decision,
    DecisionContext,
    FinalDecision,
    PersonAnswer,
    PlanDecision,
    ProgramDecision,
    decide,
    read_wanted,
    words_of,
)
from graftwork.language import model_from_name
from graftwork.language.formal_goal import read_reply_file
from graftwork.record.episode import Outcome, Stopwatch
from graftwork.setup.limits import Consent
from graftwork.setup.plans import PlanningOptions, choice_told
from graftwork.setup.prices import NO_WEIGHTS, Prices, Pricing, cost_words, parts_words, shares_told
from graftwork.setup.settings import Settings, use_of_models
from planning.service import PlanningService
from semantics.body.exchange import outage
from semantics.body.observation import Observation
from semantics.errors import OutsideError, UsageError
from semantics.logic.feedback import left_out
from semantics.logic.goal import CheckedGoal
from semantics.logic.rules import RuleBook
from semantics.plain_text import counted
from semantics.words.embedding import SentenceEmbedder

STANDS = "The plan stands; nothing was moved."


def plan_and_print(
    instruction: str | None,
    goal: str | None,
    settings: Settings,
    domain: Domain,
    rules: RuleBook,
    service: PlanningService,
    *,
    prefer: Sequence[str],
    answer: Sequence[str],
    reply: Path | None,
    tree: bool,
    as_json: bool,
    quiet: bool,
    pddl: bool,
) -> int:
    """See `graftwork.cli.plan.plan_command`, with the world and what answers its questions."""
    scene_file = load_scene(domain, settings.scene)
    if reply is not None and (instruction is not None or goal is not None or prefer):
        raise UsageError("a reply says all: give no sentence, no --goal and no --prefer with --reply")
    said = instruction if reply is None else read_reply_file(reply)
    wanted = read_wanted(said, goal, prefer, domain, scene_file.things, settings.scene)
    if not isinstance(wanted, str):  # a goal in PDDL is exact, so it gets no substitutes
        settings = replace(settings, substitute=Consent.NEVER)
    watch, use = Stopwatch(), use_of_models(settings)
    world = World.of(scene_file, domain, rules)
    prices = _prices(settings, domain, scene_file)
    context: DecisionContext | None = None
    decided: Decision
    try:
        context = plan_context(settings, world, prices, service)
        with waiting("planning", silent=as_json or quiet):
            state = Scene.as_written(scene_file, domain).state
            decided = _answered(partial(decide, context, wanted, state, watch=watch, use=use), answer)
    except OutsideError as error:
        decided = FinalDecision(Outcome.UNAVAILABLE, str(error), (outage(words_of(wanted), error),))
    shown = None
    if tree and context is not None and isinstance(decided, PlanDecision):
        from graftwork.cli.plan_tree import tree_document

        shown = tree_document(decided, context, settings, scene_file)
    fields = _plan_fields(decided, prices.of(world), settings, world)
    fields |= {
        "exchange": [turn.as_dict() for turn in use.turns],
        "model_calls": use.calls,
        "tokens": use.tokens,
        "money": round(use.money, 6),
    }
    if as_json:
        print_document(decided, fields, instruction, watch, shown)
    else:
        print_words(decided, None if quiet else fields, shown, teller(domain, pddl=pddl))
    return 0 if isinstance(decided, PlanDecision) else decided.outcome.exit_code


def _answered(decide: Callable[..., Decision], words: Sequence[str]) -> Decision:
    """Return a decision, with the answers to its questions; tell which ones were not needed."""
    answers, left = list[PersonAnswer](), deque(words)
    decided = decide()
    while left and isinstance(decided, FinalDecision) and decided.question is not None:
        answers.append(PersonAnswer(decided.question, left.popleft(), decided.offer))
        decided = decide(answers=answers)
    tell_unneeded(left)
    return decided


def _prices(settings: Settings, domain: Domain, scene: SceneFile) -> Prices:
    """Return the costs of actions in a scene as written; evidence of earlier runs counts if weights are set."""
    memory = None
    if settings.weights != NO_WEIGHTS and settings.memory:
        from graftwork.memory import Memory

        memory = Memory(settings.memory, make=False)
    return Prices.remembered(settings.weights, domain.name, lambda: _seen(scene), memory)


def _seen(scene: SceneFile) -> Observation:
    from robots.fake import FakeRobot  # a body is asked only where lengths have a price

    return Observation() if scene.layout is None else FakeRobot(scene.layout).observation()


def plan_context(settings: Settings, world: World, prices: Prices, service: PlanningService) -> DecisionContext:
    """Return the decision context of this command: the scene as written, without memory.

    There is no body, so nothing is sensed, and no robot can look for a missing object.
    """
    seconds = settings.planning_seconds
    patience = {"first": 0.0, "optimal": seconds}.get(settings.search, settings.patience)
    return DecisionContext(
        PlanningOptions(service, prices, seconds, patience).plans(world),
        model_from_name(settings.model, timeout=settings.model_seconds, record=settings.record_model),
        embedder=SentenceEmbedder(),
        model_tries=settings.model_tries,
        consent=Consent(settings.substitute),
        part=Consent(settings.part),
        unsaid=Consent(settings.unsaid),
    )


def _plan_fields(decided: Decision, costs: Pricing, settings: Settings, world: World) -> dict[str, Any]:
    """Return the document's fields about the plan: its costs, its planner, and the parts of the goal it leaves out."""
    if not isinstance(decided, PlanDecision):
        return dict.fromkeys(("cost", "bound", "planner", "choice", "part")) | {"costs": [], "dropped": []}
    plan = decided.foreseen
    return {
        "cost": costs.units(plan.cost),
        "bound": None if plan.bound is None else costs.units(plan.bound),
        "costs": list(shares_told(costs.shares(plan, world.problem(decided.state, costs=costs.model)))),
        "planner": plan.planner,
        "choice": choice_told(settings.planner, world.domain),
        "part": decided.partly.as_dict() if decided.partly else None,
        "dropped": [reason.as_dict() for reason in decided.dropped],
    }


def print_words(
    decided: Decision, fields: Mapping[str, Any] | None, tree: Mapping[str, Any] | None, echo: Callable[[str], None]
) -> None:
    """Print a decision for a person; without the `fields` of a plan, its outcome only."""
    if isinstance(decided, FinalDecision) or fields is None:
        settled = decided if isinstance(decided, FinalDecision) else FinalDecision(Outcome.PLANNED, STANDS)
        program = f"\n{settled.text}" if isinstance(settled, ProgramDecision) else ""
        echo(f"{settled.outcome}: {settled.message}{program}")
        for note in settled.goal.goal.notes if isinstance(settled.goal, CheckedGoal) else ():
            echo(f"note   {note}")
        return
    plan = decided.foreseen
    echo(f"goal   {decided.goal.goal}")
    for note in (*decided.goal.goal.notes, *(left_out(reason.as_dict()) for reason in decided.dropped)):
        echo(f"note   {note}")
    bound = f" (no plan costs less than {cost_words(fields['bound'])})" if plan.bound else ""
    worth = _worth(decided, bound)
    steps = counted(len(plan.steps), "step")
    echo(f"plan   {steps}, cost {cost_words(fields['cost'])}, {worth}, {plan.seconds:.2f} s by {plan.planner}")
    for number, (step, shares) in enumerate(zip(plan.steps, fields["costs"], strict=True), 1):
        echo(f"{number:4}   {step}  cost {cost_words(sum(shares.values()))}{parts_words(shares)}")
    for later in decided.goal.goal.later[len(decided.ahead) :]:
        echo(f"later  {later}, planned for when its turn comes")
    if fields["choice"] is not None:
        echo(f"why    {' '.join((fields['choice']['why'], *(other['why'] for other in fields['choice']['excluded'])))}")
    if tree is not None:
        from graftwork.cli.plan_tree import tree_text

        note = "tree   of the first goal; each later one gets its own when its turn comes\n"
        echo(f"{note if decided.goal.goal.later else ''}{tree_text(tree)}")


def _worth(decided: PlanDecision, bound: str) -> str:
    """Return whether a plan is proved cheapest, or each of the plans for goals in an order."""
    if decided.ahead and all(plan.optimal for plan in (decided.plan, *decided.ahead)):
        return "each goal in its turn optimal"
    return "optimal" if decided.foreseen.optimal else f"not proven optimal{bound}"


def _program_told(decided: Decision) -> str | None:
    """Return the text of the program of a decision; a plan is one as well."""
    if isinstance(decided, ProgramDecision):
        return decided.text
    if not isinstance(decided, PlanDecision) or decided.looks_for:
        return None
    from bt.programs import write_program  # for whoever wants it as data
    from bt.programs.plan_statement import program_of

    return write_program(program_of(decided.goal.goal, (decided.plan, *decided.ahead)))


def print_document(
    decided: Decision,
    fields: Mapping[str, Any],
    instruction: str | None,
    watch: Stopwatch,
    tree: Mapping[str, Any] | None,
) -> None:
    """Print a decision as one versioned object."""
    plan, settled = (decided.foreseen, None) if isinstance(decided, PlanDecision) else (None, decided)
    goal = decided.goal.goal if isinstance(decided.goal, CheckedGoal) else None
    document = {
        "outcome": str(settled.outcome if settled else Outcome.PLANNED),
        "instruction": instruction,
        "goal": str(goal) if goal else None,
        "notes": list(goal.notes) if goal else [],
        "plan": [str(step) for step in plan.steps] if plan else [],
        "program": _program_told(decided),
        "optimal": plan.optimal if plan else None,
        **fields,
        "feedback": [record.as_dict() for record in settled.feedback] if settled else [],
        "message": settled.message if settled else STANDS,
        "answer": settled.answer if settled else None,
        "question": settled.question.as_dict() if settled and settled.question else None,
        "seconds": watch.seconds(),
        **({} if tree is None else {"tree": tree}),
    }
    print_json(document)
