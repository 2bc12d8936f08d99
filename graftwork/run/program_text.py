"""The text of a program: reading it, and the messages about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from affordances.watcher import Watcher
from bt.correction.rehearsal import Rehearsed
from bt.document import document
from bt.programs import Routine
from graftwork.errors import ProgramFileError
from graftwork.record.recorder import number_told
from semantics.logic.atoms import Atom
from semantics.logic.goal import CheckedGoal
from semantics.logic.reply import ProgramText
from semantics.plain_text import counted
from semantics.process.reading import read_bounded

MOST_BYTES = 2_000_000  # maximum number of bytes that are read; the check has a smaller bound and says so with a place


def read_source(program: str | Path) -> ProgramText:
    """Return the source of a program from its text or its file; ``-`` is standard input.

    Raises:
        ProgramFileError: The file cannot be read, or is no text.
    """
    if isinstance(program, str):
        return ProgramText(program)
    try:
        text = read_bounded(program, MOST_BYTES, standard_input=True).decode("utf-8-sig")
    except FileNotFoundError as exc:
        raise ProgramFileError(
            program, (exc.strerror or str(exc)) if program.is_symlink() else "there is no such file"
        ) from exc
    except UnicodeDecodeError as exc:
        raise ProgramFileError(program, f"byte {exc.start + 1} is not text in UTF-8") from exc
    except OSError as exc:
        raise ProgramFileError(program, exc.strerror or str(exc)) from exc
    return ProgramText(text, program.name)


def closing(tree: Routine, watcher: Watcher) -> str:
    """Return the closing message of a program: its answer, the goals that were sensed, and those that are gone."""
    sentences, achieved = ["Done: the program came to its end."], tree.achieved
    if tree.answer is not None:
        sentences.append(f"Its answer: {tree.answer.text}.")
    if achieved:
        unsensed = unsensed_told(achieved, watcher)
        how = f"As far as is known, achieved on the way ({unsensed})" if unsensed else "Sensed when it was achieved"
        sentences.append(f"{how}: {goals_told(achieved)}.")
    if gone := _gone(achieved, watcher):
        sentences.append(f"No longer so at the end: {gone}.")
    return " ".join(sentences)


def goals_told(goals: Iterable[CheckedGoal]) -> str:
    """Return what holds of goals as text, each once, without the values that say how it was done."""
    return ", ".join(dict.fromkeys(str(goal.goal.formula) for goal in goals))


def all_told(achieved: Sequence[CheckedGoal], watcher: Watcher) -> str:
    """Return the closing message of a goal, or of goals that were reached one after the other."""
    unsensed = unsensed_told(achieved, watcher)
    how = f"holds, as far as is known; {unsensed}" if unsensed else "was sensed to hold"
    if len(achieved) < 2:
        return f"Done: the goal {how}."
    gone = _gone(achieved, watcher)
    after = f" No longer so at the end: {gone}." if gone else ""
    after = f" {unsensed[0].upper()}{unsensed[1:]}.{after}" if unsensed else after
    sensed = "were reached" if unsensed else "were sensed to hold"
    return f"Done: {counted(len(achieved), 'goal')} {sensed}, one after the other.{after}"


def unsensed_told(goals: Iterable[CheckedGoal], watcher: Watcher) -> str:
    """Return what of goals is told or assumed and not sensed; empty if all of it was sensed."""
    literals = {literal for goal in goals for conjunct in goal.conjuncts for literal in conjunct}
    by_source = watcher.sources(literals)
    return "; ".join(f"{source} and not sensed: {', '.join(map(str, facts))}" for source, facts in by_source.items())


def measured_told(watcher: Watcher, before: Mapping[Atom, float]) -> str:
    """Return sentences about the numbers that the body has measured since; amounts follow from actions."""
    domain, now = watcher.world.domain, watcher.scene.numbers
    names = domain.fluents.keys() - domain.changing_numbers
    measured = sorted(atom for atom in now if atom.predicate in names and now[atom] != before.get(atom))
    return "".join(f" {number_told(domain, atom, now[atom])}." for atom in measured)


def before_told(achieved: Sequence[CheckedGoal]) -> str:
    """Return the end of the message of goals of which one failed; empty if it was the first."""
    return f" Reached before that: {goals_told(achieved)}." if achieved else ""


def _gone(achieved: Iterable[CheckedGoal], watcher: Watcher) -> str:
    return goals_told(goal for goal in achieved if not _still(goal, watcher))


def _still(goal: CheckedGoal, watcher: Watcher) -> bool:
    """Return whether a goal was sensed to hold still; of a momentary fact nobody expects that."""
    return any(
        all(watcher.sensed(literal) is True for literal in conjunct if watcher.is_lasting(literal))
        for conjunct in goal.conjuncts
    )


def preview(tree: Routine, rehearsed: Rehearsed) -> str:
    """Return the tree of a program and the steps of its rehearsal, as text."""
    lines = ["It becomes this tree:", *_lines(document(tree), 1)]
    for function in tree.functions:
        lines.append(f"  function {function.name}({', '.join(function.parameters)}), made when it is called")
    count = len(rehearsed.steps)
    end = "comes to its end" if rehearsed.failure is None else "fails"
    lines.append(f"On the model it {end} after {counted(count, 'step')}{':' if count else '.'}")
    lines += [f"{number:4}  {step}" for number, step in enumerate(rehearsed.steps, 1)]
    lines += [] if rehearsed.failure is None else [f"It fails at {rehearsed.failure}"]
    return "\n".join(lines)


def _lines(node: dict[str, Any], depth: int) -> Iterator[str]:
    text = str(node.get("text", ""))
    if node["type"] not in ("program", "block"):
        yield f"{'  ' * depth}{node['type']}  {text}"
        depth += 1
    for child in node["children"]:
        yield from _lines(child, depth)
