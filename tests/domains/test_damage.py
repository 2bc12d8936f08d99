"""Whatever is done to a file, it is read or its problems are told: never another error."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from domains.errors import DomainFileError, Problem
from domains.reading import load_domain, load_scene
from tests.domains.toy import DOMAIN, SCENE, write

DEBRIS = [*"{}[]:-?|>'\"\n\t#&*!0()%\\@,aZ~\r\u2028\x85é", "1e999", ".nan", "not", "null", "{0}", "- ", "|\n", "  "]


def damaged(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text))
        if chance.random() < 0.6:
            text = text[:at] + chance.choice(DEBRIS) + text[at + chance.choice((0, 1, 5)) :]
        else:
            lines = text.split("\n")
            line = chance.randrange(len(lines))
            text = "\n".join(lines[:line] + lines[line + chance.randint(1, 3) :]) or "-"
    return text


def problems(load: Callable[[Path], object], path: Path) -> tuple[Problem, ...]:
    try:
        load(path)
    except DomainFileError as exc:
        return exc.problems
    return ()


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_is_read_or_told_what_is_wrong(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    toy = load_domain(write(tmp_path, "domain.yaml", DOMAIN))
    told = []
    for _ in range(60):
        told += problems(load_domain, write(tmp_path, "broken.yaml", damaged(DOMAIN, chance)))
        told += problems(lambda path: load_scene(toy, path), write(tmp_path, "room.yaml", damaged(SCENE, chance)))
    assert len(told) > 60
    assert all(problem.line >= 1 and problem.column >= 1 for problem in told)
