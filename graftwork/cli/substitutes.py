"""``graftwork substitute``: show the objects that could replace a missing one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import typer

from affordances.scene import Scene
from affordances.substitutes import Suggestions
from domains.model import SceneFile
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.cli.options import echo, print_json, teller
from graftwork.decision.substitute import Absence, Presence, SubstituteProposal, Substitutes, named_absence, proposals
from graftwork.language import dialogue, model_from_name
from graftwork.language.dialogue import Judged, RequestInWords
from graftwork.setup.settings import Settings, command_settings, use_of_models
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook
from semantics.logic.state import State

DONE, REFUSED = 0, 3
RUNNERS_UP = 4


@dataclass(frozen=True, slots=True)
class SubstituteWish:
    """The missing class, and its use as a request or a goal; by default the object is to be brought."""

    class_name: str
    request: str | None = None
    goal: str | None = None


def substitute_command(
    wish: SubstituteWish, chosen: Mapping[str, object], *, agreed: bool, as_json: bool, pddl: bool
) -> int:
    """Print the substitutes, ask whether the best one may be used, and return the exit code.

    Raises:
        UsageError: A name, a file or a goal is wrong.
        OutsideError: The model cannot be reached.
    """
    if wish.request is not None and wish.goal is not None:
        raise UsageError("--for and --goal both say what it is needed for; give one of them")
    opened = _opened(wish, command_settings(chosen))
    if isinstance(opened, Presence):
        if as_json:
            print_json(_nothing_missing(opened))
        else:
            echo(opened.sentence)
        return DONE
    finder, missing, goal, note = opened
    suggestions = finder.suggestions(missing, goal)

    def checked(goal: Goal) -> CheckedGoal | Rejection:
        """Check the goal in an empty state, in which it never holds already."""
        return check_goal(goal, finder.world.vocabulary, rules=finder.world.rules, state=State())

    proposal = next(proposals(missing, goal, suggestions, checked), None)
    if as_json:
        print_json(_document(missing, goal, suggestions, proposal, note))
        return DONE if suggestions.best else REFUSED
    _print(suggestions, goal, proposal, note, teller(finder.world.domain, pddl=pddl))
    if proposal is None:
        return REFUSED if suggestions.best is None else DONE
    asked = not agreed and sys.stdin.isatty()
    return DONE if not asked or typer.confirm(proposal.question.text, err=True) else REFUSED


def _opened(wish: SubstituteWish, settings: Settings) -> tuple[Substitutes, Absence, Goal, str] | Presence:
    domain = load_domain(settings.domain)
    scene = load_scene(domain, settings.scene)
    world = World.of(scene, domain)
    model = model_from_name(settings.model, timeout=settings.model_seconds)
    finder = Substitutes(world, model, use_of_models(settings))
    missing = named_absence(wish.class_name, domain, world.vocabulary)
    if isinstance(missing, Presence):
        return missing
    goal, note = _goal(wish, missing, finder, scene, settings)
    return finder, missing, goal, note


def _goal(
    wish: SubstituteWish, missing: Absence, finder: Substitutes, scene: SceneFile, settings: Settings
) -> tuple[Goal, str]:
    """Return the goal and a note about it; by default the object is to be in the speaker's hand."""
    name = missing.thing.name
    if wish.goal is not None:
        text = wish.goal.replace("{" + wish.class_name + "}", name).replace("{}", name)
        return Goal(parse_formula(text), wish.goal), ""
    if wish.request is not None:
        world = finder.with_absent(missing)
        state = Scene.as_written(scene, world.domain).state

        def judge(content: object) -> Judged[Goal | None]:
            if not isinstance(content, Goal):
                return Judged(None)
            checked = check_goal(content, world.vocabulary, rules=RuleBook(world.domain.rules), state=state)
            return Judged(None, checked.feedback) if isinstance(checked, Rejection) else Judged(checked.goal)

        asked = RequestInWords(wish.request, tries=settings.model_tries)
        read = dialogue.read(asked, world, state, finder.model, judge, use=finder.use)
        if read is not None:
            return read, ""
    hand = Goal(Atom("inhand", (name, scene.speaker or "human0")), wish.request or "")
    reason = "the request could not be read as a goal" if wish.request else "nothing was said of what it is for"
    return hand, f"{reason}, so it is to be brought; say more with --goal"


def _nothing_missing(presence: Presence) -> dict[str, Any]:
    return {
        "missing": None,
        "there": list(presence.names),
        "substitute": None,
        "suggestions": [],
        "refused": [],
        "new_goal": None,
        "notes": [presence.sentence],
    }


def _document(
    missing: Absence, goal: Goal, suggestions: Suggestions, proposal: SubstituteProposal | None, note: str
) -> dict[str, Any]:
    return {
        "missing": missing.thing.class_name,
        "goal": str(goal),
        "by": suggestions.by,
        "needs": sorted(suggestions.demand.needs),
        "ends": [sorted(group) for group in suggestions.demand.ends],
        "substitute": suggestions.best.class_name if suggestions.best else None,
        "suggestions": [
            {
                "class": suggestion.class_name,
                "names": list(suggestion.names),
                "score": suggestion.score,
                "sentence": suggestion.sentence,
            }
            for suggestion in suggestions.ranked
        ],
        "refused": [
            {"class": refusal.class_name, "lacking": list(refusal.lacking), "why": refusal.why}
            for refusal in suggestions.refused
        ],
        "new_goal": str(proposal.goal.goal) if proposal else None,
        "notes": [*suggestions.notes, *filter(None, (note,))],
    }


def _print(
    suggestions: Suggestions, goal: Goal, proposal: SubstituteProposal | None, note: str, echo: Callable[[str], None]
) -> None:
    echo(f"{suggestions.sentence}")
    echo(f"goal    {goal}")
    if proposal is not None:
        echo(f"becomes {proposal.goal.goal}")
    elif suggestions.best is not None:
        echo("        with none of them this world takes the goal")
    for suggestion in suggestions.ranked[1 : 1 + RUNNERS_UP]:
        echo(f"or      {suggestion.sentence}")
    for text in (*suggestions.notes, note):
        if text:
            echo(f"note    {text}")
