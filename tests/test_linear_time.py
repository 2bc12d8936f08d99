"""Readers of text from outside take linear time: eight times the text takes at most twelve times as long."""

import gc
import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from affordances.elicitation.replies import read_list, read_yes_no
from benchmarks.copal.entries import read_state
from bt.programs import check_program
from domains.pddl.reader.document import read_document as read_pddl
from domains.problem import Problem
from domains.reader import load_domain
from domains.reader.nodes.document import read_document as read_yaml
from domains.reader.rules.bodies import faults
from graftwork.checks import check_paths
from graftwork.decision.plan_text import read_line
from graftwork.language.offline.segments import segments
from graftwork.language.replies import read_reply
from graftwork.setup.settings import load_settings
from semantics.errors import GraftworkError
from semantics.geometry.urdf import joints_of, solids_of
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from tests.bt.programs.worlds import KITCHEN, SMALL

TIMES = 8
MOST = 12
RUNS = 5
AGAIN = 3
SHORTEST = 0.004
"""Processor time of the smaller text, seconds; it grows until it takes as long, or to `LONGEST` characters."""
LONGEST = 60_000


def of_file(read, name):
    """Return a reader of text that writes it to a file and reads that."""

    def reader(text, folder):
        file = folder / name
        file.write_text(text, encoding="utf-8")
        return read(file)

    return reader


P = '{parameters: [carry], say: "it is {0}", sensed: on}'


def world(predicates, parameters=None, condition="(p ?x)", more=()):
    """Return a world with one capability."""
    affordances = ["carry", "actor", *more]
    return f"""
name: a
agents: {{robot: {{capabilities: all}}}}
affordances: {json.dumps(dict.fromkeys(affordances, "it is so"))}
classes: {{robot: {{affordances: {json.dumps(affordances)}}}}}
predicates:
  p: {P}
{predicates}
capabilities:
  c:
    parameters: {json.dumps({"x": "carry", "r": "actor"} | (parameters or {}))}
    effect: (not (p ?x))
    precondition: {condition}
"""


READERS = {
    "goal": lambda text, _: parse_formula(text, adl=True),
    "pddl-domain": of_file(load_domain, "domain.pddl"),
    "check": of_file(lambda file: check_paths([str(file)]), "domain.yaml"),
    "check-pddl": of_file(lambda file: check_paths([str(file)]), "domain.pddl"),
    "pddl": lambda text, _: read_pddl(text, "a.pddl"),
    "yaml": of_file(lambda file: read_yaml(file, "a.yaml"), "a.yaml"),
    "rule": lambda text, _: list(faults(text)),
    "reply": lambda text, _: read_reply(text),
    "yes-no": lambda text, _: read_yes_no(text),
    "list": lambda text, _: read_list(text, ("grasp", "open")),
    "program": lambda text, _: check_program(text, KITCHEN, SMALL.things),
    "plan-line": lambda text, _: read_line(text, Problem(KITCHEN, SMALL.things, State(SMALL.facts, SMALL.numbers))),
    "sentence": lambda text, _: segments(text),
    "urdf": lambda text, _: (list(joints_of(text.encode())), list(solids_of(text.encode(), Path(), None))),
    "copal": of_file(read_state, "state.json"),
    "settings": of_file(
        lambda file: load_settings({}, environment={}, folder=file.parent, user_folder=file.parent), "graftwork.toml"
    ),
}
FAMILIES = {
    "blanks": lambda count: f"(on a b){' ' * count}",
    "lines": lambda count: f"(on a b){chr(10) * count}",
    "blanks-first": lambda count: f"{' ' * count}(on a b)",
    "comments": lambda count: f"(on a b)\n{'; c' * count}",
    "comment-lines": lambda count: "(on a b)\n" + "; c\n" * count,
    "facts": lambda count: f"(and {'(on a b) ' * count})",
    "words": lambda count: "bring the milk and " * count,
    "steps": lambda count: "take the cup0 " * count,
    "remarks": lambda count: "take cup0 (as said) " * count,
    "open-brackets": lambda count: "(" * count,
    "closed-brackets": lambda count: ")" * count,
    "open-braces": lambda count: "{" * count,
    "open-lists": lambda count: "[" * count,
    "quotes": lambda count: "'" * count,
    "backticks": lambda count: "`" * count,
    "fence": lambda count: f"```json{' ' * count}x",
    "blanks-then-text": lambda count: f'{{"goal": "(on a b)"}}{" " * count}x',
    "blanks-after-broken-json": lambda count: f'{{"goal": (on a b){" " * count}x',
    "blanks-after-a-fence": lambda count: f"```json\n{{}}\n```{' ' * count}x",
    "thoughts": lambda count: "<think>" * count,
    "letters": lambda count: "a" * count,
    "digits": lambda count: "1" * count,
    "mistakes-on-a-line": lambda count: f"(define (domain a)){' b' * count}",
    "mistakes-on-lines": lambda count: f"(define (domain a) {chr(10).join(['(:predicates (p a?b ?c))'] * count)})",
    "unknown-types": lambda count: (
        f"(define (domain a) (:predicates {' '.join(f'(p{number} ?x - t{number})' for number in range(count))}))"
    ),
    "chain-of-types": lambda count: (
        f"(define (domain a) (:types {' '.join(f't{number} - t{number + 1}' for number in range(count))}))"
    ),
    "types-above-a-type": lambda count: (
        f"(define (domain a) (:types {' '.join(f'a - t{number} u{number} - a' for number in range(count))}))"
    ),
    "parameters": lambda count: (
        f"(define (domain a) (:action b :parameters ({' '.join(f'?x{number}' for number in range(count))})))"
    ),
    "predicates": lambda count: world("".join(f"  p{number}: {P}\n" for number in range(count))),
    "parameters-of-yaml": lambda count: world("", {f"a{number}": "carry" for number in range(count)}),
    "mistakes-in-a-block": lambda count: world(
        "", condition="|\n      (and\n" + "       (p ?zz)\n" * count + "      )"
    ),
    "affordances": lambda count: world("", more=[f"a{number}" for number in range(count)]),
    "unknown-setting": lambda count: f"{chr(10) * count}unknown = 1",
    "deep-key": lambda count: f"{'a.' * count}a = 1",
    "deep-quoted-key": lambda count: f"""[{'"a".' * count}a]""",
    "escaped-quotes": lambda count: '"""' + '\n\\"""' * count,
    "chain-of-links": lambda count: (
        "<robot>"
        + "".join(f"<link name='l{number}'/>" for number in range(count + 1))
        + "".join(
            f"<joint name='j{number}' type='revolute'><parent link='l{number}'/><child link='l{number + 1}'/></joint>"
            for number in range(count)
        )
        + "</robot>"
    ),
    "keys": lambda count: json.dumps({f"k{number}": {"type": "a"} for number in range(count)}),
}


def processor_time(read, text, folder):
    start = time.process_time()
    with suppress(GraftworkError, ValueError):
        read(text, folder)
    return time.process_time() - start


def ratio(read, family, folder):
    """Return how many times as long the longer text takes; 0 when both take too short a time to be compared."""
    gc.collect()
    gc.disable()  # how long a collection takes hangs on all that the process keeps, not on the reader
    try:
        return _measured_ratio(read, family, folder)
    finally:
        gc.enable()


def _measured_ratio(read, family, folder):
    count = 250
    while len(text := family(count)) * TIMES < LONGEST and processor_time(read, text, folder) < SHORTEST:
        count *= 2
    longer = family(count * TIMES)
    short = min(processor_time(read, text, folder) for _ in range(RUNS))
    long = processor_time(read, longer, folder)
    if long > MOST * max(short, SHORTEST / TIMES):  # most of the readers need no second look
        long = min(long, *(processor_time(read, longer, folder) for _ in range(RUNS - 1)))
    return 0.0 if long < SHORTEST else long / max(short, SHORTEST / TIMES)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("reader", READERS)
def test_eight_times_the_text_takes_at_most_twelve_times_as_long(reader, family, tmp_path):
    # Another process may slow one measurement down, but not each of several; what grows with the square is at 64.
    found = (ratio(READERS[reader], FAMILIES[family], tmp_path) for _ in range(AGAIN))
    assert any(one <= MOST for one in found)
