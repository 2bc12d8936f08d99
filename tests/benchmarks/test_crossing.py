"""What the opening of a session and one sentence cross is counted, and does not grow."""

import ast
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.crossing.crossed import PACKAGES
from benchmarks.crossing.shape import cycles, cycles_among, eager_imports, longest_of

MOST = {"opening": {"files": 90, "functions": 530}, "all": {"files": 93, "functions": 512}}
MOST_OF_REPLIES = {
    "query": {"files": 83, "functions": 295},
    "program": {"files": 120, "functions": 655},
    "correction": {"files": 58, "functions": 145},
}
"""What may be crossed: the figures on the page of benchmarks, and a little more, since threads of a planner differ."""


def test_the_figures_hang_together():
    # In a process of its own: what other tests have left in caches is not crossed again.
    words = [sys.executable, "-m", "benchmarks.crossing.suite", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    taken = json.loads(done.stdout)
    by_package = taken["crossed"]
    assert set(by_package) == set(PACKAGES)
    for kind in ("files", "functions"):
        assert all(row[kind] > 0 for row in by_package.values())
        assert taken["together"][kind] == by_package["bt"][kind] + by_package["graftwork"][kind]
        assert taken["all"][kind] == sum(row[kind] for row in by_package.values())
    assert taken["all"]["functions"] > taken["all"]["files"]
    counted = {part: taken[part] for part in MOST} | {kind: taken["replies"][kind] for kind in MOST_OF_REPLIES}
    bounds = [(part, kind, most) for part, row in (MOST | MOST_OF_REPLIES).items() for kind, most in row.items()]
    assert [each for each in bounds if not 0 < counted[each[0]][each[1]] <= each[2]] == [], counted
    assert taken["tree"]["nodes"] > 5
    assert 2 < taken["tree"]["depth"] <= taken["tree"]["nodes"]
    assert 1 < taken["function lines, 90th percentile"] < 40


def test_only_what_is_imported_at_once_counts(tmp_path: Path):
    text = """
        import bt.one
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from bt import two
        try:
            from . import three
        except ImportError:
            from ..four import five
        def later():
            import bt.two
    """
    file = tmp_path / "module.py"
    file.write_text(ast.unparse(ast.parse(text.replace("\n        ", "\n"))), encoding="utf-8")
    known = dict.fromkeys(["bt.one", "bt.two", "bt.sub.three", "bt.four.__init__", "bt.sub.module"], file)
    assert list(eager_imports(file, "bt.sub.module", known)) == ["bt.one", "bt.sub.three", "bt.four.__init__"]


def test_a_circle_is_found_at_its_own_level_and_no_other(tmp_path: Path):
    for name, text in {
        "bt/__init__.py": "",
        "bt/upper/__init__.py": "",
        "bt/upper/one.py": "from bt.lower.two import x",
        "bt/lower/__init__.py": "",
        "bt/lower/two.py": "x = 1",
        "bt/lower/three.py": "import bt.upper.one",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert cycles(sorted(tmp_path.rglob("*.py")), tmp_path) == {"bt": [["lower", "upper"]]}


def test_names_that_come_to_each_other_are_one_circle():
    imports = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"a"}}
    assert cycles_among(imports) == [["a", "b", "c"]]
    assert cycles_among({"a": {"b"}, "b": set()}) == []


def test_the_length_that_nine_in_ten_functions_keep(tmp_path: Path):
    file = tmp_path / "module.py"
    file.write_text("".join(f"def f{n}():\n" + "    x = 1\n" * n for n in range(1, 11)), encoding="utf-8")
    assert longest_of(0.0, [file]) == 2
    assert longest_of(0.9, [file]) == 11
