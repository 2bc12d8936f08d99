"""What the person's Ctrl-C means while a tree runs."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from bt.runner import Runner

__all__ = ["signals"]


@contextlib.contextmanager
def signals(runner: Runner) -> Iterator[None]:
    """Let SIGINT and SIGTERM cancel the run, and a second SIGINT stop the body and end at once.

    The old handlers are put back afterwards. Off the main thread, where Python takes no handlers, nothing is changed.

    Raises:
        KeyboardInterrupt: On the second SIGINT, wherever the program is then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked and number == signal.SIGINT:
            with contextlib.suppress(Exception):
                runner.robot.stop()
            raise KeyboardInterrupt
        asked = True
        runner.cancel(f"{signal.Signals(number).name} was received")

    old = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
