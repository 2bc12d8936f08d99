import pytest

from bt.programs.evaluation import ExpressionEvaluator, Trouble
from bt.programs.language import Language
from bt.programs.reader import read_program
from domains.reader import load_domain, load_scene
from semantics.logic.atoms import And, Atom, Not, Or
from semantics.logic.feedback import Code
from semantics.logic.program import ProgramLimits
from semantics.logic.state import State
from tests.bt.programs.worlds import KITCHEN, SMALL

STATE = State(SMALL.facts)


def evaluation(**values):
    return ExpressionEvaluator(Language(KITCHEN, SMALL.things), STATE, values, ProgramLimits())


def expression(text):
    return read_program(f"kept = {text}").body[0].value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 - 4 / 2", 5.0),
        ("7 // 2 + 7 % 4 - -1", 7),
        ("1 < 2 <= 2 != 3", True),
        ("not 1 == 2 and (False or True)", True),
        ("'a' + 1 + True", "a1True"),
        ("[1] + [2, [3]]", [1, 2, [3]]),
        ("[1, 2, 3][-1]", 3),
        ("len([1, 2]) + max(1, 2) + min([5, 4]) + abs(-3)", 11),
        ("2 in [1, 2]", True),
        ("apple0 not in objects('fruit')", False),
        ("objects('fruit')", ["apple0", "banana0"]),
        ("objects('cup') + objects('liquid')", ["cup0"]),
        ("on(apple0, table0)", True),
        ("on(apple0, table)", True),
        ("in_(milk0, fridge0) and closed(fridge)", True),
        ("holds('(and (in milk0 fridge0) (not (opened fridge0)))')", True),
        ("every(on(x, table0) for x in objects('fruit'))", True),
        ("any(on(x, shelf0) for x in objects('fruit'))", False),
        ("every([])", True),
        ("any([False, 1 == 1])", True),
        ("[x for x in objects('carry') if on(x, table0)]", ["apple0", "banana0", "cup0"]),
        ("[a + b for a, b in [[1, 2], [3, 4]]]", [3, 7]),
        ("every(any(x == y for y in [1, 2]) for x in [1, 2])", True),
        ("range(3)", [0, 1, 2]),
        ("x + y", 3),
    ],
)
def test_an_expression_comes_to_its_value(text, value):
    assert evaluation(x=1, y=2).value(expression(text)) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 / 0", "divides by zero"),
        ("[1][1]", "1 members"),
        ("[1][True]", "no number True"),
        ("x + True", "numbers are needed"),
        ("x < 'a'", "numbers are needed"),
        ("not x", "a condition is needed"),
        ("[y for y in x]", "a list is needed"),
        ("nobody", "no value yet"),
        ("on(x, table0)", "a thing is needed"),
        ("objects('moon')", "no group"),
        ("min([])", "at least one"),
        ("abs('a')", "numbers are needed"),
        ("range(1 - 2)", "from 0"),
        ("[a for a, b in [1]]", "2 values are needed"),
    ],
)
def test_an_expression_that_comes_to_nothing_says_why_and_where(text, why):
    with pytest.raises(Trouble) as caught:
        evaluation(x=1).value(expression(text))
    assert why in caught.value.feedback.why
    assert caught.value.feedback.what.startswith("line 1, column ")


def test_the_names_of_a_list_are_forgotten_after_it():
    judge = evaluation(x=7)
    assert judge.value(expression("[any(x == 2 for x in [1, 2, 3]), x, every(x < 2 for x in [1, 2]), x]")) == [
        True,
        7,
        False,
        7,
    ]


def test_a_condition_becomes_a_formula_about_the_things_of_now():
    formula = evaluation(x="cup0").formula(expression("on(x, table0) and not (in_(milk0, fridge) or 1 < 2)"))
    milk = Atom("in", ("milk0", "fridge0"))
    assert formula == And((Atom("on", ("cup0", "table0")), Not(Or((milk, And(()))))))
    every = evaluation().formula(expression("every(on(x, table0) for x in objects('fruit'))"))
    assert every == And((Atom("on", ("apple0", "table0")), Atom("on", ("banana0", "table0"))))


def test_the_numbers_of_a_scene_are_read():
    domain = load_domain("barman")
    scene = load_scene(domain, next(iter(_scenes(domain))))
    name, fluent = next((name, one) for name, one in domain.fluents.items() if not one.parameters)
    judge = ExpressionEvaluator(Language(domain, scene.things), State(scene.facts, scene.numbers), {}, ProgramLimits())
    assert judge.value(expression(f"{name}() * 2")) == scene.numbers[Atom(fluent.name)] * 2
    unknown = ExpressionEvaluator(Language(domain, scene.things), State(scene.facts), {}, ProgramLimits())
    with pytest.raises(Trouble) as caught:
        unknown.value(expression(f"{name}()"))
    assert caught.value.feedback.code is Code.EXCEPTION


def _scenes(domain):
    from pathlib import Path

    return sorted(path.stem for path in (Path(domain.source).parent / "scenes").glob("*.yaml"))
