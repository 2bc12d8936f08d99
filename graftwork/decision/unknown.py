"""Decisions about things of which nobody knows what they are: each may be treated as one of a known class.

The classes are tried in the order in which the thing may be of them; that with which the request can be carried out is
proposed. A person agrees, says no, or says what the thing is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from affordances.newcomers import MODEL, ClassGuess, guesses
from domains.world import World
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision, PersonAnswer, PlanDecision, Wanted, words_of
from graftwork.decision.newcomers import newcomers
from graftwork.decision.treatment import YES, Treatment, not_known, treated
from graftwork.record.episode import Outcome
from graftwork.setup.limits import Consent
from semantics.body.answer_values import only_value
from semantics.body.exchange import Exchange
from semantics.body.protocols import Message
from semantics.errors import OutsideError
from semantics.logic.goal import CheckedGoal, Rejection
from semantics.logic.vocabulary import Thing
from semantics.words.lexicon import plain

MOST_TRIED = 12  # how many classes are tried for one thing, or offered to a model
SURE = 0.9
"""From which probability on a thing is treated as what it seems to be without asking; a model is never so sure."""

SYSTEM = (
    "A household robot sees things that nobody has told it about. Say as which known class each can be handled, by "
    "what it is called, its size, and whether it is open above. Answer with nothing else than "
    '{"things": [{"thing": NAME, "class": CLASS or null, "probability": 0 to 1}]}.'
)
Decide = Callable[[DecisionContext, tuple[PersonAnswer, ...]], Decision]
"""Makes a decision in a context, with the answers to questions about something else than unknown things."""


def decide_with_unknown(
    decide: Decide, context: DecisionContext, wanted: Wanted, answers: Sequence[PersonAnswer]
) -> Decision:
    """Return a decision, in which things of an unknown class are treated as a person lets them be.

    Args:
        decide: Makes the decision.
        context: The context, in which such things afford nothing.
        wanted: The request.
        answers: All answers of the person.
    """
    taken, declined = _settled(answers, context.world)
    others = tuple(answer for answer in answers if not isinstance(answer.offer, Treatment))
    context = context.in_world(treated(context.world, *taken))
    decision = decide(context, others)
    unknown = [name for name in context.world.unknown if name not in declined]
    named = [name for name in unknown if _is_named(name, wanted, context.world)]
    needed = None
    if context.new_things is not Consent.NEVER:
        if isinstance(decision, PlanDecision) or decision.outcome is Outcome.ALREADY:
            needed = _among_all(decision, unknown, context)
        elif decision.question is None or decision.offer is None:
            needed = _needed(decide, named, context, others)
    if needed is None:
        if named and not isinstance(decision, PlanDecision) and decision.outcome is Outcome.REFUSED:
            decision = replace(decision, message=f"{not_known(context.world.origins[named[0]])} {decision.message}")
        return _told(decision, taken, [no for name, no in declined.items() if _is_named(name, wanted, context.world)])
    question = needed.question
    if context.new_things is Consent.ALLOW or needed.probability >= SURE:
        return decide_with_unknown(decide, context, wanted, (*answers, PersonAnswer(question, YES, needed)))
    assert question.feedback is not None
    return FinalDecision(Outcome.QUESTION, question.text, (question.feedback,), question=question, offer=needed)


def _settled(answers: Sequence[PersonAnswer], world: World) -> tuple[list[Treatment], dict[str, Rejection]]:
    """Return the treatments that a person agrees to, and the refusals of the others, by the name of the thing."""
    taken, declined, unclear = list[Treatment](), dict[str, Rejection](), set[str]()
    for answer in answers:
        if isinstance(answer.offer, Treatment):
            thing = answer.offer.answered(answer.words, world)
            if isinstance(thing, Thing):
                taken.append(replace(answer.offer, agreed=thing))
            elif thing is not None:
                declined[answer.offer.thing.name] = thing
            elif answer.offer.thing.name in unclear:  # who is not understood twice has not agreed
                no = answer.offer.answered("no", world)
                assert isinstance(no, Rejection)
                declined[answer.offer.thing.name] = no
            else:
                unclear.add(answer.offer.thing.name)
    return taken, declined


def _told(decision: Decision, taken: Sequence[Treatment], declined: Sequence[Rejection]) -> Decision:
    """Return a decision that tells what things are treated as, or that a person has not allowed it."""
    if not isinstance(decision, PlanDecision):
        return FinalDecision(Outcome.REFUSED, str(declined[0]), declined[0].feedback) if declined else decision
    if not taken:
        return decision
    goal = decision.goal.goal
    goal = replace(goal, notes=(*goal.notes, *(each.note for each in taken)))
    return replace(decision, goal=replace(decision.goal, goal=goal), treatments=tuple(taken))


def _among_all(decision: Decision, unknown: Iterable[str], context: DecisionContext) -> Treatment | None:
    """Return the treatment of a thing that would be among all those that a goal means, if it is what it seems."""
    goal = decision.goal.goal if isinstance(decision.goal, CheckedGoal) else None
    if goal is None or context.environment is None or not any(stage.every for stage in goal.stages):
        return None
    for name in unknown:
        likeliest = next(_treatments(name, context), None)
        if likeliest is not None:
            world = treated(context.world, likeliest)
            if name in newcomers(goal, world, context.environment.watcher.state_in(world)):
                return likeliest
    return None


def _needed(
    decide: Decide, named: Iterable[str], context: DecisionContext, answers: tuple[PersonAnswer, ...]
) -> Treatment | None:
    """Return the likeliest treatment of a thing that a request names with which there is a plan."""
    for name in named:
        for proposed in islice(_treatments(name, context), MOST_TRIED):
            if isinstance(decide(context.in_world(treated(context.world, proposed)), answers), PlanDecision):
                return proposed
    return None


def _treatments(name: str, context: DecisionContext) -> Iterator[Treatment]:
    """Yield what a thing may be treated as, likeliest first."""
    thing, origin = context.world.objects[name], context.world.origins[name]
    if (said := _said_of(name, context)) is not None:
        yield Treatment(said.thing(thing, origin.label), origin, said.probability, MODEL)
    for guess in guesses(thing, origin, context.domain, context.embedder):
        yield Treatment(guess.thing(thing, origin.label), origin, guess.probability)


def _said_of(name: str, context: DecisionContext) -> ClassGuess | None:
    """Return what the model takes a thing for; None without a model, or if it says nothing that can be used.

    The first call asks about all things of which nobody knows what they are; each label is asked about once.
    """
    world, label = context.world, plain(context.world.origins[name].label)
    if context.model is not None and label not in context.said:
        things = {plain(world.origins[each].label): world.objects[each] for each in world.unknown}
        things = {each: thing for each, thing in things.items() if each not in context.said}
        offered, listed = set[str](), ""
        for each, thing in things.items():
            origin = world.origins[thing.name]
            likely = islice(guesses(thing, origin, world.domain, context.embedder), MOST_TRIED)
            offered |= {guess.object_class.name for guess in likely}
            sides = " x ".join(f"{100 * side:.0f}" for side in thing.size or ())
            listed += f"- {each}: {sides} cm, {'open above' if origin.is_open else 'closed'}\n"
        question = f"The things:\n{listed}The classes: {', '.join(sorted(offered))}."
        messages = [Message("system", SYSTEM), Message("user", question)]
        exchange = Exchange(context.model, messages, use=context.use, called_off=context.called_off)
        said: dict[str, tuple[str, float]] = {}
        with suppress(OutsideError):
            said = exchange.ask(lambda text: _read(text, offered), str, 1) or {}
        if not context.called_off():
            context.said.update((each, said.get(each, ("", 0.0))) for each in things)
    known, probability = context.said.get(label, ("", 0.0))
    return ClassGuess(context.domain.classes[known], probability) if known in context.domain.classes else None


def _read(reply: str, offered: set[str]) -> dict[str, tuple[str, float]]:
    """Read an answer as a class and its probability by label; what cannot be used of it is left out."""
    document = only_value(reply)
    things = document.get("things") if isinstance(document, dict) else None
    said = dict[str, tuple[str, float]]()
    for each in filter(lambda each: isinstance(each, dict), things if isinstance(things, list) else ()):
        known, sure = each.get("class"), each.get("probability")
        if isinstance(known, str) and known in offered and isinstance(sure, int | float) and 0.0 <= sure <= 1.0:
            said[plain(str(each.get("thing")))] = known, round(min(float(sure), SURE - 0.01), 2)
    return said


def _is_named(name: str, wanted: Wanted, world: World) -> bool:
    """Return whether a request names a thing, by its name or by what it was called."""
    said, label = plain(words_of(wanted)), plain(world.origins[name].label)
    return bool(re.search(rf"\b({re.escape(plain(name))}|{re.escape(label)})(?:e?s)?\b", said))
