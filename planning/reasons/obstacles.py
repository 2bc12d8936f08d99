"""Obstacles: why no action can make a literal true in any state. They are found without grounding."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from domains.model import Capability, Domain, Template
from planning.problem.grounding import actors
from planning.reasons.reason import Kind
from planning.reasons.sketch import makers_of
from semantics.hints import choices
from semantics.logic.atoms import Atom, Literal
from semantics.logic.vocabulary import Thing
from semantics.plain_text import together
from semantics.words.english import a_noun

RANK = (Kind.NO_AGENT, Kind.NO_AFFORDANCE, Kind.NO_ACTION)
"""The order in which obstacles are reported: first that of the action that is closest to being possible."""
Bound = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class ActionObstacle:
    """What prevents a suitable action."""

    kind: Kind  # the kind of reason
    why: str  # the reason, half a sentence
    how: str = ""  # what would help, one sentence, or empty
    culprits: tuple[str, ...] = ()  # the names that cause it
    lacking: int = 0  # how many affordances are missing


def obstacle(
    literal: Literal, things: Mapping[str, Thing], domain: Domain, fact: Atom | None = None
) -> ActionObstacle | None:
    """Return what prevents every action that would make `literal` true; None when some action is possible.

    With a `fact`, only actions that begin from it count, such as those that take an apple from where it is.
    """
    ways: list[list[ActionObstacle]] = []
    for capability, template in makers_of(literal, domain):
        for bound in _bindings(capability, template, literal, fact) if _fits(template, literal) else ():
            stops = list(_stops(capability, bound, literal, things, domain))
            if not stops:
                return None
            ways.append(stops)
    if not ways:
        none = ActionObstacle(
            Kind.NO_ACTION, "there is no action that does that", "Ask for something that can be done."
        )
        return None if fact else none
    kind = min((stops[0].kind for stops in ways), key=RANK.index)
    ways.sort(key=lambda stops: sum(stop.lacking for stop in stops))
    best = [stops[0] for stops in ways if stops[0].kind is kind]
    if kind is not Kind.NO_AGENT:
        return best[0]
    return ActionObstacle(kind, together(dict.fromkeys(stop.why for stop in best)), best[0].how, best[0].culprits)


def _bindings(capability: Capability, template: Template, literal: Literal, fact: Atom | None) -> list[Bound]:
    start = binding(template, literal)
    if fact is None or start is None:
        return [start]
    needs = (need for need in capability.precondition if (need.predicate, need.positive) == (fact.predicate, True))
    linked = (need for need in needs if not set(need.args).isdisjoint(template.args))
    return [bound for need in linked if (bound := binding(need, Literal(fact), start)) is not None]


def _stops(
    capability: Capability, bound: Bound, literal: Literal, things: Mapping[str, Thing], domain: Domain
) -> Iterator[ActionObstacle]:
    """Yield what prevents `capability` from making `literal` true, the most serious obstacle first."""
    if bound is None or any(bound.get(left, left) == bound.get(right) for left, right in capability.distinct):
        yield ActionObstacle(Kind.NO_ACTION, f"{capability.name} does not work on these", culprits=literal.atom.args)
        return
    for parameter in capability.parameters:
        yield from _unfit(capability, parameter.affordances, bound.get(parameter.name), things, domain.implied)
    yield from _alone(capability, bound, things)
    able = actors(domain, capability)
    if able is None:
        return
    agent = bound.get(capability.parameters[0].name)
    how = "Ask for what somebody here can do, or add somebody who can."
    if agent is not None and things[agent].class_name not in able:
        yield ActionObstacle(Kind.NO_AGENT, f"{agent} cannot {capability.name}", how, (agent,))
    elif not any(thing.class_name in able for thing in things.values()):
        yield ActionObstacle(Kind.NO_AGENT, f"nobody here can {capability.name}", how)


def _fits(template: Template, literal: Literal) -> bool:
    """Return whether the constants of `template` are those of `literal`."""
    pairs = zip(template.args, literal.atom.args, strict=True)
    return all(arg.startswith("?") or arg == name for arg, name in pairs)


def binding(template: Template, literal: Literal, known: Bound = None) -> dict[str, str] | None:
    """Return the parameters that turn `template` into `literal`, with those `known`; None when there are none."""
    bound = dict(known or {})
    for variable, name in zip(template.args, literal.atom.args, strict=True):
        if variable.startswith("?"):
            if bound.setdefault(variable[1:], name) != name:
                return None
        elif variable != name:
            return None
    return bound


def _alone(capability: Capability, bound: Mapping[str, str], things: Mapping[str, Thing]) -> Iterator[ActionObstacle]:
    """Yield an obstacle if two parameters that must differ can only be the same object."""
    if not capability.distinct:
        return
    needs = {parameter.name: set(parameter.affordances) - {"object"} for parameter in capability.parameters}
    able = {
        name: {bound[name]}
        if name in bound
        else {candidate for candidate, thing in things.items() if need <= thing.affordances}
        for name, need in needs.items()
    }
    for left, right in capability.distinct:
        if able[left] == able[right] and len(able[left]) == 1:
            (only,), need = able[left], sorted(needs[left] | needs[right])
            why = f"{capability.name} needs two things that afford {together(need)}, and {only} is the only one here"
            yield ActionObstacle(Kind.NO_AFFORDANCE, why, culprits=(only,), lacking=len(need))


def _unfit(
    capability: Capability,
    affordances: tuple[str, ...],
    name: str | None,
    things: Mapping[str, Thing],
    implied: Mapping[str, Collection[str]],
) -> Iterator[ActionObstacle]:
    """Yield an obstacle if the object called `name`, or every object if it is None, lacks an affordance.

    What implies another lacking affordance is not told.
    """
    needed = set(affordances) - {"object"}
    if name is None:
        if not any(needed <= thing.affordances for thing in things.values()):
            why = f"nothing here affords {together(sorted(needed))}, which {capability.name} needs"
            yield ActionObstacle(Kind.NO_AFFORDANCE, why, lacking=len(needed))
        return
    lacks = needed - things[name].affordances
    lacking = sorted(affordance for affordance in lacks if lacks.isdisjoint(implied.get(affordance, ())))
    if lacking:
        fit = [candidate for candidate, thing in things.items() if needed <= thing.affordances]
        # A scene may take an affordance from a single thing.
        who = name if things[name].lacks.intersection(lacking) else a_noun(things[name].class_name)
        why = f"{who} lacks {together(f'`{each}`' for each in lacking)}, which {capability.name} needs"
        how = f"What does: {choices(fit, 'object')}." if fit else ""
        yield ActionObstacle(Kind.NO_AFFORDANCE, why, how, (name,), len(lacking))
