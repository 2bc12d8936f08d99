"""Statements among the words of a sentence: what is said beside a wish, and asks for nothing.

"My parents are coming", "before they get home", "because I need it". A statement has a subject and a verb of a closed
list, which stands in ``english.yaml``; so what is not surely a statement is none. Which statements may be left out is
decided later, in `remarks`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from graftwork.language.offline.frames import BEING, SHOULD, WANT, english, runs, tables as every_table
from semantics.words.english import GRAMMAR, THINGS, past_forms

STOPS = frozenset({",", ".", ";", ":", "!", "?"})
_JOINTS = STOPS | {"and"}
_MOST_SUBJECT = 5
_OWN = frozenset({"my", "our", "his", "her", "their"})
"""Whose thing something is for, which is no thing to look for: "for my coffee"."""
_PERSONS = frozenset({"i", "we", "he", "she", "they"})
_ARRIVED = frozenset({"back", "home", "here", "up", "awake"})


_CONDITIONS = frozenset({"when", "once", "after", "if", "until", "as"})
_UNNAMED = frozenset({"something", "somebody", "someone"})


NO_WISH = BEING.union({WANT}, every_table()["no_wish"].split())
"""Words without which a thing and a place may be a wish by themselves."""

STATING = frozenset({"i", "we", "he", "she", "somebody", "someone", "my", "where", "which", WANT})
"""Words with which a statement may begin also where the sentence goes on from a wish."""


PRONOUNS = frozenset({"it", "they"})
"""Subjects of which nothing is wished by "is": "the glass should go back, it is cracked"."""


@cache
def tables() -> Mapping[str, frozenset[str]]:
    """Return the words of each table of ``remarks`` in ``english.yaml``; what they mean is said there."""
    return {name: frozenset(words.replace(",", " ").split()) for name, words in english().remarks.items()}


@cache
def phrases(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the runs of words of such a table, in order."""
    return tuple(runs(english().remarks[name]))


def remark_at(tokens: Sequence[str], at: int, verbs: Collection[str], *, at_begin: bool) -> int:
    """Return where a remark ends that begins at a position; the position itself if none does.

    Args:
        tokens: The words and punctuation marks of a sentence; the last one is a full stop.
        at: The position.
        verbs: The verbs of the world, with which no subject begins.
        at_begin: Whether a clause begins there; in the middle of one only a reason or a time can be a remark.
    """
    if (end := _time_or_purpose(tokens, at, verbs)) > at:
        return end
    for words in phrases("reasons"):
        start = at + len(words)
        if tuple(tokens[at:start]) != words:
            continue
        if words[0] in ("because", "since") and tokens[start] == WANT:
            return _end(tokens, start, verbs)  # "because I need it"
        if (at_begin or words[0] not in ("as", "where", "which", "who")) and _is_statement(tokens, start, verbs):
            return _end(tokens, start, verbs)
    return _statement_at(tokens, at, verbs) if at_begin else at


def _statement_at(tokens: Sequence[str], at: int, verbs: Collection[str]) -> int:
    end = _end(tokens, at, verbs)
    said = tokens[at:end]
    if SHOULD in said[1:] and (said[-1] == "somewhere" or said[-2:] in (["around", "here"], ["about", "here"])):
        return end  # "it must be around here somewhere"
    if _is_without_subject(tokens, at) or (tokens[at] == WANT and tokens[end - 1] in tables()["somewhere"]):
        return end  # "done with the cup", "there is something I need", "there should be a cup somewhere"
    if tuple(tokens[at : at + 2]) == (WANT, "to"):
        return _own_purpose(tokens, at, verbs)
    return end if _is_statement(tokens, at, verbs) else at


def _is_without_subject(tokens: Sequence[str], at: int) -> bool:
    """Return whether "done with …" or "there is something …" begins at a position."""
    is_spent = tokens[at] in tables()["spent"] and tokens[at + 1] == "with" and tokens[at - 1] not in _CONDITIONS
    return is_spent or (tuple(tokens[at : at + 2]) == ("there", "is") and tokens[at + 2] in _UNNAMED)


def _end(tokens: Sequence[str], at: int, verbs: Collection[str], joints: Collection[str] = STOPS) -> int:
    """Return the end of a clause; "and" ends it if a clause follows, and not in "the bread and the milk are old"."""
    start = at
    while tokens[at] not in joints and not (tokens[at] == "and" and _stands_alone(tokens, at)):
        if at > start + 1 and _begins_order(tokens, at, verbs):
            break
        at += 1
    return at


def _begins_order(tokens: Sequence[str], at: int, verbs: Collection[str]) -> bool:
    """Return whether an order follows without a punctuation mark: "the bread is old put it in the bin"."""
    known, before = tables(), tokens[at - 1]
    if tokens[at] == "so":
        return tokens[at + 1] in verbs or tokens[at + 1] in known["subjects"] | known["owners"] | {WANT, "please"}
    follows = tokens[at + 1] in known["owners"] or tokens[at + 1] in ("it", "them", "me", "all", "every", "both")
    return tokens[at] in verbs and follows and before not in known["subjects"] | known["adverbs"] | known["auxiliary"]


def _stands_alone(tokens: Sequence[str], at: int) -> bool:
    """Return whether the words behind "and" are more than a part of the statement before it."""
    return tokens[at + 1] not in STOPS and tokens[at + 2] not in STOPS


def _time_or_purpose(tokens: Sequence[str], at: int, verbs: Collection[str]) -> int:
    """Return the end of "before they get home" and of "for breakfast"; `at` if there is neither."""
    for words in phrases("deadlines"):
        start = at + len(words)
        if tuple(tokens[at:start]) == words and (end := _deadline(tokens, start, words, verbs)) > start:
            return end
    is_meanwhile = tokens[at] == "while" and tokens[at + 1] in _PERSONS
    if is_meanwhile and {*tokens[:at]}.isdisjoint(tables()["searching"] | {"hold", "keep", "leave"}):
        return _end(tokens, at, verbs)  # "while I finish this phone call", unlike "hold it while I …"
    if tokens[at] == "to" and (end := _aim(tokens, at, verbs)) > at:
        return end
    return _purpose(tokens, at, verbs) if tokens[at] == "for" else at


def _aim(tokens: Sequence[str], at: int, verbs: Collection[str]) -> int:
    """Return the end of "to recover" and of "to cut the bread" in a wish for a thing; `at` if it may be a job."""
    start = at
    while start and tokens[start - 1] not in STOPS and not (tokens[start - 1] == "and" and tokens[start] in verbs):
        start -= 1
    clause, verb, owned = tokens[start:at], tokens[at + 1], tables()["owners"] | {"it", "them"}
    is_mine = "me" in clause[1:-1]
    is_thing = not {*clause[-3:]} & (THINGS | {"one"}) and len(clause) > 1 and clause[-1] not in GRAMMAR | {WANT}
    is_work = verb in verbs and verb not in tables()["kept"] and (is_mine or tokens[at + 2] in owned)
    if not is_thing or not (is_mine or WANT in clause) or not (is_work or verb in english().aims):
        return at
    end = next(end for end in range(at + 1, len(tokens)) if tokens[end] in _JOINTS)
    ends = tokens[end] != "and" or tokens[end + 1] in verbs or tokens[end + 1] in (WANT, "then", "please")
    return end if ends else at


def _own_purpose(tokens: Sequence[str], at: int, verbs: Collection[str]) -> int:
    """Return the end of "I want to take a pill" (so …); `at` where it may say what is to be done."""
    end = _end(tokens, at, verbs)
    return end if end > at + 2 and (tokens[at + 2] not in verbs or tokens[end] == ":") else at


def _purpose(tokens: Sequence[str], at: int, verbs: Collection[str]) -> int:
    """Return the end of "for breakfast" and "for the salad"; `at` if there is none, as in "wait for the guests"."""
    start = next((start for start in range(at, 0, -1) if tokens[start - 1] in STOPS), 0)
    if not tables()["searching"].isdisjoint(tokens[start:at]):
        return at
    for end in range(at + 2, min(at + 5, len(tokens))):
        ends = tokens[end] in _JOINTS or tokens[end] == WANT or tokens[end] in verbs
        if ends and (tokens[end - 1] in english().purposes or tokens[at + 1] in _OWN):
            return end
    return at


def _deadline(tokens: Sequence[str], at: int, words: tuple[str, ...], verbs: Collection[str]) -> int:
    """Return the end of "dinner", "they get home" and "it gets warm" behind "before"; `at` if there is none."""
    known, end = tables(), _end(tokens, at, (), _JOINTS)
    rest = tokens[at:end]
    if rest and rest[-1] in known["occasions"] and len(rest) <= 3 and words != ("when",):
        return end if words != ("after",) or tokens[end] == ":" else at  # "After the party: …" is a heading
    if words == ("after",):
        return at
    if (
        words == ("before",)
        and tokens[at] in PRONOUNS | {"that"}
        and tokens[at + 1] in known["spoiling"]
        and len(rest) < 5
    ):
        done = {form for verb in verbs for form in past_forms(verb)}
        return end if done.isdisjoint(rest) else at  # "before it gets washed" says an order
    verb = _verb_behind(tokens, at, end)
    is_theirs = verb > at and tokens[at] not in ("you", "it", "this", "that", "there")
    # What is to be done "when I come back" is done then, and what is to be so may be made so at once.
    is_due = words != ("when",) or not {WANT, "should"}.isdisjoint(tokens[:at])
    arrives = tokens[verb] in known["arriving"] and (
        tokens[verb] not in ("are", "is", "am") or tokens[end - 1] in _ARRIVED
    )
    return end if is_theirs and is_due and arrives and end - verb <= 3 else at


def _verb_behind(tokens: Sequence[str], at: int, end: int, orders: Collection[str] = ()) -> int:
    """Return the index of the verb behind a subject that begins at a position; the position if there is no subject.

    "First put the cup left of the plate" has none: a verb of `orders` stands in what has no determiner.
    """
    known, start = tables(), at
    if tokens[at] in known["subjects"] and tokens[at + 1] in known["verbs"] | known["adverbs"] | known["arriving"]:
        at += 1
    elif tokens[at] in known["subjects"] and tokens[at] not in known["owners"]:
        return at + 1 if _may_be_verb(tokens[at], tokens[at + 1], orders) else start
    else:
        is_owned = tokens[at] in known["owners"]
        at += is_owned
        first = at
        while at < min(end, first + _MOST_SUBJECT) and tokens[at] not in (known["verbs"] | known["arriving"]) - {"can"}:
            # A subject is a noun phrase without a description behind it.
            if tokens[at] in GRAMMAR - {"of", "and", "the", "a"} | known["subjects"] | known["never"]:
                return start
            at += 1
        if at == first or (not is_owned and not set(orders).isdisjoint(tokens[first:at])):
            return start
    while at < end and tokens[at] in known["adverbs"]:
        at += 1
    return at if at < end else start


def _may_be_verb(subject: str, word: str, orders: Collection[str]) -> bool:
    """Return whether a word is a verb of a subject, though no list has it: "it wastes power", "I slept badly"."""
    is_verb = subject in ("i", "we", "he", "she") or word.endswith("ed" if subject != "it" else ("s", "ed"))
    return is_verb and word not in {*GRAMMAR, *tables()["never"], *tables()["no_past"], *orders}


def _is_statement(tokens: Sequence[str], at: int, verbs: Collection[str]) -> bool:
    known, end = tables(), _end(tokens, at, verbs)
    if end - at < 3 or (tokens[at] in verbs and tokens[at] not in known["subjects"] | known["owners"]):
        return False
    verb = _verb_behind(tokens, at, end, verbs)
    in_place = (["in", "the"], ["on", "the"])
    plain = {word for i, word in enumerate(tokens[at:end], at) if tokens[i - 2 : i] not in in_place}
    if verb == at or not known["never"].isdisjoint(plain) or tokens[end - 1] in ("enough", "too", "also"):
        return False
    subject, word = tokens[at], tokens[verb]
    is_person = subject in known["subjects"] - {"it", "this", "that", "these", "those", "there", "you"}
    if word not in known["verbs"] and not _may_be_verb(subject, word, verbs):
        return False
    if word in ("like", "likes", "love") and tokens[verb + 1] in ("it", "them"):
        return False  # "I like it hot" may be a wish
    if subject == "you" and word != "are" and word != "is":
        return False
    return is_person or word not in known["personal"] or tokens[verb + 1] == "not"


def unnumbered(text: str) -> str:
    """Return text with words of order for the numbers of a list: "1. Open the fridge. 2. Take out the milk."."""
    if not re.match(r"\s*1[.)]\s", text):
        return text
    return re.sub(r"(?:^|[.;,]?\s+)(\d{1,2})[.)]\s+", lambda each: "" if each[1] == "1" else ". Then ", text)
