"""The tree in the terminal: `LiveTree`, a journal that draws what is written to it.

On a terminal the tree stays in one place and updates its signs. It never scrolls, so it is cut to the height of the
terminal: first the nodes below finished and unstarted steps are left out, then those farthest from the running nodes.
On any other stream (a pipe, a file) it writes a plain line when a step begins or ends, when the resume point moves and
when a failure occurs.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from bt.display import SIGNS, Document, walk
from semantics.logic.feedback import left_out, sentences
from semantics.logic.sentences import pddl_in_words, sentences_in
from semantics.plain_text import counted, plain


class Line(NamedTuple):
    """A line of the tree: its depth, the state of its node, and its text."""

    depth: int
    state: str
    text: str


def outline(root: Document, states: Mapping[str, str], height: int) -> list[Line]:
    """Return a tree as at most `height` lines, at least one.

    Args:
        root: The tree's document.
        states: State of each node by id.
        height: How many lines there are.
    """
    lines = list(_lines(root, states, 0, False))
    if len(lines) > height:
        lines = list(_lines(root, states, 0, True))
    return _window(lines, max(1, height))


def _lines(node: Document, states: Mapping[str, str], depth: int, folded: bool) -> Iterator[Line]:
    if folded and len(chain := _alike(node, states)) > 1:
        yield Line(depth, _state(node, states), " / ".join(plain(link.get("name") or "") for link in chain))
        yield from (line for child in chain[-1]["children"] for line in _lines(child, states, depth + 1, folded))
        return
    state = _state(node, states)
    yield Line(depth, state, labelled(node))
    if folded and node.get("kind") == "step" and state != "running":
        return
    for child in node.get("children") or ():
        yield from _lines(child, states, depth + 1, folded)


def _state(node: Document, states: Mapping[str, str]) -> str:
    state = states.get(str(node.get("id")), "invalid")
    return state if state in SIGNS else "invalid"


def _alike(node: Document, states: Mapping[str, str]) -> list[Document]:
    """Return the chain of nodes from this node down, as long as each has one child in the same state."""
    chain, state = [], _state(node, states)
    while node.get("kind") != "step" and _state(node, states) == state and len(node.get("children") or ()) == 1:
        chain.append(node)
        node = node["children"][0]
    return chain


def labelled(node: Document) -> str:
    """Return a node's name and what it is about; a step's action says both."""
    name, what = plain(node.get("name") or ""), plain(node.get("what") or "")
    if node.get("kind") == "step" and what:
        return what
    return f"{name}  {what}" if what and what != name else name


def _window(lines: list[Line], height: int) -> list[Line]:
    """Cut to the lines around the last running node, and add how many lines are left out."""
    if len(lines) <= height:
        return lines
    busy = max((number for number, line in enumerate(lines) if line.state == "running"), default=0)
    if height < 3:
        return lines[busy : busy + 1]
    room = height - 2
    first = min(max(0, busy - room // 2), len(lines) - room)
    below = len(lines) - first - room
    above = [Line(0, "invalid", f"… {first} more above")] if first else []
    rest = [Line(0, "invalid", f"… {below} more below")] if below else []
    return [*above, *lines[first : first + room], *rest]


if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text


STYLES = {"success": "green", "failure": "bold red", "running": "bold cyan", "invalid": "dim"}
PERIOD_SECONDS = 0.125
HEAD_LINES, FOOT_LINES = 2, 2
CANVAS_LINES = 14
Clock = Callable[[], float]
OUTCOME_STYLES = {"achieved": "bold green", "already": "bold green"}


class LiveTree:
    """Shows a run live; it is a journal for the events of a record.

    Args:
        stream: Where to write; standard error when not given, so that standard output stays for results.
        now: Wall clock in seconds, which limits how often the terminal is drawn.
        pddl: Whether facts and actions are shown in PDDL, not as sentences.
        ends: Whether lines tell the outcome too, which a caller may tell itself.

    Attributes:
        steers: Whether the tree is drawn in one place, which the stream has to be able to show; else lines are written.
        canvas: Takes the tree, in `CANVAS_LINES` lines, where somebody else draws on the terminal.
    """

    def __init__(
        self, stream: TextIO | None = None, *, now: Clock = time.monotonic, pddl: bool = False, ends: bool = True
    ) -> None:
        self._pddl, self._ends = pddl, ends
        self._sentences: dict[str, str] = {}
        self._stream = stream = sys.stderr if stream is None else stream
        self._now = now
        self._drawn = float("-inf")
        clever = os.environ.get("TERM", "") not in ("", "dumb", "unknown") and stream.isatty()
        self.steers = clever and (stream.encoding or "").lower().startswith("utf")  # else it cannot show the signs
        self.canvas: Callable[[Text], None] | None = None
        self._console: Console | None = None
        self._live: Live | None = None
        self._sentence = ""
        self._outcome = ""
        self._root: Document | None = None
        self._steps: list[str] = []
        self._states: dict[str, str] = {}
        self._time = 0.0
        self._resume: int | None = None
        self._line = ""
        self._worked = ""
        self._trouble = ""
        self._asked = ""
        self._gave_way = False

    def write(self, event: str, fields: Mapping[str, Any]) -> None:
        """Process an event."""
        self._time = max(self._time, float(fields.get("t", 0.0)))  # a sensing may tell of a moment before
        if event == "vocabulary" and not self._pddl:
            self._sentences = sentences_in(fields)
        take = TAKE.get(event)
        if take is None:
            return
        lines = [f"[{self._time:7.1f} s] {self.in_words(line)}\n" for line in take(self, fields)]
        with contextlib.suppress(OSError, ValueError):  # a terminal that went away is no reason to end a run
            if lines and not self.steers:
                encoding = self._stream.encoding or "utf-8"
                self._stream.writelines(line.encode(encoding, "replace").decode(encoding) for line in lines)
                self._stream.flush()
            elif lines and event == "heard":
                self._write_above(lines)
            elif self.steers and (self._root is not None or self.canvas) and not self._gave_way:
                # Otherwise nothing runs yet, or the robot waits and a person may be typing an answer.
                self._draw(force=event in ("start", "tree", "feedback", "request", "end"))

    def in_words(self, text: str) -> str:
        """Return a text with sentences of the world in the place of PDDL, if they are wanted."""
        return pddl_in_words(text, self._sentences) if self._sentences else text

    def _write_above(self, lines: list[str]) -> None:
        """Write lines below the last drawing, and draw again below them with the next event."""
        self.close()
        self._stream.writelines(lines)
        self._stream.flush()

    def give_way(self) -> None:
        """Release the terminal for other output; the last drawing stays above it."""
        self.close()
        self._gave_way = True

    def take_back(self) -> None:
        """Draw again from the next event on, below the other output."""
        self._gave_way = False

    def close(self) -> None:
        """Keep the last drawing and release the terminal; safe to call twice."""
        live, self._live = self._live, None
        if live is not None:
            with contextlib.suppress(OSError, ValueError):
                self._measure()
                live.update(self._picture(), refresh=True)
                live.stop()

    def _draw(self, force: bool) -> None:
        if not force and self._now() - self._drawn < PERIOD_SECONDS:
            return
        self._drawn = self._now()
        if self.canvas is not None:
            self.canvas(self._picture())
            return
        if self._live is None:
            self._live = self._started()
        self._measure()
        self._live.update(self._picture(), refresh=True)

    def _measure(self) -> None:
        """Take the size of the terminal that is written to; rich measures the standard streams only."""
        with contextlib.suppress(OSError):
            columns, lines = os.get_terminal_size(self._stream.fileno())
            if self._console is not None and columns > 0 and lines > 0:
                self._console.size = (columns, lines)

    def _started(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        self._console = Console(file=self._stream, highlight=False)
        live = Live(console=self._console, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
        live.start()
        return live

    def _picture(self) -> Text:
        """Return the whole display, never higher nor wider than the terminal."""
        from rich.text import Text

        height = self._console.size.height if self._console else CANVAS_LINES
        drawn = Text(no_wrap=True, overflow="ellipsis")
        drawn.append(f"“{self._sentence}”\n", "bold")
        outcome = self.in_words(self._outcome) or "at work; Ctrl-C stops"
        drawn.append(f"{outcome}\n", OUTCOME_STYLES.get(outcome.split(":")[0], "bold"))
        room = height - HEAD_LINES - FOOT_LINES - 1
        for line in outline(self._root, self._states, room) if self._root is not None else ():
            style = STYLES[line.state]
            drawn.append(f"{'  ' * line.depth}{SIGNS[line.state]} {self.in_words(line.text)}\n", style)
        drawn.append(f"{self._time:7.1f} s  {self.in_words(self._place())}\n", "bold")
        trouble = f"last trouble, {self._trouble}" if self._trouble else ""
        drawn.append(self.in_words(self._asked or trouble), "bold magenta" if self._asked else "yellow")
        return drawn

    def _place(self) -> str:
        if self._line:
            return self._line
        if self._resume is None:
            return "no step leads to the goal" if self._root is not None else "deciding"
        if self._resume >= len(self._steps):
            return "the goal is reached"
        return f"step {self._resume + 1} of {len(self._steps)}  {self._steps[self._resume]}"

    def _begin(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._root, self._resume, self._states, self._steps = None, None, {}, []
        self._line = self._worked = self._trouble = self._asked = self._outcome = ""  # of a run before
        self._sentence = plain(event.get("instruction") or "")
        yield f"“{self._sentence}”"

    def _plan(self, event: Mapping[str, Any]) -> Iterator[str]:
        if self._worked:  # a program drops the tree of a plan at once when its goal is reached
            yield f"{SIGNS['success']} {self._worked} worked"
        self._steps, self._worked = [plain(step) for step in event.get("steps") or ()], ""
        yield f"plan of {counted(len(self._steps), 'step')}, cost {event.get('cost', '?')} ({event.get('why', '')})"

    def _tree(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._root = event.get("root")
        yield from ()

    def _tick(self, event: Mapping[str, Any]) -> Iterator[str]:
        changes = event.get("status") or {}
        self._resume = event.get("resume", self._resume)
        lines = list(self._changed(changes)) if changes and self._root is not None else []
        self._states.update(changes)
        yield from lines

    def _changed(self, changes: Mapping[str, str]) -> Iterator[str]:
        """Yield a line for each step that begins or ends."""
        assert self._root is not None
        words = {"running": "begins", "success": "worked", "failure": "failed", "invalid": "called off"}
        for node in walk(self._root):
            ident = str(node.get("id"))
            state = changes.get(ident)
            if node.get("kind") != "step" or state not in words:
                continue
            self._worked = "" if labelled(node) == self._worked else self._worked
            if state != "invalid" or self._states.get(ident) == "running":
                yield f"{SIGNS[state]} {labelled(node)} {words[state]}"

    def _got_to(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._line = plain(f"line {event.get('line')}  {event.get('text') or ''}")
        yield self._line

    def _moved(self, event: Mapping[str, Any]) -> Iterator[str]:
        start, self._resume, self._asked = event.get("from"), event.get("to"), ""
        why = plain(event.get("why") or "")
        self._worked = why.removesuffix(" worked") if why.endswith(" worked") else ""
        if isinstance(start, int) and (self._resume is None or self._resume < start):
            yield f"resume point goes back to {self._place()}: {why}"

    def _feedback(self, event: Mapping[str, Any]) -> Iterator[str]:
        feedback, self._asked = event.get("feedback") or {}, ""
        if event.get("node") == "deciding":
            return  # the outcome says it
        what = f"{feedback.get('code')}: {feedback.get('what')}: {feedback.get('why')}"
        self._trouble = plain(sentences(what, str(feedback.get("how") or "")))
        yield f"trouble, {self._trouble}"

    def _rung(self, event: Mapping[str, Any]) -> Iterator[str]:
        helped = "solved" if event.get("solved") else "did not solve"
        yield plain(f"{event.get('rung')} {helped} {event.get('code')}")

    def _disturbed(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._trouble = plain(f"changed from outside: {event.get('text')}")
        yield self._trouble

    def _note(self, event: Mapping[str, Any]) -> Iterator[str]:
        yield plain(event.get("text") or event.get("said") or "planned for again")

    def _heard(self, event: Mapping[str, Any]) -> Iterator[str]:
        yield plain(f"“{event.get('words')}”: {event.get('reply')}")

    def _request(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._asked = plain(event.get("question") or f"{event.get('agent')}, {event.get('text')}")
        yield self._asked

    def _answered(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._asked, words = "", event.get("words")
        yield "nobody has answered" if words is None else plain(f"“{words}”")

    def _end(self, event: Mapping[str, Any]) -> Iterator[str]:
        self._asked = ""
        self._outcome = plain(f"{event.get('outcome')}: {event.get('summary') or ''}").removesuffix(": ")
        yield from [self._outcome] * self._ends


TAKE: dict[str, Callable[[LiveTree, Mapping[str, Any]], Iterator[str]]] = {
    "start": LiveTree._begin,
    "goal": lambda _, event: map(plain, (*(event.get("notes") or ()), *map(left_out, event.get("dropped") or ()))),
    "plan": LiveTree._plan,
    "tree": LiveTree._tree,
    "tick": LiveTree._tick,
    "resume": LiveTree._moved,
    "feedback": LiveTree._feedback,
    "rung": LiveTree._rung,
    "disturbed": LiveTree._disturbed,
    "revision": LiveTree._note,
    "note": LiveTree._note,
    "heard": LiveTree._heard,
    "line": LiveTree._got_to,
    "request": LiveTree._request,
    "turn": LiveTree._note,
    "asked": LiveTree._request,
    "answered": LiveTree._answered,
    "answer": LiveTree._note,
    "end": LiveTree._end,
}
