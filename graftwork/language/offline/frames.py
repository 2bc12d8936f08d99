"""Frames of English: the forms in which a person puts what a phrase of a world says as an order.

A world says ``put {thing} on {support}``. A person also says "I want the cup on the table", "the cup belongs on the
table", "make sure the cup is on the table", "on the table goes the cup", "the cup needs to be put on the table". Each
phrase is read in all of these frames, with synonyms and particles of its verb, so that a world states it once. Facts
have frames as well: "{0} is open" gives "the fridge should be open".

The words stand in ``english.yaml`` beside this file. `rewrite` reduces all ways to begin a wish to ``want``, and all
ways to say how a thing should be to ``should``, and leaves out polite words; the patterns that `frames_of` derives know
these two words only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise, product, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from graftwork.language.offline.said_values import QUANTITY
from semantics.words.english import GRAMMAR, gerunds, past_forms

Element = frozenset[str] | str
"""A set of words, one of which must match, or the name of a slot."""
Variant = tuple[Element, ...]

POINT = r"\(\s*-?\d+(?:\.\d+)?(?:\s*,\s*-?\d+(?:\.\d+)?){1,2}\s*\)"
"""A pattern of the token that a point is: its coordinates in metres, in brackets."""
TOKEN = re.compile(rf"{POINT}|{QUANTITY}|[^\W_]+(?:['_-]?[^\W_]+)*|[,.;:!?%°]")
WANT, SHOULD = "want", "should"
BEING = frozenset({SHOULD, "is", "are", "be", "gets", "get"})
PLACING = frozenset(
    "on onto upon in into inside to at off out under near next left right behind between".split()  # noqa: SIM905
)
"""What a place begins with: with these words, "the cup on the table" is a wish even without a verb."""
CONDITIONAL = frozenset({"if", "unless", "when", "while", "until", "never", "whenever", "there"})
"""Words with which no subject begins."""
VIEW_WORDS = frozenset({"seen", "viewed", "looking", "looked"}) | {"from", "as"}
"""Words for a viewpoint have one of these."""
_SLIPS = {"form": ("from", ("the", "my", "your", "here", "there")), "were": ("where", ("i", "we", "i'm", "im", "you"))}
"""Words that are typing errors of others before some words."""
_STOPS = frozenset({",", ".", ";", ":", "!", "?"})
_BEGINNING = _STOPS | {"and", "then", "but", "so"}
"""Words behind which a clause begins."""


class _English(NamedTuple):
    """The tables of ``english.yaml``.

    Attributes:
        contractions: The words that each short form stands for.
        runs: What each run of words is replaced by, wherever it stands: nothing, ``want`` or ``should``.
        openings: Runs of words that are left out at the begin of a clause.
        closings: Those that are left out at its end.
        needs: Words for "needs" before a gerund.
        verbs: Other verbs for a verb.
        particles: The words that may follow each verb.
        toward: Words before a place that say nothing more.
        participles: Words before which "'s" is a verb.
        remarks: The words of statements, see `statements`.
        purposes: What a thing may be for.
        aims: Verbs of what one does with a thing oneself.
        misspelt: What each typing error of a short word stands for.
        common: Words that are no typing errors of others.
    """

    contractions: Mapping[str, tuple[str, ...]]
    runs: Mapping[tuple[str, ...], tuple[str, ...]]
    openings: frozenset[tuple[str, ...]]
    closings: frozenset[tuple[str, ...]]
    needs: frozenset[str]
    verbs: Mapping[str, tuple[str, ...]]
    particles: Mapping[str, frozenset[str]]
    toward: frozenset[str]
    participles: frozenset[str]
    remarks: Mapping[str, str]
    purposes: frozenset[str]
    aims: frozenset[str]
    misspelt: Mapping[str, str]
    common: frozenset[str]


@cache
def tables() -> Mapping[str, Any]:
    """Return what ``english.yaml`` holds."""
    text = Path(__file__).with_name("english.yaml").read_text(encoding="utf-8")
    table: Mapping[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return table


@cache
def english() -> _English:
    """Return the tables of English, read once."""
    table = tables()
    meant: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name, words in (("noise", ()), ("wishes", (WANT,)), ("duties", (SHOULD,)), ("states", ("is",))):
        meant |= dict.fromkeys(spoken(name), words)
    for words, lines in (table["pronouns"] | table["sides"] | table["joints"]).items():
        meant |= {run: tuple(words.split()) for line in lines for run in spelled_out(line)}
    return _English(
        {short: tuple(words.split()) for short, words in table["contractions"].items()},
        meant,
        spoken("openings"),
        spoken("closings"),
        frozenset(table["needs"].split(", ")) - {"could do with"},
        {verb: tuple(others) for verb, others in table["verbs"].items()},
        {verb: frozenset(words) for verb, words in table["particles"].items()},
        frozenset(table["toward"]),
        frozenset(table["participles"]),
        table["remarks"],
        frozenset(table["purposes"].split()),
        frozenset(table["aims"].split()),
        {wrong: str(right) for wrong, right in table["misspelt"].items()},
        frozenset(table["common"].split()),
    )


def spelled_out(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of words of a list such as "once|as_soon_as it is|was done, later|"; an empty word is none."""
    for run in text.split(", "):
        every = product(*(word.split("|") for word in run.split()))
        yield from (tuple(" ".join(words).replace("_", " ").split()) for words in every)


def runs(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the runs of words between commas."""
    yield from (tuple(run.split()) for run in text.split(", "))


_AWAY = frozenset({"on", "off", "up", "down", "out", "away", "aside"})
"""Particles that stand before or behind the thing of their verb."""
_RESTING = frozenset({"stand", "go", "lie", "sit", "come", "rest"})
_LONGEST = 9  # the most words of a run in the tables
_ASKING = frozenset({"can", "could", "would", "will"})
_STATING = frozenset({("it", "is"), ("i", "am"), ("we", "are"), ("they", "are"), ("there", "is")})
_GOES_ON = GRAMMAR.union(tables()["goes_on"].split())
"""Words behind which no clause begins without a punctuation mark."""
_ADDRESSED = frozenset("the a i we can could will would please my all both you".split())  # noqa: SIM905
"""Words, other than verbs, that go on behind an address to the robot."""
_ENDING = frozenset({"off", "out", "up", "down", "over", "along", "around", "it", "me", "them", "there", "well", "now"})
"""Those of them behind which a request may begin: "the milk has gone off can you …"."""
_TOWARD = frozenset(tables()["places"].split())


@cache
def spoken(name: str) -> frozenset[tuple[str, ...]]:
    """Return a list of phrases of ``english.yaml``, each as its words."""
    return frozenset(run for line in tables()[name] for run in spelled_out(line))


def undrawn(text: str) -> str:
    """Return text with one letter for three or more: "aaand" is "and"."""
    return re.sub(r"([a-z])\1\1+", r"\1", text)


@cache
def rewordings() -> tuple[tuple[str, str], ...]:
    """Return what people say for something else, as patterns, each with what is meant."""
    table = tables()["rewordings"].items()
    return tuple((said.strip(), meant) for meant, every in table for said in every.split(","))


def plain_words(text: str) -> tuple[str, ...]:
    """Return the words and the punctuation of a text in lower case, with short forms written out."""
    plain = undrawn(unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower())
    known = english().contractions
    return tuple(word for token in TOKEN.findall(plain) for word in known.get(token, (token,)))


def without_noise(words: Sequence[str]) -> tuple[str, ...]:
    """Return words without those that mean nothing wherever they stand."""
    known, left, at = english().runs, list[str](), 0
    while at < len(words):
        lengths = range(min(_LONGEST, len(words) - at), 0, -1)
        length = next((n for n in lengths if known.get(tuple(words[at : at + n])) == ()), 0)
        left += [] if length else [words[at]]
        at += length or 1
    return tuple(left)


@cache
def reduced(name: str) -> frozenset[tuple[str, ...]]:
    """Return a list of phrases of ``english.yaml`` in the form that `rewrite` gives them."""
    return frozenset(filter(None, (tuple(rewrite([*phrase, "."]))[:-1] for phrase in spoken(name))))


def rewrite(
    tokens: Sequence[str], verbs: Collection[str] = (), spelled: Callable[[str], str] = lambda word: word
) -> list[str]:
    """Return tokens with ``want`` and ``should`` for all words that mean these, and without polite words.

    A full stop is put before what surely begins a clause: "I'm hungry can you …", "wash the plate put it on the table".

    Args:
        tokens: The words and punctuation marks; the last one is a full stop.
        verbs: The verbs of the world.
        spelled: Returns the word that is meant by a typing error.
    """
    known = english()
    right = [word for token in tokens for word in spelled(undrawn(token)).split()]
    full = [word for token, after in pairwise([*right, "."]) for word in _spelled_out(token, after)]
    words = _in_order(_wished(list(without_noise(full)), verbs))
    out: list[str] = []
    at = 0
    while at < len(words):
        if out and out[-1] not in _BEGINNING and _begins_clause(words, at, out[-1], verbs):
            out.append(".")
        begins = not out or out[-1] in _BEGINNING
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            run = tuple(words[at : at + length])
            opens = not out or out[-1] in ".!?"  # "first of all, thank you" begins with no exclamation
            if opens and run in spoken("exclamations") and words[at + length] in _BEGINNING - {"and"}:
                break
            if (begins and run in known.openings and words[at + length] not in _BEGINNING - {",", "and"}) or (
                _is_apposition(run, out[-1:], words[at + length : at + length + 1], verbs)
            ):
                # What is to be done follows what it is for: "I need room, so …".
                out[-1:] = [":"] if run == ("so",) and out[-1:] in ([","], ["."]) else out[-1:]
                break
            if run in known.runs or (out[-1:] == [WANT] and run in (("there", "is"), ("there", "are"))):
                out += known.runs.get(run, ())
                break
        else:
            length = 1
            out += [] if _is_toward(words, at) else [words[at]]
        at += length
        _drop_comma(out)
    return out


def _wished(words: list[str], verbs: Collection[str]) -> list[str]:
    """Return words without an address: "robot get me the cup", and with the mood of a wish for that behind its "if".

    "I would be glad if you brought me the cup" is "bring me the cup", and "… if it were clean" is "… if it is clean".
    """
    if words[0] == "robot" and words[1] in {*verbs} | _ADDRESSED:
        words = words[1:]
    at = words.index("if") if "if" in words else 0
    start = next((start for start in range(at) if english().runs.get(tuple(words[start : at + 1])) == (WANT,)), at)
    if start == at:
        return words
    if words[at + 1] == "you":
        order = next((verb for verb in sorted(verbs) if words[at + 2] in past_forms(verb)), None)
        return [*words[:start], order, *words[at + 3 :]] if order else words
    state = next((i for i in range(at + 1, len(words)) if words[i] in ("was", "were") or words[i] in _STOPS), at)
    return [*words[:state], "is", *words[state + 1 :]] if words[state] in ("was", "were") else words


def _is_apposition(run: tuple[str, ...], before: Sequence[str], after: Sequence[str], verbs: Collection[str]) -> bool:
    """Return whether words such as "both of them" repeat what is named before them."""
    is_behind = bool(before) and before[0] not in GRAMMAR | BEING | {WANT, *verbs, "and", "then", "but", ".", ":"}
    return (
        is_behind
        and len(run) > 1
        and english().runs.get(run) in (("them",), ("it",))
        and bool(_BEGINNING & {*after} - {"and"})
    )


def _in_order(words: list[str]) -> list[str]:
    """Return words with "the milk should be" in the place of "could the milk stand"."""
    begins = words[:1] in (["could"], ["can"], ["should"], ["may"], ["might"]) and words[1] in (
        "the",
        "my",
        "all",
        "both",
    )
    phrase = list(takewhile(lambda word: word not in _BEGINNING and word not in _RESTING, words[1:])) if begins else []
    rest = words[len(phrase) + 1 :]
    return [*phrase, SHOULD, *rest[1:]] if phrase and rest[0] in _RESTING else words


def _spelled_out(token: str, after: str) -> tuple[str, ...]:
    """Return the words of a short form before the word `after`: "the bread's gone" is "the bread is gone"."""
    known = english()
    if token == "its" and after in known.participles:
        return "it", "is"
    if token in _SLIPS and after in _SLIPS[token][1]:
        return (_SLIPS[token][0],)
    if token == "an" and after in ("the", "my", "your", "then", "it", "a"):
        return ("and",)  # "the cup an the mug"
    if token.endswith("'s") and token not in known.contractions and after in known.participles:
        return token.removesuffix("'s"), "is"
    return known.contractions.get(token, (token,))


def _drop_comma(out: list[str]) -> None:
    """Remove a comma at the begin, and one before another punctuation mark."""
    if out[-2:-1] == [","] and out[-1] in _BEGINNING - {"and", "then", "but", "so"}:
        del out[-2]
    if out == [","]:
        out.pop()


def _is_toward(words: Sequence[str], at: int) -> bool:
    """Return whether a word says no more than the place behind it: "back in the fridge", unlike "the right in …"."""
    return words[at] in english().toward and words[at + 1] in _TOWARD and (at == 0 or words[at - 1] != "the")


def _begins_clause(words: Sequence[str], at: int, before: str, verbs: Collection[str]) -> bool:
    """Return whether a clause begins at a position in spite of no punctuation mark.

    Args:
        words: The words and punctuation marks.
        at: The position.
        before: The word before it.
        verbs: The verbs of the world.
    """
    word, after, last = words[at], words[at + 1 : at + 2], words[at + 2 : at + 3]
    asks = word in _ASKING and after == ["you"] and before in _ENDING
    if (before in _GOES_ON and not asks) or not after or not last:
        return False
    if word == "only":
        return not {"stay", "stays", "is"}.isdisjoint(words[at + 2 : at + 6])  # "only the lemon can stay"
    if word in ("it", "they") and before not in verbs and _is_duty(words[at + 1 : at + 4]):
        return True
    if word == "so":
        return after[0] in verbs or (after[0] in _ASKING and last[0] == "you")
    if word in _ASKING and after[0] == "you":
        return last[0] not in _BEGINNING
    if (word, after[0]) in _STATING:
        return last[0] not in _BEGINNING
    if word in ("i", "we") and after[0] in ("want", "need", "have"):
        return [*last] == ["to"]  # "… the salt i want to start cooking"
    return word in verbs and after[0] in ("it", "them")


def _is_duty(words: Sequence[str]) -> bool:
    """Return whether words begin with "should be", "goes" and the like."""
    return any(tuple(words[:length]) in spoken("duties") for length in range(1, len(words) + 1))


def without_manners(words: tuple[str, ...]) -> tuple[str, ...]:
    """Remove polite words at the begin and at the end of a clause."""
    known = english()
    changed = True
    while changed and words:
        changed = False
        for length in range(min(_LONGEST, len(words)), 0, -1):
            if words[:length] in known.openings:
                words, changed = words[length:], True
                break
        for length in range(min(_LONGEST, len(words)), 0, -1):
            if words[-length:] in known.closings:
                words, changed = words[:-length], True
                break
    return words


def frames_of(head: str, variants: Sequence[Variant], *, is_placing: bool) -> Iterator[Variant]:
    """Yield the elements of a phrase of a world in the other frames of English, each once.

    Args:
        head: The first verb of the phrase, whose synonyms stand for all of its verbs.
        variants: The elements of the phrase, whose first one is a set of verbs; a phrase that begins with a slot is a
            state, such as "{liquid} is hot".
        is_placing: Whether a place says all that is wanted: "I want the cup in the pan" does not want it warm.
    """
    made: dict[Variant, None] = {}
    for variant in variants:
        if isinstance(variant[0], frozenset):
            others = variant[0].union(english().verbs.get(head, ()))
            made |= dict.fromkeys(_orders(variant, others))
            made |= dict.fromkeys(_wishes(variant, others, is_placing))
        else:
            made |= dict.fromkeys(_states(variant))
    yield from (variant for variant in made if variant not in variants)


def _orders(variant: Variant, others: frozenset[str]) -> Iterator[Variant]:
    """Yield an order with other verbs and with particles: "stick the cup on the table", "wipe down the table"."""
    verbs, *rest = variant
    if others != verbs:
        yield (others, *rest)
    if len(rest) == 2 and any(not isinstance(each, str) and each <= _AWAY for each in rest):
        yield (others, *rest[::-1])  # "switch off the oven" is "switch the oven off"
    if not rest or not isinstance(rest[0], str):
        return
    for particles, taking in _by_particles(others).items():
        yield (taking, particles, *rest)
        yield (taking, rest[0], particles, *rest[1:])


def _wishes(variant: Variant, others: frozenset[str], is_placing: bool) -> Iterator[Variant]:
    """Yield the frames of an order whose verb is followed by a thing, or by "me" and a thing."""
    rest = variant[1:]
    if rest[:1] == (frozenset({"me"}),):
        yield (frozenset({WANT}), *rest[1:])  # "I want the cup"
        yield (frozenset({WANT}), frozenset({"i"}), frozenset({"get", "have"}), *rest[1:])  # "make sure I get the cup"
    at = next((at for at, element in enumerate(rest) if isinstance(element, str)), -1)
    if at < 0 or any(not rest[i] <= _every_particle() for i in range(at)):  # type: ignore[operator]
        return
    thing, behind = rest[at], rest[at + 1 :]
    being, wanting = BEING, frozenset({WANT})
    done = frozenset(form for verb in others for form in past_forms(verb))
    doing = frozenset(form for verb in others for form in gerunds(verb))
    particles = tuple(rest[:at])
    tails = [(*particles, *behind)] + [(words, *behind) for words in _by_particles(others)] * (not particles)
    for tail in tails:
        yield (thing, being & {SHOULD}, done, *tail)
        yield (wanting | {"get", "have"}, thing, done, *tail)
        yield (wanting, thing, being, done, *tail)
        yield (thing, english().needs, doing, *tail)
        if not any(isinstance(element, str) for element in tail):
            yield (thing, done, *tail)  # "the table wiped, please"
    if not is_placing or not behind or isinstance(behind[0], str) or not behind[0] & PLACING:
        return
    where = (behind[0] & PLACING, *behind[1:])
    yield (wanting, thing, *where)
    yield (wanting, thing, being, *where)
    yield (thing, frozenset({SHOULD, "go"}), *where)
    yield (*where, thing, being & {SHOULD})
    yield (*where, others | {SHOULD}, thing)
    for words, taking in _by_particles(others).items():
        yield (*where, taking, words, thing)  # "in the bowl, put down the block"
    yield (*where, wanting, thing)
    yield (*where, frozenset({"with"}), thing)


def _states(variant: Variant) -> Iterator[Variant]:
    """Yield the frames of a state such as "{door} is open"."""
    thing, _, *behind = variant
    yield (thing, BEING & {SHOULD}, *behind)
    yield (thing, BEING & {SHOULD}, frozenset({"left", "kept"}), *behind)
    yield (frozenset({WANT}), thing, *behind)
    yield (frozenset({WANT}), thing, BEING, *behind)
    if not any(isinstance(element, str) for element in behind):
        yield (thing, *behind)  # "the fridge open, please"
    yield (frozenset({"keep", "leave", "get", "make", "have"}), thing, *behind)


def _by_particles(verbs: Iterable[str]) -> dict[frozenset[str], frozenset[str]]:
    """Return the verbs that take the same particles, by these."""
    found: dict[frozenset[str], frozenset[str]] = {}
    for verb in sorted(verbs):
        if particles := english().particles.get(verb):
            found[particles] = found.get(particles, frozenset()) | {verb}
    return found


@lru_cache(maxsize=1)
def _every_particle() -> frozenset[str]:
    return frozenset().union(*english().particles.values())
