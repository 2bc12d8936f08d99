"""Whatever is done to a file, it is read or its problems are told: never another error."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from domains.errors import Diagnostic, DomainFileError
from domains.reader import load_domain, load_scene
from tests.domains.codes import CODES
from tests.domains.reader import adl
from tests.domains.toy import DOMAIN, SCENE, write

WORDS = [
    "on",
    "clear",
    "not",
    "and",
    "or",
    "forall",
    "exists",
    "holds",
    "then",
    "when",
    "increase",
    "by",
    "=",
    "<",
    "+",
    "O",
]
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


def problems(load: Callable[[Path], object], path: Path) -> tuple[Diagnostic, ...]:
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


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_file_of_rich_keys_is_read_or_told_what_is_wrong(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    write(tmp_path, "rules.pl", adl.PACK)
    world = load_domain(write(tmp_path, "domain.yaml", adl.DOMAIN))
    told = []
    for _ in range(60):
        told += problems(load_domain, write(tmp_path, "broken.yaml", damaged(adl.DOMAIN, chance)))
        told += problems(lambda path: load_scene(world, path), write(tmp_path, "all.yaml", damaged(adl.SCENE, chance)))
        write(tmp_path, "rules.pl", damaged(adl.PACK, chance))
        told += problems(load_domain, tmp_path / "domain.yaml")
    assert len(told) > 60
    assert all(problem.line >= 1 and problem.column >= 1 and problem.code in CODES for problem in told)


FORMS = st.recursive(
    st.sampled_from(["o", "to", "?o", "level0", "3", "(clear ?o)", "(", "", "~", "x y", "on"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(st.sampled_from(WORDS), inner, min_size=1, max_size=3).map(
            lambda table: "{" + ", ".join(f'"{key}": {value or "~"}' for key, value in table.items()) + "}"
        ),
    ),
    max_leaves=8,
)


@given(form=FORMS, key=st.sampled_from(["precondition", "effect", "cost"]))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_form_of_a_condition_is_read_or_told_what_is_wrong(tmp_path: Path, form: str, key: str):
    write(tmp_path, "rules.pl", adl.PACK)
    plain = {"precondition": "[clear: o]", "effect": "[not: {clear: o}]", "cost": "1", key: form or "~"}
    keys = "".join(f"    {name}: {value}\n" for name, value in plain.items())
    capability = f"  odd:\n    agent: none\n    parameters: {{o: block, to: block}}\n{keys}agents:\n"
    text = adl.DOMAIN.replace("agents:\n", capability)
    told = problems(load_domain, write(tmp_path, "domain.yaml", text))
    assert all(problem.code in CODES and problem.line >= 1 for problem in told)
