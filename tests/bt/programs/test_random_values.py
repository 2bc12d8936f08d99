"""Random programs with points, boxes, quantities and lists: each is refused with a place, or comes to an end."""

import math
import os
import random

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Runner
from bt.programs import CheckedProgram, check_program, compile_program
from bt.programs.place_queries import PLACE_QUERIES
from bt.programs.values import RULES, ValueType, numbers_in
from graftwork.setup.bodies import robot_for
from semantics.logic.program import ProgramLimits
from tests.bt.programs.watch import nothing_executed
from tests.bt.programs.worlds import KITCHEN, SMALL

PROGRAMS = 1000 * int(os.environ.get("GRAFTWORK_EXAMPLES", "60")) // 60
LIMITS = ProgramLimits(steps=60, passes=20, items=40, work=2000)
LEAVES = {
    ValueType.NUMBER: ("0", "1", "-3", "0.05", "7", "1e19", "-1e-300", "18446744073709551615", "2"),
    ValueType.NAME: ("apple0", "banana0", "cup0", "milk0", "table0", "'apple0'", "'left'", "'5 cm'", "'moon'", "''"),
    ValueType.LIST: ("[]", "objects('fruit')", "[apple0, cup0]", "[1, 2]", "line(apple0, cup0, 3)", "[[1], apple0]"),
    ValueType.POINT: ("point(0.1, 0.2)", "point(1, 2, 3)", "direction('up')", "middle(table0)", "get_position(cup0)"),
    ValueType.BOX: ("box(point(0, 0), point(1, 1))", "top_of(table0)", "bounding_box(milk0)"),
    ValueType.QUANTITY: ("quantity('5 cm')", "quantity('3 s')", "quantity(0, 'm')"),
    ValueType.TRUTH: ("True", "on(cup0, table0)"),
}
LINES = (
    "kept = {}",
    "say({})",
    "a = {}",
    "b, c = {}",
    "for c in [{}]:\n        say(c)",
    "try:\n        kept = {}\n    except:\n        pass",
)


def expression(chance, types, depth):
    """Return an expression of mostly these types; often in a way that hides its type until the program runs."""
    types = [*LEAVES] if chance.random() < 0.08 else sorted(types)
    made = chance.choice(LEAVES[chance.choice(types)]) if depth == 0 else _deeper(chance, types, depth - 1)
    return f"[{made}][0]" if chance.random() < 0.6 else made


def _deeper(chance, types, depth):
    queries = [name for name, query in PLACE_QUERIES.items() if query.gives in types]
    rules = [key for key, rule in RULES.items() if rule.gives in types]
    kind = chance.randrange(4)
    if kind < 2 and queries:
        return _query(chance, chance.choice(queries), depth)
    if kind == 2 and rules:
        word, *both = chance.choice(rules)
        left, right = (expression(chance, {side}, depth) for side in both)
        return f"({left} {word} {right})"
    inner = expression(chance, types, depth)
    return chance.choice([inner, f"[{inner}, {inner}][-1]", f"[x for x in [{inner}]][0]"])


def _query(chance, name, depth):
    query = PLACE_QUERIES[name]
    count = chance.randint(query.least, len(query.takes))
    given = []
    for argument in query.takes[:count]:
        words = [*argument.words]
        word = words and not argument.is_place and chance.random() < 0.9
        given.append(repr(chance.choice(words)) if word else expression(chance, argument.types, depth))
    return f"{name}({', '.join(given)})"


def program(chance):
    """Return a program of a few statements that keep, say and take apart what is reckoned."""
    wanted = [{chance.choice([*LEAVES])} for _ in range(chance.randint(1, 4))]
    lines = [chance.choice(LINES).format(expression(chance, types, chance.randint(0, 3))) for types in wanted]
    body = "".join(f"    {line}\n" for line in ("kept = 0", *lines, "return kept"))
    return f"def work():\n{body}\n\nresult = work()\nreturn result\n"


def test_each_of_a_thousand_random_programs_is_refused_or_comes_to_an_end():
    robot = robot_for("fake", KITCHEN, SMALL)
    beliefs = Watcher(robot, Scene.start(SMALL, KITCHEN))
    beliefs.refresh()
    told = {"refused": 0, "success": 0, "failure": 0}
    for number in range(PROGRAMS):
        text = program(random.Random(number))
        with nothing_executed():
            checked = check_program(text, KITCHEN, SMALL.things, limits=LIMITS)
        if not isinstance(checked, CheckedProgram):
            assert all(
                mistake.feedback.what.startswith("line ") and mistake.feedback.how for mistake in checked.mistakes
            )
            told["refused"] += 1
            continue
        tree = compile_program(checked, beliefs=beliefs, robot=robot)
        with nothing_executed():
            end = Runner(tree, robot, beliefs).run(60)
        told[str(end.status)] += 1
        assert end.status in ("success", "failure"), (text, end)
        assert end.error is None, text
        if end.status == "failure":
            assert end.reason.what.startswith("line "), (text, end.reason)
        elif tree.frame.returned is not None:
            assert all(math.isfinite(each) and abs(each) < 2**LIMITS.bits for each in numbers_in(tree.frame.returned))
    assert min(told.values()) > PROGRAMS // 20, told
