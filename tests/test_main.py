"""The command ``graftwork`` before there is a command: an interrupt while the program is still being loaded."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SLOW = """
import sys, time
print("loading", flush=True)
try:
    time.sleep(60)
except Exception:
    pass
"""


@pytest.mark.parametrize(
    ("module", "ending"),
    [("typer", (130, "")), ("graftwork.cli.options", (130, "")), ("domains.reader", (4, "graftwork: interrupted\n"))],
)
def test_ctrl_c_while_modules_are_imported_leaves_no_traceback(tmp_path: Path, module: str, ending: tuple[int, str]):
    """A module that is slow to import, in the place of one that the program needs; a command needs the last one."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            exec({SLOW!r})\n"
        "sys.meta_path.insert(0, Slow())\n"
    )
    command = [sys.executable, "-c", "import sys; from graftwork.__main__ import main; sys.exit(main())", "domains"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout.readline() == "loading\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err, out) == (*ending, "")


def test_an_interrupt_that_is_ignored_stays_so():
    """As in the background of a shell without job control."""
    code = (
        "import signal; signal.signal(2, signal.SIG_IGN); import graftwork.__main__ as m, sys\n"
        "sys.argv[1:] = ['--version']\n"
        "try: m.main()\n"
        "except SystemExit: print(signal.getsignal(2) is signal.SIG_IGN)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize(("command", "code"), [("domains", 0), ("run 'open the fridge' --scene nosuch", 2)])
@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-", "2>&1 | true", "2> /dev/full"])
def test_how_a_command_ended_does_not_depend_on_who_reads(command: str, code: int, streams: str):
    shell = f"'{sys.executable}' -m graftwork {command} {streams}; exit ${{PIPESTATUS[0]}}"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["bash", "-c", shell], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


INTERRUPTED = """
import os, signal, sys
import graftwork.cli.app
import semantics.plain_text

def interrupted(**_):
    exec("raise KeyboardInterrupt")

def interrupt_again(frame, event, _):
    if event == "call" and frame.f_code.co_name == "_leave":
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGINT)

graftwork.cli.app.app = interrupted
"""


@pytest.mark.parametrize("again", ["", "sys.setprofile(interrupt_again)\n"])
def test_an_interrupt_ends_with_4_however_it_went_through_and_whatever_follows(tmp_path: Path, again: str):
    """Python ends by the signal itself if the exception has once left the code of a text, as of a data class."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED + again)
    command = [sys.executable, "-m", "graftwork"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (4, "graftwork: interrupted\n")


def test_unbuffered_output_is_written_at_once():
    """As with ``python -u`` before a pipe: what is printed without a line end is there, too."""
    code = "import graftwork.__main__ as m, os, sys\nm._open_streams()\nprint('first', end=''); os.write(1, b' second')"
    command = [sys.executable, "-u", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=True)
    assert done.stdout == "first second"
