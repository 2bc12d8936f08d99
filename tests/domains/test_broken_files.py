"""Every way to break a file that we know, each with the exact answer.

The tables in ``broken/`` hold blocks of lines: a text that stands once in the file of `toy`, what replaces it (a
backslash and n is a line break), and every line of the answer without its path.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from tests.domains.toy import DOMAIN, SCENE, changed, write

TABLES = Path(__file__).parent / "broken"


class Case(NamedTuple):
    old: str
    new: str
    answer: list[str]


def cases(name: str) -> list[Case]:
    blocks = (TABLES / name).read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    return [_case(block.split("\n")) for block in blocks]


def _case(lines: list[str]) -> Case:
    old, new = (line.partition(":")[2][1:].replace("\\n", "\n") for line in lines[:2])
    return Case(old, new, lines[2:])


def answer(caught: pytest.ExceptionInfo[DomainFileError], path: Path) -> list[str]:
    return [line.removeprefix(f"{path}:") for line in str(caught.value).split("\n")]


@pytest.mark.parametrize("case", cases("domain.txt"), ids=lambda case: case.new.strip()[:50] or f"no {case.old[:50]}")
def test_a_broken_domain_is_told_where_and_why(tmp_path: Path, case: Case):
    path = write(tmp_path, "toy.yaml", changed(DOMAIN, case.old, case.new))
    with pytest.raises(DomainFileError) as caught:
        load_domain(path)
    assert answer(caught, path) == case.answer


@pytest.mark.parametrize("case", cases("scene.txt"), ids=lambda case: case.new.strip()[:50] or f"no {case.old[:50]}")
def test_a_broken_scene_is_told_where_and_why(tmp_path: Path, case: Case):
    toy = load_domain(write(tmp_path, "domain.yaml", DOMAIN))
    path = write(tmp_path, "scenes/room.yaml", changed(SCENE, case.old, case.new))
    with pytest.raises(DomainFileError) as caught:
        load_scene(toy, path)
    assert answer(caught, path) == case.answer


def test_the_problems_are_told_in_the_order_of_the_file(tmp_path: Path):
    text = changed(changed(DOMAIN, "form: sphere", "form: ball"), "(at ?a ?start)\n", "(at ?a ?strat)\n")
    with pytest.raises(DomainFileError) as caught:
        load_domain(write(tmp_path, "toy.yaml", text))
    assert [(problem.line, problem.column) for problem in caught.value.problems] == [(16, 19), (32, 26)]


def test_a_hopeless_file_is_cut_short(tmp_path: Path):
    keys = "".join(f"key{number}: 1\n" for number in range(60))
    with pytest.raises(DomainFileError) as caught:
        load_domain(write(tmp_path, "toy.yaml", keys))
    assert len(caught.value.problems) == 61
    assert str(caught.value).endswith("\nand 11 more; mend these first")
