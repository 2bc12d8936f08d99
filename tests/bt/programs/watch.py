"""A watch that notices when anything is executed, imported or opened."""

import builtins
import sys
from contextlib import contextmanager

import bt.ticking.ticker  # noqa: F401 - else it is imported when a tree is ticked first
from bt.programs.source import NOWHERE

FORBIDDEN = ("exec", "import", "open", "os.", "subprocess.", "socket.", "shutil.", "ctypes.", "code.", "marshal.")
HIDDEN = ("eval", "exec", "open", "print", "input", "breakpoint")
_seen: list[str] = []
_on: list[bool] = [False]


def _audit(event, args):
    quoting = event == "open" and args[0] == NOWHERE
    if _on[0] and event.startswith(FORBIDDEN) and not quoting:
        _seen.append(event)


sys.addaudithook(_audit)


def _sentinel(name):
    def caught(*_, **__):
        _seen.append(name)
        raise AssertionError(name)

    return caught


@contextmanager
def nothing_executed():
    """Fail when anything is executed, imported or opened, or a builtin is called that a program may want."""
    kept = {name: getattr(builtins, name) for name in HIDDEN}
    _seen.clear()
    for name in HIDDEN:
        setattr(builtins, name, _sentinel(name))
    _on[0] = True
    try:
        yield
    finally:
        _on[0] = False
        for name, value in kept.items():
            setattr(builtins, name, value)
    assert not _seen, str(_seen)
