"""Which files and functions one sentence enters, from the command line to the first motion, and the tree it ticks.

A function counts once, however often it is entered; lambdas, comprehensions, generator expressions and the bodies of
modules and classes do not count. Everything runs in this process but the planner, which has one of its own. The run is
warm: the command has been done once before, so that no module is loaded and no rule compiled while it is looked at.
What a program does only because something takes long does not count either, so that a busy machine counts the same.
What runs in a thread that an earlier run has begun, such as that of the rules, is not seen.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import nullcontext
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple
from unittest.mock import patch

from py_trees.behaviour import Behaviour

from graftwork import Session
from graftwork.__main__ import main
from graftwork.run.run import Run
from graftwork.testing import ScriptedModel
from robots.fake import FakeRobot
from semantics.process import seat
from semantics.process.pool import POOLS
from semantics.process.reading import forget_parsed

__all__ = [
    "PACKAGES",
    "ROOT",
    "SENTENCE",
    "Crossed",
    "TreeSize",
    "crossed_by_correction",
    "crossed_by_reply",
    "crossed_by_sentence",
    "ticked_tree",
]

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("semantics", "domains", "robots", "affordances", "planning", "bt", "graftwork")
"""The product, in the order of its layers."""
SENTENCE = "bring me the milk"
WORDS = ("graftwork", "run", SENTENCE, "--scene", "small", "--robot", "fake", "--model", "offline", "--no-memory")
LONG = 60.0
"""When something takes long here, seconds."""
OPTIMIZED = 0x02
"""Flag of the code of a function, which the body of a class has not."""


class Crossed(NamedTuple):
    """What was entered.

    Attributes:
        functions: By file, relative to the root, the qualified names of its functions.
    """

    functions: Mapping[str, frozenset[str]]

    def files_of(self, *packages: str) -> int:
        """Return how many files of some packages were entered."""
        return len(self._of(packages))

    def functions_of(self, *packages: str) -> int:
        """Return how many functions of some packages were entered."""
        return sum(len(self.functions[file]) for file in self._of(packages))

    def _of(self, packages: Sequence[str]) -> list[str]:
        return [file for file in self.functions if file.split("/")[0] in packages]


def crossed_by_sentence() -> tuple[Crossed, Crossed]:
    """Do the sentence twice; return what the second time crosses to open a session, and from there to the first motion.

    What was parsed is forgotten before the second time, so that the opening reads its files.
    """
    _command()
    forget_parsed()
    opened, moved = set[CodeType](), set[CodeType]()
    with _entered(Session.start.__code__, FakeRobot.start.__code__, opened, moved):
        _command()
    return _crossed(opened), _crossed(moved)


REPLIES = {
    "query": {"query": {"ask": "where", "about": ["milk0"], "that": None}, "note": None},
    "program": {"program": "achieve(inhand(milk0, human0))", "note": None},
}
CORRECTION = {"correction": [{"insert": {"before": 9, "text": "move(end=table0)"}}], "note": None}


def crossed_by_reply(kind: str) -> Crossed:
    """Return what a model's reply of a kind crosses, from the start of the session to the first motion or the end."""

    def say() -> None:
        model = ScriptedModel([json.dumps({"reply": REPLIES[kind]})])
        with Session(scene="small", robot="fake", memory=None, model=model) as session:
            _settle()
            session.handle(SENTENCE)

    say()
    moved = set[CodeType]()
    with _entered(Session.start.__code__, FakeRobot.start.__code__, set(), moved):
        say()
    return _crossed(moved)


def crossed_by_correction() -> Crossed:
    """Return what words about a run cross, from `Run.say` until its plan is another one; ticks as such do not count."""
    codes: list[set[CodeType]] = []
    for words in ("", "and go to the table in the end"):
        model = ScriptedModel([json.dumps({"reply": CORRECTION})] * 2)
        with Session(scene="small", robot="fake", memory=None, model=model) as session:
            for looks in (False, True):
                run, entered = session.start(goal="(on apple0 counter0)"), set[CodeType]()
                run.wait()
                run.tick()
                with (
                    _entered(Run.tick.__code__, FakeRobot.close.__code__, entered, entered) if looks else nullcontext()
                ):
                    if words:
                        run.say(words)
                    for _ in range(60):
                        run.tick()
                run.cancel()
                run.tick()
        codes.append(entered)
    return _crossed(codes[1] - codes[0])


def _crossed(codes: Set[CodeType]) -> Crossed:
    functions: dict[str, set[str]] = {}
    for code in codes:
        file = _file_of(code)
        if file is not None:
            functions.setdefault(file, set()).add(code.co_qualname)
    return Crossed({file: frozenset(names) for file, names in sorted(functions.items())})


def _settle() -> None:
    """Wait until the processes that were begun are ready, however busy the machine is."""
    until = time.monotonic() + LONG
    while sum(pool.is_idle for pool in list(POOLS)) < _pools_begun() and time.monotonic() < until:
        time.sleep(0.01)


def _pools_begun() -> int:
    """Return how many pools have been asked for processes: each of them has a thread from then on."""
    return sum(thread.name == "processes.pool" for thread in threading.enumerate())


def _command() -> None:
    """Run the command line in this process."""
    shown = io.StringIO()
    with patch.object(sys, "argv", list(WORDS)), contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"{' '.join(WORDS)} ended with {ended.code}: {shown.getvalue()}") from ended


@contextlib.contextmanager
def _entered(middle: CodeType, last: CodeType, before_it: set[CodeType], after_it: set[CodeType]) -> Iterator[None]:
    """Collect the code of every function that is entered before the `middle` one, and from there up to the `last` one.

    Functions of all threads that begin meanwhile count.
    """

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and last not in after_it:
            (after_it if after_it or frame.f_code is middle else before_it).add(frame.f_code)

    before, timer = sys.getprofile(), threading.Timer
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        with (
            patch.object(seat, "LOOKING", LONG),
            patch.object(threading, "Timer", lambda _, *rest: timer(LONG, *rest)),
        ):
            yield
    finally:
        sys.setprofile(before)
        threading.setprofile(before)


def _file_of(code: CodeType) -> str | None:
    """Return the product's file of a named function; None for everything else."""
    if code.co_name.startswith("<") or not code.co_flags & OPTIMIZED:
        return None
    path = Path(code.co_filename)
    if not path.is_relative_to(ROOT):
        return None
    relative = path.relative_to(ROOT)
    return str(relative) if relative.parts[0] in PACKAGES else None


class TreeSize(NamedTuple):
    """How large a tree got at most.

    Attributes:
        nodes: How many nodes hang from its root, and how many others were ticked.
        depth: How many levels it has.
    """

    nodes: int
    depth: int


def ticked_tree(sentence: str = SENTENCE) -> TreeSize:
    """Do a sentence, by default one with a plan of five steps, and return how large the tree that was ticked got."""
    ticked: set[Behaviour] = set()
    sizes = [TreeSize(0, 0)]

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name in ("tick", "update"):
            node = frame.f_locals.get("self")
            if isinstance(node, Behaviour):
                ticked.add(node)

    with Session(scene="small", robot="fake", memory=None) as session:
        run = session.start(sentence)

        def look() -> None:
            if run.runner is not None:
                sizes.append(_size(run.runner.root, ticked))
            ticked.clear()

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            run.finish(look)
        finally:
            sys.setprofile(before)
    return TreeSize(max(size.nodes for size in sizes), max(size.depth for size in sizes))


def _size(root: Behaviour, ticked: Set[Behaviour]) -> TreeSize:
    """Return the size of a tree; nodes that were ticked without being in it count too."""
    nodes, level, depth = {root}, [root], 0
    while level:
        level, depth = [child for node in level for child in node.children], depth + 1
        nodes.update(level)
    return TreeSize(len(nodes | ticked), depth)
