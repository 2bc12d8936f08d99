"""What a program asks about places: the answers, the mistakes that are told before the run, and those of the run."""

import pytest

from bt.programs.evaluation import ExpressionEvaluator, Trouble
from bt.programs.language import Language
from bt.programs.place_queries import PLACE_QUERIES
from bt.programs.reader import read_program
from bt.programs.values import RULES, type_of
from semantics.body.observation import Sighting
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import Solid
from semantics.logic.feedback import Code
from semantics.logic.program import ProgramLimits
from semantics.logic.quantity import Quantity
from semantics.logic.state import State
from tests.bt.programs.worlds import FOUR, KITCHEN, SMALL, TABLETOP, Stage, failure, mistakes, said

TOP = Box((-1.0, -0.5, 0.9), (1.0, 0.5, 1.0))


def standing(name, low, high):
    box = Box(low, high)
    return Sighting(name, box, solid=Solid("box", box.size, (*box.centre[:2], low[2]), 0.0))


SEEN = {
    "table0": Sighting("table0", Box((-1.0, -0.5, 0.0), (1.0, 0.5, 1.0)), surfaces=(TOP,)),
    "apple0": standing("apple0", (-0.5, 0.2, 1.0), (-0.3, 0.4, 1.2)),
    "banana0": standing("banana0", (0.2, -0.1, 1.0), (0.4, 0.1, 1.2)),
    "cup0": standing("cup0", (-0.1, -0.3, 1.0), (0.1, -0.1, 1.2)),
}
LIMITS = ProgramLimits()


def value(text, reaches=None, **values):
    language = Language(KITCHEN, SMALL.things)
    judge = ExpressionEvaluator(language, State(SMALL.facts), values, LIMITS, sightings=lambda: SEEN, reaches=reaches)
    return judge.value(read_program(f"kept = {text}").body[0].value)


def reason(text, **values):
    with pytest.raises(Trouble) as caught:
        value(text, **values)
    return caught.value.feedback


def told(result):
    """Round the figures of a result."""
    if isinstance(result, MapPoint):
        return tuple(round(number, 6) for number in result.coordinates)
    if isinstance(result, list):
        return [told(member) for member in result]
    return round(result, 6) if isinstance(result, float) else result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("get_position(apple0)", (-0.4, 0.3, 1.1)),
        ("get_position(table)", (0, 0, 0.5)),
        ("get_position('cup0')", (0, -0.2, 1.1)),
        ("get_position(point(1, 2))", (1, 2)),
        ("extent(apple0)", (0.2, 0.2, 0.2)),
        ("bounding_box([apple0, cup0])", Box((-0.5, -0.3, 1.0), (0.1, 0.4, 1.2))),
        ("bounding_box(point(1, 2))", Box((1, 2, 0.0), (1, 2, 0.0))),
        ("top_of(table0)", Box((-1.0, -0.5, 1.0), (1.0, 0.5, 1.0))),
        ("corner(table0, 'top left')", (-1, 0.5, 1)),
        ("corner(table0, 'bottom right corner', 0.1)", (0.9, -0.4, 1)),
        ("corners(table0, quantity('10 cm'))", [(-0.9, 0.4, 1), (0.9, 0.4, 1), (0.9, -0.4, 1), (-0.9, -0.4, 1)]),
        ("side(table0, 'left side')", (-1, 0, 1)),
        ("sides(box(point(0, 0), point(2, 1)))", [(0, 0.5, 0), (2, 0.5, 0), (1, 1, 0), (1, 0, 0)]),
        ("middle(table0)", (0, 0, 1)),
        ("between(apple0, cup0)", (-0.2, 0.05, 1.1)),
        ("between(apple0, cup0, 0)", (-0.4, 0.3, 1.1)),
        ("toward(point(0, 0), point(0, 2), quantity('50 cm'))", (0, 0.5)),
        ("toward(point(0, 0), point(0, 2), -1)", (0, -1)),
        ("line(point(0, 0), point(1, 2), 3)", [(0, 0), (0.5, 1), (1, 2)]),
        ("circle(point(0, 0), 1, 4)", [(1, 0), (0, 1), (-1, 0), (0, -1)]),
        ("closest(apple0, [banana0, cup0])", "cup0"),
        ("farthest(apple0, [banana0, cup0, apple0])", "banana0"),
        ("closest(apple0, [apple0, banana0])", "banana0"),
        ("closest(point(0, 0), [point(3, 3), point(1, 1)])", (1, 1)),
        ("sorted_by([banana0, apple0, cup0], 'left')", ["apple0", "cup0", "banana0"]),
        ("sorted_by([banana0, apple0, cup0], 'north')", ["apple0", "banana0", "cup0"]),
        ("sorted_by([banana0, apple0, cup0], 'bottom side')", ["cup0", "banana0", "apple0"]),
        ("sorted_by([banana0, apple0], cup0)", ["banana0", "apple0"]),
        ("sorted_by([banana0, apple0, cup0], 'rightmost')", ["banana0", "cup0", "apple0"]),
        ("direction('above') * 2", (0, 0, 2)),
        ("lies_to(table0, 'below', apple0)", True),
        ("is_free(apple0, [apple0])", True),
        ("is_free(apple0, [cup0])", False),
        ("is_free(point(-0.6, 0.3), [cup0, apple0])", True),
        ("is_free(point(0.1, 0.3), [cup0], 0.25)", False),
        ("is_free(point(0.1, 0.3), [cup0], quantity('5 cm'))", True),
        ("free_points([apple0], apple0, 0.1)", [(-0.4, 0.3, 1.1)]),
        ("count(free_points([apple0, cup0], point(0, 0), 0.5, 0))", 2),
        ("lies_to(apple0, 'left', banana0)", True),
        ("lies_to(apple0, 'east', banana0)", False),
        ("lies_to(apple0, 'up', table0)", True),
        ("inside(apple0, table0)", True),
        ("inside(point(0, 0.6), table0)", False),
        ("distance(apple0, banana0)", 0.761577),
        ("distance(point(0, 0), point(3, 4, 9))", 5),
        ("count([1, 2, 3])", 3),
        ("point(quantity('5 cm'), 1) + point(0, 0, 2)", (0.05, 1, 2)),
        ("get_position(cup0) + direction('left') * 0.1", (-0.1, -0.2, 1.1)),
        ("-2 * direction('top') / 4", (0, -0.5)),
        ("-point(1, 2)", (-1, -2)),
        ("get_position(apple0)[1]", 0.3),
        ("point(1, 2) == point(1, 2)", True),
        ("point(1, 2) in [point(1, 2)]", True),
        ("'at ' + point(1, 2) + ' for ' + quantity('3 s')", "at (1, 2) for 3s"),
        ("'in ' + top_of(table0)", "in the box from (-1, -0.5, 1) to (1, 0.5, 1)"),
        ("[a + b for a, b in [point(1, 2), point(3, 4)]]", [3, 7]),
        ("quantity('30 cm') / quantity('1 m')", 0.3),
        ("quantity('1 m') + quantity(50, 'cm')", Quantity(1.5, "m")),
        ("-quantity(50, 'cm') * 2", Quantity(-100, "cm")),
        ("quantity('1 l') / 4 - quantity('50 ml')", Quantity(0.2, "l")),
        ("quantity('1 l') == quantity('1000 ml') and quantity('1 l') != quantity('1 kg')", True),
        ("quantity('90 s') > quantity('1 min')", True),
        ("distance(apple0, cup0) > quantity('30 cm')", True),
        ("distance(apple0, cup0) < quantity('30 cm')", False),
        ("quantity('70 cm') <= distance(apple0, cup0)", False),
    ],
)
def test_a_query_comes_to_its_value(text, expected):
    result = value(text)
    assert told(result) == expected or result == expected


@pytest.mark.parametrize(
    ("text", "why", "code"),
    [
        ("get_position(milk0)", "nobody knows where milk0 is: it is not in view", Code.NOT_VISIBLE),
        ("get_position(x)", "'moon' names none", Code.UNKNOWN_NAME),
        ("closest(apple0, [banana0, milk0])", "nobody knows where milk0 is", Code.NOT_VISIBLE),
        ("closest(apple0, [])", "no members", Code.EXCEPTION),
        ("is_free(p, [])", "has no members", Code.EXCEPTION),
        ("free_points([cup0], apple0, 0.1)", "no room for 1 thing within 0.1 m of", Code.NO_ROOM),
        ("free_points([cup0], apple0, q * -1)", "no room", Code.NO_ROOM),
        ("free_points([cup0, milk0], apple0, 1)", "nobody knows where milk0 is", Code.NOT_VISIBLE),
        ("farthest(apple0, [apple0])", "none but the thing itself", Code.EXCEPTION),
        ("bounding_box([])", "no members", Code.EXCEPTION),
        ("closest(apple0, [1])", "the member of the list is a box or a point or a thing", Code.EXCEPTION),
        ("between(apple0, n)", "the second place is a box or a point or a thing or a text", Code.EXCEPTION),
        ("corner(apple0, x)", "'moon' is no corner", Code.EXCEPTION),
        ("middle(p)", "the region is a box or a thing or a text, and this is (1, 2)", Code.EXCEPTION),
        ("line(p, p, n - 3)", "a whole number from 1", Code.EXCEPTION),
        ("line(p, p, 401)", "more than 400 members", Code.BUDGET_SPENT),
        ("circle(p, n, n + 0.5)", "a whole number", Code.EXCEPTION),
        ("circle(point(1e19, 0), 1e19, 3)", "64 bits", Code.BUDGET_SPENT),
        ("p * 18000000000000000000", "64 bits", Code.BUDGET_SPENT),
        ("p / 0", "divides by zero", Code.EXCEPTION),
        ("q / (q - q)", "divides by zero", Code.EXCEPTION),
        ("p * p", "numbers are needed", Code.EXCEPTION),
        ("p < p", "numbers are needed", Code.EXCEPTION),
        ("p[2]", "2 members", Code.EXCEPTION),
        ("q + quantity('1 s')", "1s is a duration and no length", Code.EXCEPTION),
        ("q + n", "numbers are needed", Code.EXCEPTION),
        ("n < quantity('1 ' + 's')", "1s is a duration and no length", Code.EXCEPTION),
        ("quantity(n, x)", "'moon' is no unit", Code.EXCEPTION),
        ("quantity(x)", "'moon' is no quantity", Code.EXCEPTION),
        ("quantity(n)", "a number and a unit", Code.EXCEPTION),
        ("toward(p, apple0, quantity('3 s'))", "the length is a length, and 3s is a duration", Code.EXCEPTION),
        ("abs(p)", "numbers are needed", Code.EXCEPTION),
        ("max(p, 1)", "numbers are needed", Code.EXCEPTION),
        ("[a for a, b in [point(1, 2, 3)]]", "2 values are needed", Code.EXCEPTION),
        ("-bounding_box(apple0)", "numbers are needed", Code.EXCEPTION),
    ],
)
def test_a_query_that_comes_to_nothing_says_why_and_where(text, why, code):
    feedback = reason(text, x="moon", n=2, p=MapPoint(1, 2), q=Quantity(5, "cm"))
    assert why in feedback.why
    assert feedback.code is code
    assert feedback.what.startswith("line 1, column ")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("x = corner(table0, 'topp left')", (1, 20), "Did you mean top left"),
        ("x = side(table0, 'corner')", (1, 18), "Take one of: left, right, top, bottom."),
        ("x = direction('beyond')", (1, 15), "left, right, top, bottom, west"),
        ("x = point(1, 'a')", (1, 14), "the y of point is a number or a quantity"),
        ("x = point(1, 2) * point(1, 2)", (1, 5), "it takes a number with a number"),
        ("x = point(1, 2) < 1", (1, 5), "is a number or a quantity, and this is a point"),
        ("x = point(1, 2) + 1", (1, 5), "it adds a number and a point"),
        ("x = box(apple0, cup0) + box(apple0, cup0)", (1, 5), "it adds a box and a box"),
        ("x = -box(apple0, cup0)", (1, 6), "is a number or a point or a quantity, and this is a box"),
        ("x = get_position('aple0')", (1, 18), "Did you mean apple0"),
        ("x = get_position(aple0)", (1, 18), "Did you mean apple0"),
        ("x = closest(cup0, ['aple0'])", (1, 20), "Did you mean apple0"),
        ("x = sorted_by(objects('fruit'), 'lft')", (1, 33), "Did you mean left?"),
        ("x = sorted_by(apple0, 'left')", (1, 15), "the list of sorted_by is a list"),
        ("x = line(apple0, cup0)", (1, 5), "it takes 3 arguments by place, and here are 2"),
        ("x = corner(table0)", (1, 5), "it takes 2 to 3 arguments by place, and here are 1"),
        ("x = line(apple0, cup0, n=3)", (1, 5), "Write it as line(first_place, second_place, number_of_points)."),
        ("x = line(apple0, cup0, 2.5)", (1, 24), "a whole number from 1"),
        ("x = quantity('5 foo')", (1, 5), "'foo' is no unit"),
        ("x = quantity(5, 'foo')", (1, 17), "'foo' is no unit"),
        ("x = quantity('5 cm') + 3", (1, 5), "it adds a number and a quantity"),
        ("x = quantity('5 cm') - quantity('3 s')", (1, 5), "5cm is a length and 3s is a duration"),
        ("x = quantity('5 cm') < quantity('3 s')", (1, 5), "5cm is a length and 3s is a duration"),
        ("x = circle(apple0, quantity('3 s'), 4)", (1, 20), "the radius is a length, and 3s is a duration"),
        ("p = point(1, 2)\ngrasp(p)", (2, 7), "a thing is needed here"),
        ("p = point(1, 2)\nx = on(p, table0)", (2, 8), "a thing is needed here"),
        ("for p in line(apple0, cup0, 3):\n    x = p < 1", (2, 9), "and this is a point"),
        ("p = point(1, 2)\nx = p[0] + 'a'\ny = p['a']", (3, 7), "which member is a number"),
        ("return box(apple0, cup0)", (1, 8), "Return a part of it"),
        ("get_position(cup0)", (1, 1), "it is a question and does nothing"),
        ("def line(a):\n    return a", (1, 1), "this name has a meaning here already"),
    ],
)
def test_a_mistake_is_told_before_the_run_with_its_place(text, place, words):
    (mistake,) = mistakes(text)
    assert (mistake.place.line, mistake.place.column) == place
    assert words in str(mistake)


def test_a_value_may_be_called_like_a_query():
    assert said("distance = distance(apple0, apple0)\nsay('it is ' + distance)", body="fake") == ["it is 0.0"]


def test_a_predicate_of_the_world_with_the_same_name_and_arity_comes_first():
    language = Language(KITCHEN, SMALL.things)
    language.predicates["inside"] = language.predicates["on"]
    language.predicates["line"] = language.predicates["on"]
    calls = {text: read_program(f"x = {text}").body[0].value for text in ("inside(a, b)", "line(a, b, 3)")}
    assert language.place_query(calls["inside(a, b)"]) is None
    assert language.place_query(calls["line(a, b, 3)"]) is PLACE_QUERIES["line"]


def test_a_thing_that_nobody_has_seen_is_a_failure_that_can_be_caught():
    text = "try:\n    x = get_position(milk0)\nexcept:\n    say('not seen')\n"
    assert said(text, body="fake") == ["not seen"]


def test_a_body_without_positions_is_named_as_the_reason():
    assert "senses no positions" in failure("x = get_position(cup0)", body="symbolic").why


def test_an_agent_has_a_place():
    text = "before = get_position(robot0)\nmove(end=table0)\nreturn distance(before, robot0) > 1"
    stage = Stage(text, body="fake")
    assert stage.run().status == "success"
    assert stage.tree.answer.value is True


def test_positions_are_those_of_the_moment():
    text = (
        "move(end=table0)\nbefore = get_position(cup0)\ngrasp(cup0)\nmove(end=counter0)\nplace(cup0)\n"
        "say(distance(before, cup0) > 1)\nsay(inside(cup0, counter0))"
    )
    assert said(text, body="fake") == ["True", "True"]


def test_every_rule_gives_the_type_that_it_says():
    samples = {type_of(sample): sample for sample in (6, MapPoint(1.0, 2.0), Quantity(5, "cm"))}
    for (_, left, right), rule in RULES.items():
        assert type_of(rule.compute(samples[left], samples[right])) is rule.gives


def test_directions_in_a_program_are_those_of_the_world():
    stage = Stage("return sorted_by(objects('bowl'), 'left')", domain=TABLETOP, scene=FOUR, body="fake")
    stage.run()
    # The arm of this world looks along x: its left is where y is large, although y points to the top elsewhere.
    ys = [stage.beliefs.sightings[name].box.centre[1] for name in stage.tree.answer.value]
    assert ys == sorted(ys, reverse=True)
    assert ys[0] - ys[-1] > 0.2


def test_the_body_is_asked_about_the_middle_of_a_thing_the_top_of_furniture_and_what_is_at_a_point():
    asked = []
    for text in ("apple0", "table0", "point(0.3, 0)", "point(0.9, 0.4)", "point(5, 5)", "point(1, 2, 3)"):
        assert value(f"reachable({text})", reaches=lambda point: asked.append(point) or True) is True
    tops = [(0.3, 0.0, 1.2), (0.9, 0.4, 1.0), (5, 5, 0.0)]
    expected = [(-0.4, 0.3, 1.1), (0.0, 0.0, 1.0), *tops, (1, 2, 3)]
    assert [tuple(round(number, 6) for number in point) for point in asked] == expected


def test_what_no_body_tells_is_refused_and_not_guessed():
    with pytest.raises(Trouble) as caught:
        value("reachable(apple0)")
    assert caught.value.feedback.code is Code.REFUSED_BY_BODY
    assert "does not tell what its hand reaches" in caught.value.feedback.why


def test_free_points_are_within_reach_if_there_are_enough_such_points():
    asked = []

    def near(point):
        asked.append(point[2])
        return point[0] < -0.05

    (here,) = value("free_points([cup0], point(0, 0.3), 0.2)", reaches=near)
    assert here.x == pytest.approx(-0.06, abs=0.011)
    assert set(asked) == {1.1}  # where the hand would be around a cup of 20 cm on the table
    assert all(p.x < -0.05 for p in value("free_points([apple0, cup0], point(0, 0.3), 0.6, 0)", reaches=near))
    assert told(value("free_points([cup0], point(0, 0.3), 0.2)", reaches=lambda _: False)) == [(0, 0.3)]
