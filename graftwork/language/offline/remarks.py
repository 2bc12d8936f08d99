"""Remarks: what a person says beside a wish, such as "my parents are coming" and "before they get home".

A remark is a statement with a subject and a verb of a closed list, in ``english.yaml``. It asks for nothing; it is left
out and told. What could take something back is no remark: a condition, an exception, a duty, a wish, a denial behind
the wish, and a statement about things among which the wish leaves a choice. "Leave the lemon where it is" is one as
well: all the fruit is then the other fruit.

The things that a remark names can be what a later "it" stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from graftwork.language.offline.clause import Clause, MeaningfulClause, Remark
from graftwork.language.offline.clauses import Placed
from graftwork.language.offline.frames import PLACING, SHOULD, WANT, english
from graftwork.language.offline.patterns import said
from graftwork.language.offline.referents import Referent
from graftwork.language.offline.segments import Segment
from graftwork.language.offline.slots import Slots
from graftwork.language.offline.statements import phrases, tables
from semantics.words.english import GRAMMAR, noun_phrase

_NAMED = frozenset({"it", "them", "they"})
"""Pronouns that are no determiners as well."""


def asides_of(segments: Sequence[Segment], slots: Slots) -> dict[tuple[str, ...], Remark]:
    """Return the segments that may be remarks, by their words.

    A mere name is one as well where a pronoun follows, as in "the white block, stick it on the red one".
    """
    asides: dict[tuple[str, ...], Remark] = {}
    for at, segment in enumerate(segments):
        words = segment.words
        is_heading = segment.announces and PLACING.isdisjoint(words[:2])
        if segment.is_statement or (is_heading and tables()["never"].isdisjoint({*words} - {WANT, SHOULD})):
            asides[words] = Remark(words, tuple(_things(words, slots)))
        elif at + 1 < len(segments) and _NAMED & {*segments[at + 1].words} and not _NAMED & {*words}:
            core = _taken(words)
            referent = slots.referent(core, None, ())
            if not referent.doubts and (core != words or noun_phrase(words).head != words):
                asides[words] = Remark(words, (referent,), ((referent,), ()))
    return asides


def _taken(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is only taken up: "the glass" of "take the glass" and "put the glass away"; else the words."""
    known = tables()
    end = len(words) - (words[-1] in known["upward"])
    if words[0] in known["taking"] and len(words) > 2:
        start = next((at for at in range(1, end) if words[at] not in known["upward"]), end)
        return words[start:end]
    return words[1:end] if words[0] in known["tidying"] and end < len(words) else words


def _things(words: tuple[str, ...], slots: Slots) -> Iterator[Referent]:
    """Yield the referent of each noun phrase that is understood; adjectives that nobody knows are left out."""
    names, owners, at = slots.names, tables()["owners"], 0
    while at < len(words) - 1:
        if words[at] in ("something", "anything") and words[at + 1] in PLACING:
            yield slots.referent(("the", "thing", *words[at + 1 : at + 4]), None, ())  # in doubt if there are several
        end = next(
            (
                end
                for end in range(min(at + 5, len(words)), at + 1, -1)
                if words[at] in owners
                and names.knows(" ".join(words[end - 1 : end]))
                and _is_plain(words[at + 1 : end - 1])
            ),
            at,
        )
        if end == at:
            at += 1
            continue
        core = tuple(word for word in words[at + 1 : end - 1] if names.traits.knows(word) or names.lexicon.knows(word))
        referent = slots.referent(("the", *core, words[end - 1]), None, ())
        if referent.doubts and words[end : end + 1] and words[end] in PLACING:
            referent = slots.referent(("the", *core, *words[end - 1 : end + 3]), None, ())  # "my cola on the table"
        referent = referent if not referent.doubts else slots.referent(("the", words[end - 1]), None, ())
        yield replace(referent, words=f"the {words[end - 1]}" if referent.doubts else said(words[at:end]))
        at = end


def _is_plain(words: Iterable[str]) -> bool:
    return GRAMMAR.isdisjoint(words) and tables()["verbs"].isdisjoint(words)


def without_remarks(
    placed: Sequence[Placed], asides: Mapping[tuple[str, ...], Remark], slots: Slots
) -> tuple[tuple[Placed, ...], tuple[str, ...]]:
    """Return the clauses that are no remarks, and a note for each remark; a remark that may mean more stays.

    Args:
        placed: The clauses with their segments.
        asides: The segments that may be remarks, by their words.
        slots: Resolves names.
    """
    asked = [clause for clause, parts in placed if isinstance(clause, MeaningfulClause) and not parts[0].is_statement]
    if asked:  # beside a wish, "I am thirsty" is none by itself
        placed = [
            (asides.get(parts[0].words, clause) if parts[0].is_statement else clause, parts) for clause, parts in placed
        ]
    wishes = [clause for clause, _ in placed if isinstance(clause, MeaningfulClause)]
    if not wishes:
        others = tuple((clause, parts) for clause, parts in placed if not isinstance(clause, Remark))
        return others or tuple(placed), ()
    changed: dict[Clause, MeaningfulClause] = {}
    notes: list[str] = []
    kept: list[Placed] = []
    for at, (clause, parts) in enumerate(placed):
        text = said(clause.words)
        spared = None if isinstance(clause, MeaningfulClause) else _spared(clause.words, slots, wishes)
        if spared is not None and (left := _sparing(spared, [changed.get(wish, wish) for wish in wishes])) is not None:
            changed |= dict(zip(wishes, left, strict=True))
            notes.append(f"'{text}': {' and '.join(sorted(spared))} is left out.")
        elif isinstance(clause, Remark) and _says_no_more(clause, wishes, placed[at + 1 :], slots):
            notes.append(f"'{text}' was taken as a remark.")
        else:
            kept.append((clause, parts))
    return tuple((changed.get(clause, clause), parts) for clause, parts in kept), tuple(notes)


def _says_no_more(remark: Remark, wishes: Sequence[MeaningfulClause], later: Sequence[Placed], slots: Slots) -> bool:
    """Return whether a statement leaves what is wished as it is."""
    known, words = tables(), remark.words
    referents = [referent for wish in wishes for referent in wish.referents.values()]
    if remark.about[0]:  # it only names what a wish behind it is about
        return any(thing in referents for thing in remark.mentioned)
    meant = {name for thing in remark.mentioned for name in thing.names}
    opened = [each for each in referents if len(each.alternatives) > 1 or (each.every and not each.names <= meant)]
    things = slots.names.vocabulary.things
    if words[0] == "to" and any(len({things[name].class_name for name in each.names}) > 1 for each in opened):
        return False  # "a drink and a snack to recover" are no others than help one to
    said_of = [word for word in words if words[0] != "for" or word not in english().purposes]
    if opened and any(_may_choose(*pair, slots) for pair in pairwise((*said_of, ""))):
        among = {name for referent in opened for name in referent.names}
        doubtful = any(thing.doubts for thing in remark.mentioned) or "one" in words or "ones" in words
        if not meant or doubtful or meant & among:
            return False
    follows = not any(isinstance(clause, MeaningfulClause) for clause, _ in later)
    denies = not {"not", "nobody", "nothing"}.isdisjoint(words)
    return (
        not (denies and follows)
        or not known["unknowing"].isdisjoint(words)
        or words[0] in ("because", "since", "where")
    )


def _may_choose(word: str, following: str, slots: Slots) -> bool:
    """Return whether words may say which things are meant: "the red one is mine"."""
    names = slots.names
    is_noun = word not in GRAMMAR and (names.knows(word) or names.knows(f"{word} {following}"))
    return word in ("one", "ones") or names.traits.knows(word) or is_noun


def _spared(words: tuple[str, ...], slots: Slots, wishes: Sequence[MeaningfulClause]) -> frozenset[str] | None:
    """Return the things that are to stay as they are: "leave the lemon where it is"; None if it says nothing so."""
    known = tables()
    words = words[1:] if words[0] in ("but", "only", "just") else words
    if len(words) < 3:
        return None
    if words[:2] == ("do", "not") and words[2:3] and words[2] in known["touching"]:
        core = words[3:]
    elif words[0] in known["leaving"]:
        end = next(
            (tail for tail in phrases("untouched") if words[-len(tail) :] == tail and len(words) > len(tail) + 1), ()
        )
        core = words[1 : -len(end)] if end else words[1:]
    elif words[-2:] in (("can", "is"), ("may", "is"), ("can", "stay"), ("may", "stay")):
        core = words[:-2]
    else:
        return None
    named = [each for wish in wishes for each in wish.referents.values() if each.every]
    referent = slots.referent(core, None, named) if core and not _NAMED & set(core) else None
    if referent is None or referent.doubts or len(referent.alternatives) != 1:
        return None
    return referent.names


def _sparing(spared: frozenset[str], wishes: Sequence[MeaningfulClause]) -> list[MeaningfulClause] | None:
    """Return the wishes without things that are to stay as they are; None if one is named in them by itself."""
    left: list[MeaningfulClause] = []
    for wish in wishes:
        referents: dict[str, Referent] = {}
        for slot, referent in wish.referents.items():
            if not referent.names & spared:
                referents[slot] = referent
                continue
            rest = referent.without(spared)
            if not referent.every or rest.names & spared:
                return None
            referents[slot] = replace(rest, every=())  # what appears later is not looked at
        left.append(replace(wish, referents=referents))
    return left
