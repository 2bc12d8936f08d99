"""The screen of a conversation, drawn by prompt_toolkit: what was said above, the tree, and the input."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import StringIO
from queue import Empty, Queue
from shutil import get_terminal_size
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import Console
from rich.text import Text

from graftwork.cli.options import echo

KEYS = "Enter: pause, go on   Ctrl-C: stop   Ctrl-D: end"


class Screen:
    """Draws on a thread of its own, so that no tick waits for it; what anybody prints comes above."""

    def __init__(self) -> None:
        self._lines: Queue[str] = Queue()
        self._picture = ""
        self._app: Any = None

    def show(self, picture: Text) -> None:
        """Draw the tree; any thread may call this."""
        console = Console(file=StringIO(), force_terminal=True, highlight=False, width=get_terminal_size().columns)
        with console.capture() as drawn:
            console.print(picture)
        self._picture = drawn.get()
        self._app.invalidate()

    def typed(self, seconds: float) -> str | None:
        """Return what is typed within a time, see `graftwork.cli.terminal.Typed`."""
        with suppress(Empty):
            return self._lines.get(timeout=seconds)
        return None

    @contextmanager
    def shown(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Own the terminal until the end of the block; `interrupt` is called at Ctrl-C."""
        keys, buffer = KeyBindings(), Buffer(multiline=False, accept_handler=self._accept)
        keys.add("c-c")(lambda _: interrupt())
        keys.add("c-d", filter=Condition(lambda: not buffer.text))(lambda _: self._lines.put(""))
        tree = Window(FormattedTextControl(lambda: ANSI(self._picture)), height=lambda: self._picture.count("\n"))
        typed = Window(BufferControl(buffer, [BeforeInput("> ")]), dont_extend_height=True, wrap_lines=True)
        below = Window(FormattedTextControl(KEYS), height=1, style="class:bottom-toolbar")
        layout = Layout(HSplit([tree, typed, below]), typed)
        self._app = Application(layout, key_bindings=keys, erase_when_done=True)
        self._app.input.cooked_mode = nullcontext  # else the terminal takes a Ctrl-D that comes while a line is printed
        begun = threading.Event()
        options = {"pre_run": begun.set, "handle_sigint": False}  # signals come to the main thread
        drawing = threading.Thread(target=self._app.run, kwargs=options, name="chat-screen", daemon=True)
        with patch_stdout(raw=True):
            drawing.start()
            begun.wait()
            try:
                yield
            finally:
                self._app.loop.call_soon_threadsafe(self._app.exit)
                drawing.join()

    def _accept(self, buffer: Any) -> bool:  # noqa: ANN401
        if buffer.text.strip():
            echo(f"> {buffer.text}")
        self._lines.put(f"{buffer.text}\n")
        return False  # the next line begins empty
