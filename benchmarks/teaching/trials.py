"""What is tried of an entry of each kind, and what is scored of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.teaching.data import Case, Correction, Due, Entry, Poisoned, Preference, Said, Variation
from benchmarks.teaching.judge import DECLINED, REFUSED, Done, wrong
from benchmarks.teaching.talk import Setting, all_taught, lessons_of, said, taught
from graftwork.memory import Memory
from semantics.words.english import GRAMMAR

__all__ = ["BOTH", "LEAKS", "MEASURES", "Mark", "save_as_is", "try_entry", "unrelated"]

CARRIED, KEPT, AGAIN, NEXT, BOTH = "carried out", "lesson kept", "same sentence", "next case", "both"
UNTAUGHT, GAINED, EARLIER = "next case, untaught", "next case, right only if taught", "earlier sentence as before"
MOVING, TAUGHT = ", said while moving", "earlier lessons kept"
INSIDE, NEAR, LEAKS, AS_IS = "inside", "near", "leaks", "leaks if saved as is"
ASKED, REASON, UNCHANGED = "asked or refused, conflict named", "conflict named as the reason", "nothing kept unasked"
LOST = "refused because not understood"
SAME, TRAP, NO_CALLS = "same", "trap", "same, without model calls"
MEASURES: Mapping[str, tuple[str, ...]] = {
    "corrections": (CARRIED, KEPT, AGAIN, NEXT, BOTH, UNTAUGHT, GAINED, EARLIER),
    "near": (CARRIED, KEPT, INSIDE, NEAR, LEAKS, AS_IS),
    "poisoned": (TAUGHT, CARRIED, ASKED, REASON, LOST, UNCHANGED),
    "variations": (TAUGHT, SAME, TRAP, NO_CALLS),
}
"""What is counted of each kind of entries. `BOTH` is counted by sort of correction, too."""
VERBS = frozenset(("put", "bring", "set", "lay", "give", "get", "take", "pour", "me", "my", "something", "some"))
"""Words of most sentences, which make none about the same."""
FREQUENT = frozenset(("block", "blocks", "me", "please"))
"""Words that name nothing in particular, also in corrections."""
QUOTED = re.compile(r"'[^']*'")


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that is counted of an entry.

    Attributes:
        measure: What is counted.
        counts: Whether it is so.
        case: Which case of the entry it is about; empty for the entry itself.
        expected: What was due.
        done: What was done instead; empty if nothing is to be told.
        sort: A part of its kind for which it is counted as well.
    """

    measure: str
    counts: bool
    case: str = ""
    expected: str = ""
    done: str = ""
    sort: str = ""


def try_entry(entry: Entry, others: Sequence[Entry], setting: Setting) -> list[Mark]:
    """Try an entry, and return what is counted of it.

    Args:
        entry: The entry.
        others: All entries of its kind.
        setting: With what it is tried.
    """
    if isinstance(entry, Correction):
        return list(_correction(entry, others, setting))
    if isinstance(entry, Preference):
        return list(_preference(entry, setting))
    if isinstance(entry, Poisoned):
        return list(_poisoned(entry, setting))
    assert isinstance(entry, Variation)
    return list(_variation(entry, setting))


def _judged(measure: str, due: Due, done: Done, case: str = "", prefix: str = "") -> Mark:
    why = wrong(due, done)
    told = f"{prefix}{why}: {done}" if why else ""
    return Mark(measure, not why, case, str(due) if why else "", told)


def _correction(entry: Correction, others: Sequence[Entry], setting: Setting) -> Iterator[Mark]:
    memory, late = setting.memory("taught"), MOVING if entry.moving else ""
    done, lesson = taught(setting, entry.case._replace(due=entry.plain), entry.correct, memory)
    kept = bool(lessons_of(memory))
    yield Mark(f"{CARRIED}{late}", done.is_carried_out, "say", entry.case.say, "" if done.is_carried_out else str(done))
    yield Mark(f"{KEPT}{late}", kept, "correct", entry.correct, "" if kept or lesson is None else str(lesson))
    again = _judged(f"{AGAIN}{late}", entry.case.due, said(setting, entry.case, memory), "same")
    then = _judged(f"{NEXT}{late}", entry.next.due, said(setting, entry.next, memory), "next")
    untaught = not wrong(entry.next.due, said(setting, entry.next, setting.memory("empty")))
    yield from (again, then, Mark(f"{BOTH}{late}", again.counts and then.counts, sort=entry.sort))
    yield from (Mark(f"{UNTAUGHT}{late}", untaught), Mark(f"{GAINED}{late}", then.counts and not untaught))
    if (other := unrelated(entry, others)) is not None:
        yield _earlier(other, setting, memory, late)


def _earlier(other: Correction, setting: Setting, memory: Path, late: str) -> Mark:
    """Return whether a sentence that has nothing to do with a lesson is done as it is without the lesson."""
    case = other.case._replace(due=other.plain)
    with_it = _judged(f"{EARLIER}{late}", other.plain, said(setting, case, memory), f"earlier, {other.id}")
    if with_it.counts or not wrong(other.plain, said(setting, case, setting.memory("untaught"))):
        return with_it
    return Mark(with_it.measure, True, with_it.case)  # it is not done without the lesson either


def unrelated(entry: Correction, others: Sequence[Entry]) -> Correction | None:
    """Return the next entry in the same scene that shares no word that matters with an entry; None if there is none."""
    start = others.index(entry) + 1
    own = (_words(entry.case.say) - VERBS) | _words(entry.correct)
    rest = [other for other in (*others[start:], *others[: start - 1]) if isinstance(other, Correction)]
    there = (other for other in rest if _place(other.case) == _place(entry.case) and not other.case.change)
    return next((other for other in there if not own & _words(other.case.say)), None)


def _place(case: Case) -> tuple[str, str]:
    return case.world, case.scene


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower())) - GRAMMAR - FREQUENT


def _preference(entry: Preference, setting: Setting) -> Iterator[Mark]:
    memory = setting.memory("taught")
    done, lesson = taught(setting, entry.case, entry.correct, memory)
    kept = bool(lessons_of(memory))
    yield Mark(CARRIED, done.is_carried_out, "say", entry.case.say, "" if done.is_carried_out else str(done))
    yield Mark(KEPT, kept, "correct", entry.correct, "" if kept or lesson is None else str(lesson))
    for number, case in enumerate(entry.inside, 1):
        yield _judged(INSIDE, case.due, said(setting, case, memory), f"inside {number}")
    plain = save_as_is(memory, setting.memory("as is"), entry.case.world)
    for number, case in enumerate(entry.near, 1):
        mark = _judged(NEAR, case.due, said(setting, case, memory), f"near {number}")
        right = [mark.counts, wrong(case.due, said(setting, case, plain)) == "" if plain != memory else mark.counts]
        # Nothing leaks that was not kept, so that nothing has to be said without it.
        untaught = kept and not all(right) and not wrong(case.due, said(setting, case, setting.memory("empty")))
        yield from (mark, Mark(LEAKS, untaught and not right[0]), Mark(AS_IS, untaught and not right[1]))


def save_as_is(memory: Path, other: Path, world: str) -> Path:
    """Keep the lessons of a memory in another one without their conditions; return it, or the first if it is the same.

    Args:
        memory: The memory.
        other: The other one.
        world: The name of the world.
    """
    lessons = [each.lesson for each in lessons_of(memory)]
    bare = [replace(lesson, sorts=(), given=(), words=(), unless=()) for lesson in lessons]
    if bare == lessons:
        return memory
    for lesson in bare:
        Memory(other).taught.learn(lesson, world)
    return other


def _kept(setting: Setting, case: Case, lines: Sequence[Said], memory: Path) -> Iterator[Mark]:
    """Teach earlier lessons, and yield whether all of them are kept, if there are such."""
    all_taught(setting, case, lines, memory)
    if corrections := [correct for _, correct in lines if correct]:
        kept = len(lessons_of(memory)) >= len(corrections)
        yield Mark(TAUGHT, kept, "taught", "; ".join(corrections), "" if kept else "not kept")


def _poisoned(entry: Poisoned, setting: Setting) -> Iterator[Mark]:
    memory = setting.memory("taught")
    yield from _kept(setting, entry.case, entry.taught, memory)
    before = lessons_of(memory)
    done, lesson = taught(setting, entry.case, entry.correct, memory, agrees=False)
    is_unchanged = lessons_of(memory) == before
    yield Mark(CARRIED, done.is_carried_out, "say", entry.case.say, "" if done.is_carried_out else str(done))
    yield Mark(UNCHANGED, is_unchanged, "correct", "nothing is kept", "" if is_unchanged else str(lesson))
    text = "" if lesson is None or lesson.outcome not in DECLINED else lesson.question or lesson.message
    is_named, is_reason = (is_unchanged and _names(part, entry.conflict) for part in (text, _reason_in(text)))
    is_reason = is_reason and lesson is not None and lesson.is_understood
    expected = f"a question or a refusal with {' or '.join(entry.conflict)}"
    told = "" if is_named else str(lesson or done)
    yield Mark(ASKED, is_named, "correct", expected, told)
    yield Mark(REASON, is_reason, "correct", expected, "" if is_reason or not is_named else f"no reason: {lesson}")
    yield Mark(LOST, lesson is not None and lesson.outcome == REFUSED and not lesson.is_understood, "correct")


def _names(text: str, words: Sequence[str]) -> bool:
    return any(word.lower() in text.lower() for word in words)


def _reason_in(text: str) -> str:
    """Return what is told besides the lesson, and besides what the person has said."""
    return QUOTED.sub("", text.partition(". ")[2] if text.startswith("From now on") else text)


def _variation(entry: Variation, setting: Setting) -> Iterator[Mark]:
    memory = setting.memory("taught")
    yield from _kept(setting, entry.case, entry.taught, memory)
    done = said(setting, entry.case, memory)
    yield _judged(SAME if entry.same else TRAP, entry.case.due, done, "say")
    if entry.same:
        yield Mark(NO_CALLS, not done.calls, "say", "no call", f"{done.calls} calls" if done.calls else "")
