"""The tools that a language model may choose while it looks for an answer (AutoGPT+P, Birr et al. 2024, section IV).

A tool tells, and moves nothing: where something is, what could stand in for it, which part of a goal can be reached,
all that is known of a thing. What is told leads to another reply. A question to the person ends the search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from graftwork.decision.context import DecisionContext
from graftwork.decision.exploration import last_seen
from graftwork.decision.partial_goal import only_conjunct
from graftwork.decision.substitute import Presence, named_absence
from graftwork.language.formal_goal import formal_goal
from planning.reasons import nowhere
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.hints import hint
from semantics.logic.atoms import conjunction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Rejection
from semantics.logic.reply import Tool, ToolName
from semantics.logic.sentences import in_words
from semantics.logic.state import State
from semantics.plain_text import together

MOST_TOOLS = 8  # how often a model may use a tool for one request


def use_tool(tool: Tool, used: list[Tool], context: DecisionContext, state: State) -> str | Rejection:
    """Return what a tool tells, or why it may not be used; nothing changes meanwhile, so none is of use twice.

    Args:
        tool: The tool with its argument.
        used: The tools that were used for the request; this one is added.
        context: What is known.
        state: The believed state.

    Raises:
        OutsideError: The planner cannot be started.
    """
    if tool in used or len(used) >= MOST_TOOLS:
        why = "it was used already." if tool in used else f"{MOST_TOOLS} tools were used already."
        how = "Answer with a goal, a question or a refusal."
        what = f"the tool '{tool.name}' for '{tool.argument}'"
        return Rejection((Feedback(Code.UNREADABLE, what, why, how),))
    used.append(tool)
    match tool.name:
        case ToolName.LOOK_FOR:
            return _where(tool.argument, context, state)
        case ToolName.SUBSTITUTE:
            return _instead(tool.argument, context)
        case ToolName.PART:
            return _part(tool.argument, context, state)
        case _:
            return _known(tool.argument, context, state)


def known_after_all(missing: Iterable[str], things: Collection[str]) -> tuple[Feedback, ...]:
    """Return the objection to a refusal for want of things: those that are known here."""
    known = [name for name in missing if name in things]
    why = f"{together(known)} {'is' if len(known) == 1 else 'are'} known here, and looked for where necessary."
    how = "Name the goal as if it were in view."
    return (Feedback(Code.WHEREABOUTS_UNKNOWN, "the refusal", why, how, tuple(known)),) if known else ()


def _names(argument: str, context: DecisionContext) -> list[str]:
    """Return the things that an argument names: by name, class or kind."""
    things, vocabulary = context.world.objects, context.vocabulary
    return [argument] if argument in things else [*vocabulary.of_class(argument), *vocabulary.of_kind(argument)]


def _unknown(argument: str, context: DecisionContext) -> str:
    names = (*context.world.objects, *context.domain.classes)
    return f"Nothing here is called {argument}. {hint(argument, names, 'thing', 'this world', 'What there is')}"


def _where(argument: str, context: DecisionContext, state: State) -> str:
    names = _names(argument, context)
    if not names:
        return _unknown(argument, context)
    lost = nowhere(names, context.plans.problem(state))
    seen = [last_seen(name, context.senses) for name in lost] if context.senses is not None else []
    placed = [atom for atom in sorted(state.atoms) if atom.args[:1] and atom.args[0] in names and len(atom.args) == 2]
    resting = context.domain.conventions.resting
    told = [f"{in_words(atom, context.vocabulary.predicates)}." for atom in placed if atom.predicate in resting]
    if lost:
        looks = "it is looked for when a goal needs it" if context.looks else "nobody looks for it"
        told += [f"Where {together(lost)} is is not known; {looks}.", *(f"{each}." for each in seen if each)]
    return " ".join(told) or _known(argument, context, state)


def _instead(argument: str, context: DecisionContext) -> str:
    missing = named_absence(argument, context.domain, context.vocabulary)
    if isinstance(missing, Presence):
        return f"{missing.sentence}."
    purpose = Goal(conjunction(()), argument)
    ranked = replace(context, guesses=False).substitutes.suggestions(missing, purpose).ranked
    if not ranked:
        return f"Nothing here would do instead of {argument}."
    told = [f"{', '.join(each.names) or each.class_name}: {each.sentence}." for each in ranked[:3]]
    return " ".join(told)


def _part(argument: str, context: DecisionContext, state: State) -> str:
    try:
        goal = formal_goal(argument, context.domain, context.world.objects)
        checked = context.check(goal, state)
        if isinstance(checked, Rejection):
            return str(checked)
        part = context.plans.part(only_conjunct(checked.conjuncts), state)
    except UsageError as error:
        return f"{error}."
    if isinstance(part, NoPlan):
        return str(part.feedback)
    left = " ".join(map(str, part.left_out.values()))
    return f"Of that, this can be reached: {conjunction(part.reached)}. {left}".strip()


def _known(argument: str, context: DecisionContext, state: State) -> str:
    from graftwork.language.prompts import PromptRequest, look_up  # for those who ask a model

    believed = None if context.senses is None else context.senses.scene
    return look_up(argument, PromptRequest("", context.world, state, believed))
