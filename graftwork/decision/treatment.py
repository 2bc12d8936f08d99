"""`Treatment`: the proposal to treat a thing of which nobody knows what it is as one of a known class."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from affordances.newcomers import GUESSED, GUESSES, PERSON, ClassGuess, classes_called
from affordances.substitutes import article
from domains.model import ObjectClass
from domains.world import Origin, World
from graftwork.language.answers import with_answer
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question, Rejection
from semantics.logic.vocabulary import Thing
from semantics.words.english import noun_phrase
from semantics.words.lexicon import plain

YES = "yes"
AGREEMENTS = frozenset({"yes", "yeah", "yep", "sure", "ok", "okay", "fine", "certainly"})
"""First words of an answer that agrees: "sure, go ahead"."""
DENIALS = frozenset({"no", "not", "never", "nope", "nah", "don't", "dont", "leave"})
"""First words of an answer that does not agree, unless it goes on with what the thing is: "no, it is a bowl"."""
LIMITS = DENIALS | {"but", "without", "unless"}
"""Words anywhere in an answer with which it is no plain agreement, so that it is asked again."""
LEAD = re.compile(r"\A(?:(?:yes|no|well|oh)[,.;!]* )+")
"""How an answer may begin that goes on with what the thing is: "no, it is a bowl"."""
LONGEST_STATEMENT = 200  # how many characters a sentence has at most that says what a thing is
STATEMENT = re.compile(
    r"(?:it|this|that|(?:the )?(?P<name>.+?))(?: is|'s) an? (?P<right>.+?)(?:,? (?:and )?not an? (?P<wrong>.+?))?[.!]?"
)
"""A sentence that says what a thing is: "that is a pan, not a wok", "the wok is a pan"."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """The proposal to treat a thing as one of a class."""

    thing: Thing  # the thing as one of that class
    origin: Origin  # how it became known
    probability: float  # how sure it is that it is one, from 0 to 1
    source: str = GUESSED  # who guesses so: ``guessed``, or a language ``model``
    agreed: Thing | None = None  # the thing as what a person lets it be treated as; None before the answer

    @property
    def question(self) -> Question:
        """The question to the person."""
        label = plain(self.origin.label)
        text = (
            f"{not_known(self.origin)} May I treat {self.thing.name} as "
            f"{article(self.thing.class_name)} ({GUESSES[self.source]}, {self.probability:.2f})?"
        )
        feedback = Feedback(Code.QUESTION, f"'{label}'", "no class of this name is known", text, (label,))
        return Question(text, (YES, "no"), feedback)

    def as_dict(self) -> dict[str, object]:
        """Return what a memory keeps of it."""
        origin, thing = self.new_origin, self.agreed or self.thing
        kept = {"source": origin.source, "probability": origin.probability}
        return {"label": plain(origin.label), "class": thing.class_name, **kept}

    @property
    def note(self) -> str:
        """What a reply says of it."""
        origin, thing = self.new_origin, self.agreed or self.thing
        guess = GUESSES.get(origin.source)
        how = f"{guess}, {origin.probability:.2f}" if guess else f"says {origin.source}"
        return f"{thing.name} is treated as {article(thing.class_name)} ({how})."

    def answered(self, reply: str, world: World) -> Thing | Rejection | None:
        """Return what the thing is treated as by a person's answer, or that it is not; None for any other answer."""
        if "?" in reply:  # who asks back has neither agreed nor said what it is
            return None
        if named := _classes_stated(LEAD.sub("", _as_sentence(reply)), world):
            return ClassGuess(named[0], 1.0).thing(self.thing, self.origin.label)
        words = re.findall(r"[a-z']+", plain(reply))
        denies = words[:2] == ["do", "not"] or not DENIALS.isdisjoint(words[:1])
        answer = with_answer(YES, self.question, "no" if denies else reply)
        if isinstance(answer, Rejection) or answer == YES:
            return answer if isinstance(answer, Rejection) else self.thing
        if not LIMITS.isdisjoint(words):
            return None
        head = " ".join(noun_phrase(plain(reply).split()).head)
        if named := classes_called(head, world.domain) if head else []:
            return ClassGuess(named[0], 1.0).thing(self.thing, self.origin.label)
        return None if AGREEMENTS.isdisjoint(words[:1]) else self.thing

    @property
    def new_origin(self) -> Origin:
        """How the thing became known, if a person lets it be treated so, or has said what it is."""
        is_guess = self.agreed is None or self.agreed is self.thing
        source, probability = (self.source, self.probability) if is_guess else (PERSON, 1.0)
        return replace(self.origin, source=source, probability=probability)


def not_known(origin: Origin) -> str:
    """Return the sentence that nobody knows what a thing is."""
    return f"I do not know what {article(plain(origin.label))} is."


def treated(world: World, *treatments: Treatment) -> World:
    """Return the next revision of a world, in which things are treated as proposed; the world itself without any."""
    if not treatments:
        return world
    return world.with_objects(
        *(each.agreed or each.thing for each in treatments),
        origins={each.thing.name: each.new_origin for each in treatments},
    )


def stated_treatment(words: str, world: World) -> Treatment | None:
    """Return what a person says that a thing is which no file lists; None for words that say no such thing."""
    said = STATEMENT.fullmatch(_as_sentence(words))
    if said is None:
        return None
    called = said["name"] or said["wrong"]
    named = [
        name
        for name, origin in world.origins.items()
        if called in (name, plain(name), plain(origin.label), plain(world.objects[name].class_name))
    ]
    classes = _classes_stated(_as_sentence(words), world)
    if len(named) != 1 or not classes:
        return None
    thing, origin = world.objects[named[0]], world.origins[named[0]]
    return Treatment(thing, origin, 1.0, agreed=ClassGuess(classes[0], 1.0).thing(thing, origin.label))


def _as_sentence(words: str) -> str:
    """Return words in lower case with single blanks; empty if they are too many to say what a thing is."""
    return " ".join(words.lower().split()) if len(words) <= LONGEST_STATEMENT else ""


def _classes_stated(sentence: str, world: World) -> list[ObjectClass]:
    """Return the classes that a sentence may mean which says what something is; none for any other sentence."""
    said = STATEMENT.fullmatch(sentence)
    return [] if said is None else classes_called(said["right"], world.domain)
