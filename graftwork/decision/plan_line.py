"""`read_line`: a line of a plan, as somebody writes it, as an action of the world.

Read are PDDL, ``(get robot0 left_hand cup0 table0)``, calls, ``get(cup0, table0)``, and phrases, "take the cup from
table0". Numbering, marks, plurals, other verbs, a missing agent, and another order of the arguments where only one
fits, are set right. Likeness is never enough: a tomato juice is no lime juice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from math import prod

from bt.recovery.obstacles import acting_parameters
from domains.capability import Capability
from domains.problem import Problem
from semantics.errors import UsageError
from semantics.hints import hint
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator
from semantics.words.english import singulars
from semantics.words.lexicon import Lexicon

BEFORE = re.compile(r"^(?:\s*(?:\[[^\]]*\]|(?:step )?\d+\s?[.):]|[-*•]\s|(?:and|then|next|finally)\b,?))*\s*", re.I)
ASIDE = re.compile(r"(?:^|\s)(?:#|//|;|--).*$|(?<=\S )(\S+)\s\([^()]*\)\W*$")
MARKS = "\"'`.,;:!?()[]{}<>*"
FILLERS = frozenset(
    [
        "the",
        "a",
        "an",
        "from",
        "to",
        "into",
        "onto",
        "in",
        "on",
        "top",
        "at",
        "with",
        "using",
        "by",
        "of",
        "off",
        "out",
        "and",
        "i",
        "please",
        "robot",
        "hand",
        "left",
        "right",
        "arm",
        "hand_left",
        "hand_right",
        "left_hand",
        "right_hand",
    ]
)
"""What may be left out where it names nothing; a robot with one hand has no name for it."""
AMOUNT = re.compile(r"\d+(\.\d+)?(_?(%|ml|cl|l|g|s|dosis|portions?|pieces?|liters?))?")
NUMBER = re.compile(r"_?\d+$")
MOST_WORDS, MOST_WAYS = 4, 3000
"""How many words a name or a verb has, and how many ways to complete a line are tried."""
ALIKE = (
    "put place putin putdown setdown insert add drop stack placeontop move",
    "get take grasp grab pick pickup takeout fetch lift unstack",
    "open opendoor unscrew uncap",
    "close closedoor shut screw cap",
    "switchon switchoff turnon turnoff fingerpush push",
    "pour pourmix fill",
    "gaze look lookat glance",
    "give handover",
    "move go goto drive",
)
"""Verbs that are used for each other; the things decide which is meant."""
Named = Mapping[str, tuple[str, ...]]


def read_line(text: str, problem: Problem, lexicon: Lexicon) -> Operator | Feedback | None:
    """Return the action that a line means, or why it means none; None for a comment or a heading.

    What it leaves open is chosen by the state of the problem: first what can be done, then what is done already.
    """
    bare = ASIDE.sub(r"\1", BEFORE.sub("", text.strip())).strip()
    words = re.findall(r"[^\s(),]+|,", bare.split(" :")[0])
    while words and (plain_name(words[0]) in FILLERS or _is_robot(words[0], problem)):
        words = words[1:]
    if not words or bare.endswith(":"):
        return None
    sizes = range(MOST_WORDS, 0, -1)
    size, meant = next(((size, hit) for size in sizes if (hit := _verbs("".join(words[:size]), problem))), (0, {}))
    if not meant:
        how = hint(words[0], [*problem.domain.capabilities], "capability", world=problem.domain.reference)
        return Feedback(Code.UNKNOWN_NAME, f"'{words[0]}'", "nobody here can do that", how, (words[0],))
    named = _named(words[size:], problem, lexicon)
    return named if isinstance(named, Feedback) else _chosen(bare, meant, named, problem)


def plain_name(word: str) -> str:
    """Return a word in lower case, without marks around it, its parts joined by underscores."""
    return re.sub(r"[\s-]+", "_", word.strip(MARKS)).lower()


def _is_robot(name: str, problem: Problem) -> bool:
    return name in problem.objects and problem.objects[name].class_name == problem.domain.conventions.robot


def _verbs(said: str, problem: Problem) -> dict[str, bool]:
    """Return the capabilities that a verb names, and whether only one of its like does."""
    forms = {_letters(said), *singulars(_letters(said))}
    alike = {verb for group in ALIKE for verb in group.split() if not forms.isdisjoint(group.split())}
    found: dict[str, bool] = {}
    for name, capability in problem.domain.capabilities.items():
        spoken = re.sub(r"^\{\w+\} (\w+?)s\b", r"\1", capability.say).split("{")[0]
        verbs = {_letters(verb) for verb in (name, *capability.aliases, spoken)}
        if not verbs.isdisjoint(forms | alike):
            found[name] = verbs.isdisjoint(forms)
    return found


def _letters(verb: str) -> str:
    return re.sub(r"[^a-z]", "", verb.lower())


def _named(words: Sequence[str], problem: Problem, lexicon: Lexicon) -> dict[str, tuple[str, ...]] | Feedback:
    """Return what each word names: a thing, and behind it those of its name with a number (``mint1`` of ``mint``)."""
    named: dict[str, tuple[str, ...]] = {}
    while words:
        sizes = range(min(MOST_WORDS, len(words)), 0, -1)
        hits = ((size, _called(plain_name("_".join(words[:size])), problem, lexicon)) for size in sizes)
        size, found = next((hit for hit in hits if hit[1]), (1, ()))
        word = plain_name("_".join(words[:size]))
        if len(found) == 1:
            kin = (name for name in problem.objects if NUMBER.sub("", name) == found[0] != name)
            named[word] = (*found, *kin)
        elif word and word not in FILLERS and not AMOUNT.fullmatch(word):
            why = f"{len(found)} things are called so" if found else "no such thing is known"
            how = f"Name one of {', '.join(found)}." if found else hint(word, problem.objects, "object")
            return Feedback(Code.AMBIGUOUS if found else Code.UNKNOWN_NAME, f"'{word}'", why, how, (word,))
        words = words[size:]
    return named


def _called(word: str, problem: Problem, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the things that a word names, also in the plural or with another number at its end."""
    for form in (word, NUMBER.sub("", word), f"{word}s"):
        if form in problem.objects:
            return (form,)
        if (entry := lexicon.find(tuple(form.split("_")))[0]) is not None and entry.names:
            return entry.names
    return ()


def _chosen(text: str, meant: Mapping[str, bool], named: Named, problem: Problem) -> Operator | Feedback:
    state, found = problem.state, list[tuple[tuple[int, bool, int], Operator]]()
    for action in _actions(text, meant, named, problem):
        try:
            step = problem.ground(action)
            lacks, is_ready = state.missing(step.precondition), step.applicable(state)
        except UsageError:  # there is no such action, or a number is not known
            continue
        if problem.domain.static_predicates.isdisjoint(literal.atom.predicate for literal in lacks):
            rank = 0 if is_ready else 1 if step.effects and state.satisfies(step.effects) else 2
            found.append(((rank, meant[action.name], len(lacks)), step))
    if not found:
        why = f"{', '.join(named) or 'nothing'} is not what can be had for {', '.join(meant)}"
        return Feedback(Code.WRONG_AFFORDANCE, f"'{text}'", why, culprits=tuple(named))
    best, step = min(found, key=lambda pair: pair[0])
    acting = acting_parameters(problem.domain.capabilities[step.action.name])
    for rank, other in found:
        pairs = enumerate(zip(step.action.args, other.action.args, strict=False))
        doubt = [two for at, two in pairs if at not in acting and len({NUMBER.sub("", name) for name in two}) > 1]
        if doubt and rank == best and not rank[0] and other.action.name == step.action.name:
            why = f"it leaves open whether {' or '.join(doubt[0])} is meant"
            return Feedback(Code.AMBIGUOUS, f"'{text}'", why, "Name each thing.", doubt[0])
    return step


def _actions(text: str, meant: Mapping[str, bool], named: Named, problem: Problem) -> Iterator[Action]:
    """Yield the actions that a line may mean."""
    values = Action.read(text).values if text.startswith("(") else ()
    for name in meant:
        capability = problem.domain.capabilities[name]
        asked = [parameter.affordances for parameter in capability.parameters]
        able = [tuple(name for name, thing in problem.objects.items() if thing.affords(needs)) for needs in asked]
        said = set(re.sub(r"\{\w+\}", " ", capability.say).split())
        few = {word: names for word, names in named.items() if word not in said and not _is_robot(names[0], problem)}
        for way in _ways(capability, named, able) or _ways(capability, few, able):
            choices = [way.get(at, names) for at, names in enumerate(able)]
            if prod(map(len, choices)) <= MOST_WAYS:
                yield from (Action(name, args, values) for args in product(*choices))


def _ways(capability: Capability, named: Named, able: Sequence[tuple[str, ...]]) -> list[dict[int, tuple[str, ...]]]:
    """Return what stands for which parameter: in the order said, or in the only one that fits.

    Parameters that the sentence of the capability speaks of come first.
    """
    numbers = range(len(able))
    spoken = [at for at in numbers if f"{{{capability.parameters[at].name}}}" in capability.say]
    for places, orders in product((spoken, numbers), (combinations, permutations)):
        fit = [
            way for way in orders(places, len(named)) if all(map(_fitting, named.values(), (able[at] for at in way)))
        ]
        if len(fit) == 1 or (fit and orders is combinations):
            return [
                {at: _fitting(names, able[at]) for at, names in zip(way, named.values(), strict=True)} for way in fit
            ]
    return []


def _fitting(names: tuple[str, ...], able: Sequence[str]) -> tuple[str, ...]:
    """Return the thing that is named, or else those of its name with a number, as far as they fit."""
    return names[:1] if names[0] in able else tuple(name for name in names if name in able)
