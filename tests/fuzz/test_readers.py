"""Whatever a reader of outside text is given, it returns a value or raises its own error, and it ends.

Each example is a text of the corpus of its reader, ``tests/corpora/READER``, with pieces changed, or any text.
``GRAFTWORK_FUZZ_SECONDS`` says how long each reader is tried, as ``make fuzz`` does, ``GRAFTWORK_FUZZ_EXAMPLES`` with
how many texts; a few hundred without either.
"""

import os
import random
import time
from pathlib import Path

import pytest

from affordances.elicitation.replies import read_list, read_yes_no
from benchmarks.copal.entries import read_state
from bt.programs import check_program
from bt.record import read_record
from bt.report import write_report
from domains.pddl.reader import read_pddl_problem
from domains.pddl.reader.document import read_document as read_pddl
from domains.reader import load_domain, load_scene
from domains.reader.rules import read_pack
from domains.reader.rules.bodies import faults
from graftwork.cases import CaseWorld, read_cases
from graftwork.language.offline.segments import segments
from graftwork.language.replies import read_reply
from graftwork.language.scripted import ScriptedModel
from graftwork.run.past import read_past
from graftwork.setup.settings import load_settings
from semantics.errors import GraftworkError
from semantics.logic.parsing import parse_formula
from tests.bt.programs.worlds import KITCHEN, SMALL
from tests.cases.worlds import make_world

SECONDS = float(os.environ.get("GRAFTWORK_FUZZ_SECONDS", "0"))
EXAMPLES = int(os.environ.get("GRAFTWORK_FUZZ_EXAMPLES", "150"))
HANG = 20.0
"""Processor time that no example may take, seconds; most take a millisecond."""
CORPORA = Path(__file__).parent.parent / "corpora"
PIECES = (
    *"(){}[]'\"`;:,.-?#%|>&*!\\\n\t\r\0",
    *("é", "\u2028", "\x85", "\ud800", "\ufeff", "1e999", "NaN", "-", "9" * 5000, " " * 3000, "(" * 300, "[" * 3000),
    *('{"a":' * 500, "null", "true", "and", "or", "not", "forall", "?x", "```", "<think>", "goal", "=", "\\u0000"),
)


def written(folder, name, text):
    file = folder / name
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    return file


def record_of(text, folder):
    file = written(folder, "record.jsonl", text)
    write_report(folder)
    read_record(file)
    read_past(file)


def cases_of(text, folder):
    file = make_world(folder, "")
    read_cases(written(file.parent, file.name, text), CaseWorld(load_domain(folder / "domain.yaml")))


def settings_of(text, folder):
    written(folder, "graftwork.toml", text)
    load_settings({}, environment={}, folder=folder, user_folder=folder)


READERS = {
    "goals": lambda text, _: (parse_formula(text), parse_formula(text, adl=True)),
    "pddl-domains": lambda text, folder: (read_pddl(text, "a"), load_domain(written(folder, "domain.pddl", text))),
    "pddl-problems": lambda text, folder: read_pddl_problem(
        load_domain(CORPORA / "pddl-domains" / "lamps.pddl"), written(folder, "problem.pddl", text)
    ),
    "domains": lambda text, folder: load_domain(written(folder, "domain.yaml", text)),
    "scenes": lambda text, folder: load_scene(KITCHEN, written(folder, "scene.yaml", text)),
    "rules": lambda text, _: list(faults(text)),
    "packs": lambda text, _: read_pack(text),
    "cases": cases_of,
    "records": record_of,
    "replies": lambda text, _: (read_reply(text), read_yes_no(text), read_list(text, ("grasp", "open"))),
    "programs": lambda text, _: check_program(text, KITCHEN, SMALL.things),
    "sentences": lambda text, _: segments(text),
    "copal": lambda text, folder: read_state(written(folder, "state.json", text)),
    "scripts": lambda text, folder: ScriptedModel.from_file(written(folder, "script.jsonl", text)),
    "settings": settings_of,
}


def mutated(text, others, chance):
    """Return `text` with a few pieces put in, left out, doubled or taken from another text; sometimes any text."""
    if chance.random() < 0.05:
        return "".join(map(chr, (chance.randrange(0x300) for _ in range(chance.randrange(200)))))
    for _ in range(chance.randint(1, 5)):
        start = chance.randrange(len(text) + 1)
        end = min(start + chance.choice((0, 1, 5, 40, 400)), len(text))
        other = chance.choice(others)
        at = chance.randrange(len(other) + 1)
        piece = chance.choice((chance.choice(PIECES), "", text[start:end] * 2, other[at : at + 60]))
        text = text[:start] + piece + text[end:]
    return text


def examples(corpus, seed):
    """Yield mutated texts: a number of them, or as many as the seconds allow."""
    chance, end, count = random.Random(seed), time.monotonic() + SECONDS, 0
    yield from corpus
    while time.monotonic() < end if SECONDS else count < EXAMPLES:
        yield mutated(chance.choice(corpus), corpus, chance)
        count += 1


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_raises_only_its_own_errors(reader, tmp_path):
    corpus = [file.read_text(encoding="utf-8") for file in sorted((CORPORA / reader).iterdir())]
    seed = time.time_ns() if SECONDS else 1
    for text in examples(corpus, seed):
        start = time.process_time()
        try:
            READERS[reader](text, tmp_path)
        except GraftworkError:
            pass
        except Exception as error:
            pytest.fail(f"{type(error).__name__}: {error} (seed {seed}) for {text!r}")
        assert time.process_time() - start < HANG, f"it takes too long (seed {seed}): {text!r}"


@pytest.mark.parametrize("reader", READERS)
def test_a_corpus_holds_a_text_that_is_read(reader, tmp_path):
    for file in sorted((CORPORA / reader).glob("*")):
        if not file.name.startswith("bad"):
            READERS[reader](file.read_text(encoding="utf-8"), tmp_path)
