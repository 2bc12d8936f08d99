"""What a conversation remembers: what was said, what was meant by it, and what came of it.

A later sentence speaks of earlier ones: "now bring it to me", "put it back", "the banana too", "no, the other one". A
turn keeps the names and the facts that its words were understood as, whoever understood them, so that what a language
model has named is known as well, and which of several mugs was taken. It also keeps where things were before, for
"back" and "undo that". A conversation keeps the last turns only (Bärmann et al., section 3.4, keep the last three).
As a document a turn goes to the memory, and on in another process.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from semantics.body.observation import Sighting
from semantics.logic.atoms import Atom, Literal, literals
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.english import GRAMMAR

_LOOKING_BACK = re.compile(
    r"\b(its?|them|they|there|that|this|those|these|ones?|others?|another|same|again|back|too|also|instead|else|no|not"
    r"|rather|both|either|neither|none|undo|he|she|him|her|his|so|then|more|less|before)\b"
)
"""Words that may speak of what was said before; a sentence with one of them is neither recalled nor learned."""
_CORRECTING = re.compile(
    r"\W*(?:no|nope|not|wrong|don't|that(?:'s| is| was) (?:not|wrong)|you (?:should|forgot|left)|i (?:meant|said))\b",
    re.IGNORECASE,
)
"""How a person begins who says that something was not done as it should be."""
MOST_TURNS, MOST_TOLD = 20, 3  # how many turns are kept, and how many of them a language model is told


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a conversation.

    Attributes:
        words: What the person said.
        goal: What it was understood as; None if it asked for nothing.
        facts: What of it was to hold, in order, with a choice made; empty if it asked for nothing.
        things: What it is about, in order: what is to be somewhere first, the places last.
        was: The facts that it has changed, as they were before.
        reply: What came of it.
        outcome: How it ended.
        begun: What was believed before; None for a turn of another process.
        program: The program that was carried out; empty without one.
        seen: Where things were before; empty for a turn of another process, and where nobody asks.
    """

    words: str
    goal: Goal | None = None
    facts: tuple[Literal, ...] = ()
    things: tuple[str, ...] = ()
    was: frozenset[Atom] = frozenset()
    reply: str = ""
    outcome: str = ""
    begun: State | None = field(default=None, compare=False, repr=False)
    program: str = ""
    seen: Mapping[str, Sighting] = field(default_factory=dict, compare=False, repr=False)


def turn_of(
    words: str, goals: Sequence[Goal], chosen: Collection[Literal], then: State, now: State, vocabulary: Vocabulary
) -> Turn:
    """Return the turn of words that were carried out, or are.

    Args:
        words: What the person said.
        goals: What they were understood as, in order; empty for a program.
        chosen: The facts that are pursued, of all that the goals leave open.
        then: The state before.
        now: The state now.
        vocabulary: Says which facts can be asked for, and so be restored.
    """
    facts = [literal for goal in goals for literal in literals(goal.formula) if literal in chosen]
    if not goals:
        facts = [Literal(atom) for atom in sorted(restorable(now.atoms - then.atoms, vocabulary))]
    was = frozenset(restorable(then.atoms - now.atoms, vocabulary))
    first = goals[0] if goals else None
    return Turn(words, first, tuple(dict.fromkeys(facts)), things_of(facts), was, begun=then)


def turn_document(turn: Turn, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return a turn as plain data for JSON, with the classes of what it names; of its goal what formulas say."""
    goal = turn.goal if turn.goal is not None and str(turn.goal) == str(turn.goal.formula) else None
    facts = (*turn.facts, *map(Literal, sorted(turn.was)), *(() if goal is None else literals(goal.formula)))
    things, named = vocabulary.things, sorted({*turn.things, *things_of(facts)})
    texts = {"words": turn.words, "goal": goal and str(goal), "reply": turn.reply, "outcome": turn.outcome}
    texts |= {"program": turn.program} if turn.program else {}
    lists = {"things": list(turn.things), "facts": list(map(str, turn.facts)), "was": sorted(map(str, turn.was))}
    return {**texts, **lists, "classes": {name: things[name].class_name if name in things else "" for name in named}}


def read_turn(document: Mapping[str, Any]) -> tuple[Turn, dict[str, str]]:
    """Read what `turn_document` wrote: a turn, and the classes of what it names.

    Raises:
        KeyError, TypeError, ValueError, UsageError: It is something else.
    """
    facts, was = (
        [literal for text in document[name] for literal in literals(parse_formula(text))] for name in ("facts", "was")
    )
    words, goal = document["words"], document["goal"] and Goal(parse_formula(document["goal"]), document["words"])
    things, before = tuple(document["things"]), frozenset(literal.atom for literal in was)
    said = (document["reply"], document["outcome"])
    turn = Turn(words, goal, tuple(facts), things, before, *said, program=str(document.get("program", "")))
    return turn, dict(document["classes"])


def stands_alone(words: str) -> bool:
    """Return whether words mean the same whatever was said before: they begin with a verb, and none looks back."""
    said = words.lower().split()
    return len(said) > 2 and said[0] not in GRAMMAR and _LOOKING_BACK.search(words.lower()) is None


def is_correction(words: str) -> bool:
    """Return whether words say that what was done last was wrong."""
    return _CORRECTING.match(words) is not None


def things_recalled(words: str, turns: Sequence[Turn]) -> frozenset[str]:
    """Return what the last turns are about, if words may speak of it."""
    told = turns[-MOST_TOLD:] if _LOOKING_BACK.search(words.lower()) else ()
    return frozenset(name for turn in told for name in turn.things)


def exchanges_in(turns: Sequence[Turn]) -> tuple[tuple[str, str], ...]:
    """Return the words of the last turns, each with what came of it, and what was otherwise before."""
    return tuple((turn.words, _told(turn)) for turn in turns[-MOST_TOLD:] if turn.words and turn.reply)


def _told(turn: Turn) -> str:
    wanted, was = (" ".join(map(str, facts)) for facts in (turn.facts, sorted(turn.was)))
    done = turn.program and f"The program was:\n{turn.program}"
    return " ".join(filter(None, (turn.reply, wanted and f"Wanted: {wanted}.", was and f"Before: {was}.", done)))


def restorable(atoms: Iterable[Atom], vocabulary: Vocabulary) -> Iterator[Atom]:
    """Yield the facts that can be asked for again: not where the robot is, nor what is sensed on demand."""
    for atom in atoms:
        known = vocabulary.predicates.get(atom.predicate)
        is_asked = known is not None and known.goal and not (known.on_demand or known.momentary)
        if is_asked and vocabulary.robot not in atom.args:
            yield atom


def things_of(facts: Iterable[Literal]) -> tuple[str, ...]:
    """Return the names in facts: the first arguments first, then the others."""
    atoms = [literal.atom for literal in facts]
    first = (atom.args[0] for atom in atoms if atom.args)
    return tuple(dict.fromkeys((*first, *(name for atom in atoms for name in atom.args[1:]))))
