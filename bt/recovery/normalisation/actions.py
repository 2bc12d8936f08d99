"""From a command as somebody wrote it to an action of the domain, or to what is wrong with it.

Before any rung is asked, what is only badly written is set right: marks and capitals, hyphens, plurals, another number
at the end of a name, words for the same deed, fillers, amounts, an agent that was left out or said twice. All of that
is a pure function of the text and the scene. It never chooses between two meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations, product

from bt.recovery.normalisation.names import EDGES, Lookup, plain_name
from bt.recovery.normalisation.verbs import capabilities_of
from domains.capability import Capability
from domains.model import Domain
from domains.problem import Problem
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.state import Action, Operator
from semantics.vocabulary import Thing

__all__ = ["Meant", "completed", "meant"]

ENVELOPE = re.compile(r"^\s*(\[[^\]]*\]|\d+[.)]|[-*])\s*")
FILLERS = frozenset(
    {"the", "a", "an", "from", "to", "into", "onto", "in", "on", "at", "with", "using", "by", "of", "and", "then"}
)
AMOUNT = re.compile(r"^\d+(\.\d+)?\.?(_?(%|ml|cl|l|g|dosis|portions?|pieces?|liters?))?$")
MOST_WORDS = 4
"""Of how many words a name or a verb may consist."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What a command means, as far as it says it.

    Attributes:
        capability: What is to be done.
        binding: What stands for its parameters; those that are not said are missing.
        changed: Whether it had to be set right.
    """

    capability: str
    binding: Mapping[str, str]
    changed: bool


def meant(text: str, domain: Domain, things: Mapping[str, Thing]) -> Meant | Feedback:
    """Return what a command means, or what of it nobody knows, with the nearest names.

    Args:
        text: Such as ``get gin_bottle from shelf hand_left`` or ``(get robot0 left_hand gin_bottle shelf)``.
        domain: What can be done.
        things: What it can be done with.
    """
    words = _words(text)
    if not words:
        return Feedback(Code.UNREADABLE, f"'{text.strip()}'", "there is no command in it")
    verb, rest = _verb(words, domain)
    found = capabilities_of(verb, domain)
    if isinstance(found, Feedback):
        return found
    names = _names(rest, things)
    if isinstance(names, Feedback):
        return names
    named = tuple(one for one in dict.fromkeys(names) if not _is_only_agent(one, domain, things))
    lookup = Lookup(things)
    for capabilities, kin in product(found, (False, True)):
        choices = [lookup.kin(name) if kin else (name,) for name in named]
        fits = [
            (one, way)
            for one in capabilities
            for names in islice(product(*choices), 1 if not kin else None)
            for way in _ways(domain.capabilities[one], names, things, domain)
        ]
        if len({one for one, _ in fits}) == 1 and fits:
            capability, binding = fits[0]
            return Meant(capability, binding, kin or _says_it(words, capability, named, domain, things))
        if fits:
            told = ", ".join(sorted({one for one, _ in fits}))
            return Feedback(Code.AMBIGUOUS, f"'{text.strip()}'", f"it may mean {told}", culprits=(verb,))
    return _unfit(verb, (*found[0], *found[1]), named)


def _words(text: str) -> list[str]:
    """Return the words of a command, names in another notation, ``get(a, b)``, included."""
    bare = ENVELOPE.sub("", text.strip())
    return [word for word in re.split(r"[\s,()]+", bare) if word.strip(EDGES)]


def _verb(words: Sequence[str], domain: Domain) -> tuple[str, Sequence[str]]:
    """Return the longest run of words at the start that names a deed, and the words behind it."""
    for length in range(min(MOST_WORDS, len(words)), 1, -1):
        verb = "_".join(map(plain_name, words[:length]))
        if not isinstance(capabilities_of(verb, domain), Feedback):
            return verb, words[length:]
    return words[0], words[1:]


def _names(words: Sequence[str], things: Mapping[str, Thing]) -> list[str] | Feedback:
    """Return the things that words name, the longest runs first; fillers and amounts are passed over."""
    lookup, found, at = Lookup(things), [], 0
    while at < len(words):
        length = next(
            (one for one in range(min(MOST_WORDS, len(words) - at), 1, -1) if _is_name(words[at : at + one], lookup)), 1
        )
        word = " ".join(words[at : at + length])
        at += length
        if length == 1 and (plain_name(word) in FILLERS or AMOUNT.match(word.strip(EDGES).lower())):
            continue
        name = lookup.named(word)
        if isinstance(name, Feedback):
            return name
        found.append(name)
    return found


def _is_name(words: Sequence[str], lookup: Lookup) -> bool:
    """Return whether several words are one name, and none of them is a name by itself."""
    alone = any(isinstance(lookup.named(word), str) or plain_name(word) in FILLERS for word in words)
    return not alone and isinstance(lookup.named(" ".join(words)), str)


def _is_only_agent(name: str, domain: Domain, things: Mapping[str, Thing]) -> bool:
    agents = [one for one, thing in things.items() if _acts(thing, domain)]
    return agents == [name]


def _acts(thing: Thing, domain: Domain) -> bool:
    model = domain.agents.get(thing.class_name)
    return model is not None and bool(model.capabilities)


def _ways(
    capability: Capability, named: Sequence[str], things: Mapping[str, Thing], domain: Domain
) -> Iterator[Mapping[str, str]]:
    """Yield how the named things may stand for parameters: in their order, else in the only other order that fits."""
    numbers = range(len(capability.parameters))
    kept = [one for one in combinations(numbers, len(named)) if _fits(capability, one, named, things, domain)]
    if not kept:
        others = [one for one in permutations(numbers, len(named)) if _fits(capability, one, named, things, domain)]
        kept = others if len(others) == 1 else []
    yield from ({capability.parameters[at].name: name for at, name in zip(one, named, strict=True)} for one in kept)


def _fits(
    capability: Capability, places: Sequence[int], named: Sequence[str], things: Mapping[str, Thing], domain: Domain
) -> bool:
    return all(
        set(capability.parameters[at].affordances) - {"object"} <= things[name].affordances
        and (at > 0 or capability.agentless or _acts(things[name], domain))
        for at, name in zip(places, named, strict=True)
    )


def _says_it(
    words: Sequence[str], capability: str, named: Sequence[str], domain: Domain, things: Mapping[str, Thing]
) -> bool:
    """Return whether anything but fillers and amounts had to be set right."""
    said = [word for word in words[1:] if word not in FILLERS and not AMOUNT.match(word)]
    return words[0] != capability or [one for one in said if not _is_only_agent(one, domain, things)] != list(named)


def _unfit(verb: str, capabilities: Sequence[str], named: Sequence[str]) -> Feedback:
    told = ", ".join(dict.fromkeys(capabilities))
    why = f"{', '.join(named) or 'nothing'} is not what can be had for {told}"
    return Feedback(Code.WRONG_AFFORDANCE, f"'{plain_name(verb)}'", why, culprits=tuple(named))


def completed(said: Meant, problem: Problem) -> Operator | Feedback:
    """Return the operator that a command stands for, with what it does not say taken from what is believed.

    Of all that could be meant it is the one that lacks least; among equals, the first. A command that asks for what
    nothing can ever bring about (salt out of a bottle of gin) is told as one that does not fit.
    """
    domain, things, state = problem.domain, problem.objects, problem.state
    capability = domain.capabilities[said.capability]
    choices = [_choices(number, said, capability, domain, things) for number in range(len(capability.parameters))]
    best: tuple[int, Operator] | None = None
    for args in product(*choices):
        try:
            operator = problem.ground(Action(capability.name, args))
            lacking = len(state.missing(operator.precondition))
        except UsageError:
            continue
        if best is None or lacking < best[0]:
            best = lacking, operator
    if best is None or any(
        literal.atom.predicate in _lasting(domain) for literal in state.missing(best[1].precondition)
    ):
        return _unfit(said.capability, (said.capability,), tuple(said.binding.values()))
    return best[1]


def _lasting(domain: Domain) -> frozenset[str]:
    """Return the predicates that no capability changes and no rule derives."""
    changed = {effect.predicate for one in domain.capabilities.values() for effect in one.effect}
    for one in domain.capabilities.values():
        changed.update(effect.predicate for when in one.conditional for effect in when.literals)
    kept = (name for name, model in domain.predicates.items() if not model.bookkeeping and name not in domain.derived)
    return frozenset(kept) - changed


def _choices(
    number: int, said: Meant, capability: Capability, domain: Domain, things: Mapping[str, Thing]
) -> Sequence[str]:
    one = capability.parameters[number]
    if one.name in said.binding:
        return (said.binding[one.name],)
    asked = set(one.affordances) - {"object"}
    able = [name for name, thing in things.items() if asked <= thing.affordances]
    acting = number == 0 and not capability.agentless
    return [name for name in able if not acting or _acts(things[name], domain)]
