"""Fast Downward's translator, asked in a process of its own whether it reads PDDL files."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable

import pytest

__all__ = ["reads"]

SCRIPT = """
import contextlib, io, json, sys
from fast_downward.translate import options
options.set_options(["domain.pddl", "problem.pddl"])
from fast_downward.translate import normalize, pddl_parser
from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions

def reads(texts):
    try:
        task = parsing_functions.parse_task(*(lisp_parser.parse_nested_list(t.splitlines(True)) for t in texts))
        normalize.normalize(task)
    except (Exception, SystemExit):
        return False
    return True

pairs = json.load(sys.stdin)
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    answers = [reads(pair) for pair in pairs]
json.dump(answers, sys.stdout)
"""


def reads(pairs: Iterable[tuple[str, str]]) -> list[bool]:
    """Return, for each domain with its problem, whether the translator reads both."""
    if importlib.util.find_spec("fast_downward") is None:
        pytest.skip("Fast Downward's translator is not installed")
    done = subprocess.run([sys.executable, "-c", SCRIPT], input=json.dumps(list(pairs)), capture_output=True, text=True,
                          timeout=120, check=True)  # fmt: skip
    answers: list[bool] = json.loads(done.stdout)
    return answers
