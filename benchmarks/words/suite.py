"""Whether words are understood as they are meant: ``graftwork bench words --set household --model M``.

Each entry of the sets is said in its scene, and what comes of it is judged by what was meant (README.md beside this
file). Results are added to a file, one line of JSON each, and entries that stand in it are not tried again. A model on
a server is reached as everywhere: OPENAI_BASE_URL and OPENAI_API_KEY, or --base-url. `replies` reads recorded answers
again, without any model. Of `dialogue`, turns and whole exchanges are counted; `spatial` is measured by true poses, on
the table in PyBullet; the sentences of `saycan` are those of --data. Exit code 4 after an interrupt.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from benchmarks.words.crew import Job, results_of
from benchmarks.words.entries import HALVES, KINDS, Dialogue, Entry, Slip, load
from benchmarks.words.judge import Judged, Verdict, judge, judge_turns
from benchmarks.words.rows import Row, read_rows
from benchmarks.words.slips import judge_slip, misread_cuts, read_slip
from benchmarks.words.table import WHOLE, Result, as_document, markdown, misses_in, remarks_on
from benchmarks.words.trial import Manner, perform
from benchmarks.words.worlds import keep_worlds
from semantics.errors import UsageError

__all__ = ["Recording", "main"]

REPLIES = Path(__file__).with_name("replies")
"""The folder of recorded answers: a file for each set, NAME.jsonl."""
APART = frozenset({"small-a", "copal", "copal-recipes"})
"""Recordings of a small model, whose requests are not those of a session, and of sentences with a data folder."""
COPAL = "benchmarks.words.copal"
INTERRUPTED = 4


def main(words: Sequence[str] | None = None) -> int:
    """Try the entries, print the table, and return the exit code."""
    given, others = _parser().parse_known_args(words)
    if given.base_url:
        os.environ["OPENAI_BASE_URL"] = given.base_url
    if given.set == ["copal"]:
        return _copal([*others, *(("--data", str(given.data)) if given.data else ())], given)
    if others:
        raise UsageError(f"'{others[0]}' is no option here; see --help")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if given.set == ["small"]:
            return _small(given)
        results = list(_Tried(given).results())
    except KeyboardInterrupt:
        where = f"; {given.into} has what was done, and the same call goes on from there" if given.into else ""
        sys.stderr.write(f"\ninterrupted{where}\n")
        return INTERRUPTED
    _report(results, given)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="graftwork bench words", description=__doc__)
    sets = (*KINDS, "replies", "copal", "small")
    parser.add_argument(
        "--set", nargs="+", choices=sets, required=True, help="which entries; copal and small stand alone"
    )
    parser.add_argument("--half", choices=HALVES, default="a", help="b, c and d are held out and scored once (a)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the sentences of saycan or copal are")
    parser.add_argument("--bare", action="store_true", help='the sentences of saycan without "How would you"')
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only entries whose name begins so")
    parser.add_argument("--model", default="offline", help="who reads the words (offline)")
    parser.add_argument("--base-url", metavar="URL", help="the server of the model, instead of OPENAI_BASE_URL")
    parser.add_argument("--model-seconds", type=float, default=30.0, metavar="N", help="limit of one answer (30)")
    parser.add_argument("--record-model", type=Path, metavar="FILE", help="add each exchange with the model to it")
    parser.add_argument("--into", type=Path, metavar="FILE", help="add each result to it, and leave out those it has")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many entries are tried at once (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures and all verdicts there")
    parser.add_argument("--misses", action="store_true", help="list what is not right, with the reason")
    return parser


def _copal(words: Sequence[str], given: argparse.Namespace) -> int:
    """Hand over to the suite of plans that are said, which has a data folder and options of its own."""
    if find_spec(COPAL) is None:
        raise UsageError("this checkout has no benchmarks/words/copal.py")
    from importlib import import_module

    code: int = import_module(COPAL).main(list(words), given)
    return code


def _small(given: argparse.Namespace) -> int:
    """Hand over to the replies of the small model, which are not those of a session."""
    from benchmarks.words.small import try_replies

    return try_replies(given)


def _tell_progress(number: int, count: int, row: Row) -> None:
    """Tell on standard error how far it is: on a terminal in one line."""
    begin, end = ("\r", "\x1b[K" + "\n" * (number == count)) if sys.stderr.isatty() else ("", "\n")
    sys.stderr.write(f"{begin}{number} of {count}  {row.id}  {row.kind}{end}")
    sys.stderr.flush()


class _Tried:
    """The entries of a call, tried or read from earlier results.

    Args:
        given: The options.
    """

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self._known = read_rows(given.into) if given.into else {}
        self._recording = Recording(given.record_model) if given.record_model else None

    def results(self) -> Iterator[Result]:
        """Yield each result, in the order of the files."""
        asked = [(kind, entry, model) for kind, model in self._kinds() for entry in self._entries(kind)]
        if self._given.record_model is not None:
            keep_worlds(self._given.record_model, {entry.world for _, entry, _ in asked if not entry.has_copies})
        rows = {_key(kind, entry): row for kind, entry, _ in asked if (row := self._known.get(_key(kind, entry)))}
        slips = {_key(kind, entry): read_slip(entry) for kind, entry, _ in asked if isinstance(entry, Slip)}
        jobs = [
            Job(_key(kind, entry), perform, (entry, self._manner(kind, entry, model)))
            for kind, entry, model in asked
            if _key(kind, entry) not in rows | slips
        ]
        for number, (key, row) in enumerate(results_of(jobs, max(self._given.jobs, 1)), 1):
            rows[key] = row
            self._keep(key, row)
            _tell_progress(number, len(jobs), row)
        if self._recording is not None:
            self._recording.close()
        for kind, entry, _ in asked:
            yield from _results_of(kind, entry, (rows | slips)[_key(kind, entry)])

    def _kinds(self) -> Iterator[tuple[str, str]]:
        """Yield each set with the model that reads it; recorded answers are those of the sets of their files."""
        for name in self._given.set:
            if name != "replies":
                yield name, self._given.model
            for file in sorted(REPLIES.glob("*.jsonl")) if name == "replies" else ():
                lacks_words = file.stem.startswith("saycan") and self._given.data is None
                if file.stem not in APART and not lacks_words:
                    yield f"replies {file.stem}", f"replay:{file}"

    def _entries(self, kind: str) -> Iterator[Entry]:
        name, _, half = kind.removeprefix("replies ").partition("-")
        if name in ("copal", "small"):
            raise UsageError(f"the set {name} is tried alone")
        if name not in KINDS:
            raise UsageError(f"{REPLIES / name}.jsonl is named for no set; there is {', '.join(KINDS)}")
        for entry in load(name, half or self._given.half, data=self._given.data, bare=self._given.bare):
            if not self._given.only or entry.id.startswith(tuple(self._given.only)):
                yield entry

    def _manner(self, kind: str, entry: Entry, model: str) -> Manner:
        name, _, file = model.partition(":")
        if name in ("replay", "scripted"):  # the processes work in the root of the checkout
            model = f"{name}:{Path(file).resolve()}"
        record = self._recording.part(_key(kind, entry)) if self._recording and name != "replay" else None
        return Manner(model, record, self._given.model_seconds)

    def _keep(self, key: str, row: Row) -> None:
        """Write a result down, with what it recorded of the model."""
        if self._recording is not None:
            self._recording.take_in(key)
        if self._given.into is not None:
            with self._given.into.open("a", encoding="utf-8") as file:
                file.write(replace(row, id=key).as_line())


UNRECORDED = Judged(Verdict.NOT_DONE, why="to be asked again: its prompt is another one now, or was never asked")


def _results_of(kind: str, entry: Entry, row: Row) -> Iterator[Result]:
    """Yield what an entry is worth; of an exchange what each turn is worth, and the whole."""
    if isinstance(entry, Slip):
        yield Result(kind, entry, row, judge_slip(entry, row))
    elif row.unrecorded:
        yield Result(kind, entry, row, UNRECORDED)
    else:
        if isinstance(entry, Dialogue):
            turns = [*row.turns, *(Row(turn.id) for turn in entry.turns[len(row.turns) :])]
            for turn, heard, judged in zip(entry.turns, turns, judge_turns(entry, row), strict=True):
                yield Result(kind, turn, heard, judged)
        yield Result(kind + WHOLE * isinstance(entry, Dialogue), entry, row, judge(entry, row))


def _key(kind: str, entry: Entry) -> str:
    return f"{kind}/{entry.id}"


class Recording:
    """A recording that several processes add to: each entry writes a part of its own, which is joined afterwards.

    A part that an interrupted call has left is used again by the next one.
    """

    def __init__(self, file: Path) -> None:
        self._file = file.resolve()
        self._parts = self._file.with_name(f"{self._file.name}.parts")
        self._parts.mkdir(parents=True, exist_ok=True)
        self._keys = set(self._keys_in(self._file)) if self._file.exists() else set()

    def part(self, key: str) -> Path:
        """Return the file that an entry writes."""
        return self._parts / f"{key.replace('/', '-').replace(' ', '-')}.jsonl"

    def take_in(self, key: str) -> None:
        """Add the exchanges of an entry, each request once, and delete its part."""
        part = self.part(key)
        if not part.exists():
            return
        with self._file.open("a", encoding="utf-8") as file:
            for line in part.read_text(encoding="utf-8").splitlines():
                if (request := json.loads(line)["key"]) not in self._keys:
                    self._keys.add(request)
                    file.write(f"{line}\n")
        part.unlink()

    def close(self) -> None:
        """Delete the folder of the parts, if all are taken in."""
        with suppress(OSError):
            self._parts.rmdir()

    @staticmethod
    def _keys_in(file: Path) -> Iterator[str]:
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["key"]


def _report(results: Sequence[Result], given: argparse.Namespace) -> None:
    """Print the table and what belongs to it, and write the figures down."""
    day = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores"
    remarks = [*remarks_on(results), *_cuts_of(results, misses=given.misses)]
    missed = misses_in(results) if given.misses else ()
    how = f"half {given.half}, model {given.model}{', bare sentences' if given.bare else ''}, {day}"
    lines = (markdown(results), "", *remarks, "", *missed, how)
    sys.stdout.write("\n".join(lines) + "\n")
    if given.json is not None:
        about = {"half": given.half, "model": given.model, "bare": given.bare, "when": day}
        document = {**about, **as_document(results)}
        given.json.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _cuts_of(results: Sequence[Result], *, misses: bool) -> Iterator[str]:
    """Yield how often malformed answers that are cut are read as something else; with the `misses`, each of them."""
    slips = [each.entry for each in results if isinstance(each.entry, Slip)]
    if slips:
        cuts = [f"- {slip.id} cut at byte {length}: {found}" for slip in slips for length, found in misread_cuts(slip)]
        places = sum(len(slip.text.encode()) for slip in slips if slip.means != "none")
        yield f"Cut at each of {places} bytes, malformed answers were read as something else {len(cuts)} times."
        yield from cuts if misses else ()


if __name__ == "__main__":
    sys.exit(main())
