"""Reads stop, wait and go on from a person's words by rule, so that no model is needed for them and none delays them.

A line is split into clauses, and a clause into words without fillers ("please", "now"). What is left is compared with
the phrases in ``interruption.yaml``: a command is a phrase, perhaps after an opening ("could you", "I want you to") and
before words that only go on about it ("moving", "right there"). The longest line takes time in proportion to its
length.

While something moves, a doubtful clause is a stop, since a missed stop does more harm than a needless one. "Go on" is
never read in doubt, because it lets the robot move.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace

import yaml


class Interruption(StrEnum):
    """What a person's words ask of the motion that runs."""

    STOP = "stop"
    WAIT = "wait"
    GO_ON = "go_on"


LONGEST = 2_000  # number of characters that are read: of a longer line, its beginning and its end

Words = tuple[str, ...]


def _tables() -> SimpleNamespace:
    """Return the lists of ``interruption.yaml``: sets of words, and phrases by their first word, the longest first."""
    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    lists: dict[str, str] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return SimpleNamespace(**{name: _phrases(said) if "," in said else {*said.split()} for name, said in lists.items()})


def _phrases(text: str) -> Mapping[str, Sequence[Words]]:
    phrases = sorted((tuple(phrase.split()) for phrase in text.split(",")), key=len, reverse=True)
    return {first: [phrase for phrase in phrases if phrase[0] == first] for first in {phrase[0] for phrase in phrases}}


_SAID = _tables()
Clause = Sequence[str]


def interruption_in(words: str, *, asked: bool = False, moves: bool = False) -> Interruption | None:
    """Return what words ask of the motion that runs; None if they ask for something else.

    Args:
        words: The words of a person.
        asked: Whether a question to the person is open, so that "no" is an answer.
        moves: Whether something moves, so that a doubtful line is a stop.
    """
    if len(words) > LONGEST:
        words = f"{words[: LONGEST // 2]}\n{words[-LONGEST // 2 :]}"
    clauses = list(_clauses(words))
    # "No, wait" takes back what was said, and "no, don't stop" agrees: neither ends anything.
    calm = [after[:1] == ["wait"] or any(after and _at(_SAID.calm, after, 0)) for after in [*clauses[1:], ()]]
    kept = [each for each, is_calm in zip(clauses, calm, strict=False) if not (is_calm and set(each) == {"no"})]
    found = {_read(clause, asked, moves) for clause in kept}
    alarms = [clause for clause in kept if moves and not _read(clause, asked, moves) and _is_alarm(clause, asked)]
    if alarms and not _object(alarms, kept):
        return Interruption.STOP
    return next((kind for kind in Interruption if kind in found), None)


def without_go_on(words: str) -> str:
    """Return the clauses that say more than "all right, go on"; empty if there are none."""
    parts = re.split(r"(?<=[,.;:!?])\s", words)
    more = [part for part in parts if any(not _SAID.opening.issuperset(clause) for clause in _clauses(part))]
    return " ".join(part for part in more if interruption_in(part) is not Interruption.GO_ON)


def is_chat(words: str) -> bool:
    """Return whether words praise, chat, or speak of afterwards."""
    return any(not _SAID.harmless.isdisjoint(clause) for clause in _clauses(words[:LONGEST]))


def takes_back(words: str, about: Set[str] = frozenset()) -> bool:
    """Return whether words that are no command may take back or change what is under way.

    In doubt they do: what speaks of the work, and neither asks nor praises nor puts off, holds it needlessly at worst.

    Args:
        words: The words of a person.
        about: Words for the things that the work is about.
    """
    clauses = list(_clauses(words[:LONGEST]))
    alarms = [clause for clause in clauses if _is_alarm(clause, asked=False)]
    if any(_changes(clause) for clause in clauses) or (alarms and _object(alarms, clauses)):
        return True
    doubtful = [clause for clause in clauses if not any(_at(_SAID.calm, clause, 0))]
    said = {word for clause in doubtful for word in clause}
    asks = any(clause[0] in _SAID.asking for clause in clauses)  # a question mark alone may only ask for assent
    if asks or interruption_in(words) is Interruption.GO_ON:
        return False
    whole = _clauses(words[:LONGEST], _SAID.fillers - _SAID.correcting.keys())
    wishes = (clause[len(phrase) :] for clause in (*clauses, *whole) for phrase in _at(_SAID.correcting, clause, 0))
    corrects = any(wish[:1] not in (["to"], ["you"]) for wish in wishes)
    unsure = not said & _SAID.harmless and (corrects or bool(said & _SAID.about_the_work))
    return unsure or any(_states(clause, about) for clause in doubtful)


def _states(clause: Clause, about: Set[str]) -> bool:
    """Return whether a clause says how the work or one of its things is, and neither praises nor chats."""
    ahead = max((len(phrase) for phrase in _at(_SAID.stating, clause, 0)), default=0)
    said = set(clause[ahead : ahead + 3] if ahead else clause)
    praise = _SAID.harmless - {"bad"} if _SAID.denying.isdisjoint(said) else {"bad"}
    return (ahead > 0 or not about.isdisjoint(clause)) and praise.isdisjoint(said)


def _changes(clause: Clause) -> bool:
    begin = next((at for at, word in enumerate(clause) if word not in _SAID.before_a_change), 0)
    begins = clause[-1] in _SAID.ending or any(
        phrase for at in {0, begin} for phrase in _at(_SAID.taken_back, clause, at)
    )
    return begins or any(phrase for at in range(len(clause)) for phrase in _at(_SAID.taken_back_anywhere, clause, at))


def _read(clause: Clause, asked: bool, moves: bool) -> Interruption | None:
    """Read one clause."""
    for start, word in enumerate(clause):
        command = max(
            ((kind, phrase) for kind, phrases in COMMANDS for phrase in _at(phrases, clause, start)),
            key=lambda match: len(match[1]),
            default=None,
        )
        if command is not None:
            kind, phrase = command
            rest = clause[start + len(phrase) :]
            belongs = _SAID.about_going_on if kind is Interruption.GO_ON else _SAID.about_it
            if belongs.issuperset(rest) or (rest == clause[start : start + len(phrase)] and rest):
                return None if asked and phrase[0] == "go" else kind
            if moves and phrase[0] in _SAID.verbs:
                return None if rest[0] in _SAID.of_something_else and _SAID.own.isdisjoint(rest) else Interruption.STOP
            if moves and phrase[0] in _SAID.waiting and not asked and rest[0] not in _SAID.of_something_else:
                return Interruption.WAIT
        if word not in _SAID.opening:
            break
    return None


def _object(alarms: Sequence[Clause], clauses: Sequence[Clause]) -> bool:
    """Return whether clauses raise no alarm but an objection, and say of what: this is held, and not ended."""
    calm = [clause for clause in clauses if any(_at(_SAID.calm, clause, 0)) or _read(clause, asked=False, moves=False)]
    said = {word for clause in clauses if clause not in calm for word in clause}
    said -= _SAID.about_it | _SAID.opening | _SAID.objecting
    bare = all(_SAID.objecting.issuperset(clause) for clause in alarms)  # "no, the banana", but not "don't touch that"
    return len(said) > (not bare) and _SAID.objecting.issuperset(clause[0] for clause in alarms)


def _is_alarm(clause: Clause, asked: bool) -> bool:
    """Return whether a clause that is no command is better taken as one to stop."""
    if len(clause) == 1 and clause[0] in _SAID.other_words and _is_near(clause[0], "stop"):
        return not asked
    if any(_at(_SAID.calm, clause, 0)):
        return False
    if clause[-1] in _SAID.verbs and _SAID.not_meant.isdisjoint(clause):
        return True
    return not asked and any(_at(_SAID.alarm, clause, 0))


COMMANDS = ((Interruption.STOP, _SAID.stop), (Interruption.WAIT, _SAID.wait), (Interruption.GO_ON, _SAID.go_on))


def _at(phrases: Mapping[str, Sequence[Words]], clause: Clause, start: int) -> Iterator[Words]:
    """Yield the phrases that stand at a place of a clause."""
    for phrase in phrases.get(clause[start], ()):
        if tuple(clause[start : start + len(phrase)]) == phrase:
            yield phrase


def _clauses(line: str, fillers: Set[str] = _SAID.fillers) -> Iterator[Clause]:
    """Yield the clauses of a line that have a word which is no filler."""
    text = unicodedata.normalize("NFKC", line).casefold()
    text = re.sub("[\N{OCTAGONAL SIGN}\N{NO ENTRY}\N{RAISED HAND}]", " stop ", text)
    text = re.sub("['\u2018\u2019`]", "", text)
    for part in re.split(r"[^\w\s-]|\s-|\n|\bbecause\b", text):
        words = [_spelled(word) for word in _joined(re.findall(r"[^\W_]+", part))]
        words = " ".join(words).replace("do not", "dont").replace("the robot", "robot").split()
        if clause := [word for word in words if word not in fillers]:
            yield clause


def _joined(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, with letters that stand alone joined to one word, as in "s t o p"."""
    letters = ""
    for word in (*words, ""):
        if len(word) == 1:
            letters += word
            continue
        if letters:
            yield from [letters] if len(letters) > 3 else letters
        letters = ""
        if word:
            yield word


def _spelled(word: str) -> str:
    """Return the command that a word is meant to be, such as "stop it" for "stooopit"; else the word."""
    word = re.sub(r"(.)\1\1+", r"\1", word)
    for verb in ("stop", "wait", "halt"):
        if word.startswith(verb) and word[len(verb) :] in ("it", "that", "now", "please", "p"):
            return f"{verb} {word[len(verb) :]}"
    if len(word) < 3 or word in _SAID.other_words or word in _SAID.spelled:
        return word
    return next((meant for meant in sorted(_SAID.spelled) if _is_near(word, meant)), word)


def _is_near(word: str, meant: str) -> bool:
    """Return whether two words differ by one letter: wrong, missing, additional, or exchanged with its neighbour."""
    short, long = sorted((word, meant), key=len)
    if len(long) - len(short) > 1:
        return False
    begin = next((index for index, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[begin:] == long[begin + 1 :]
    exchanged = short[begin : begin + 2] == long[begin : begin + 2][::-1] and short[begin + 2 :] == long[begin + 2 :]
    return exchanged or short[begin + 1 :] == long[begin + 1 :]
