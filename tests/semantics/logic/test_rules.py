import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.rules import RuleBook
from tests.semantics.toy import RULES, SomeRule, thing, vocabulary

THINGS = vocabulary().things


def conjunct(*atoms):
    return frozenset(Literal(Atom(*atom.split("/")[:1], tuple(atom.split("/")[1:]))) for atom in atoms)


def found(book, *conjuncts, things=THINGS):
    return [[(each.rule.name, each.culprits) for each in broken] for broken in book.violations(conjuncts, things)]


def test_a_name_that_no_text_can_hold_is_refused():
    with pytest.raises(UsageError, match="cannot take"):
        RuleBook(RULES).violations([conjunct("on/\ud800/a")], THINGS)


def test_each_conjunct_gets_its_own_violations_in_the_order_of_the_rules():
    book = RuleBook(RULES)
    assert found(
        book,
        conjunct("on/a/x", "on/a/y", "in/a/z"),
        conjunct("on/a/x"),
        conjunct("on/a/x", "in/a/z"),
    ) == [
        [("one-place", ("a", "x", "y")), ("on-or-in", ("a", "x", "z")), ("on-or-in", ("a", "y", "z"))],
        [],
        [("on-or-in", ("a", "x", "z"))],
    ]


def test_negated_literals_count():
    denied = frozenset({Literal(Atom("opened", ("a",)), False), Literal(Atom("shut", ("a",)), False)})
    assert found(RuleBook(RULES), denied, denied - {Literal(Atom("shut", ("a",)), False)}) == [
        [("open-or-shut", ("a",))],
        [],
    ]


def test_a_rule_sees_the_classes_and_affordances_of_the_scene_it_is_asked_about():
    book = RuleBook([SomeRule("no-box", "holds(on, [X, Y]), thing(Y, box), affords(X, small), Culprits = [X, Y]")])
    goal = conjunct("on/screw0/box0", "on/hammer0/box0")
    assert found(book, goal) == [[("no-box", ("screw0", "box0"))]]
    assert found(book, goal, things={"box0": thing("box0")}) == [[]]
    assert found(book, goal) == [[("no-box", ("screw0", "box0"))]]


def test_books_do_not_mix():
    one = RuleBook([SomeRule("same", "holds(p, [X]), Culprits = [X]")])
    other = RuleBook([SomeRule("same", "holds(q, [X]), Culprits = [X]")])
    goal = conjunct("p/a", "q/b")
    assert found(one, goal) == [[("same", ("a",))]]
    assert found(other, goal) == [[("same", ("b",))]]
    assert found(one, goal) == [[("same", ("a",))]]


def test_a_violation_is_told_once():
    book = RuleBook([SomeRule("twice", "holds(p, [X]), member(_, [1, 2]), Culprits = [X]")])
    assert found(book, conjunct("p/a")) == [[("twice", ("a",))]]


def test_without_rules_or_conjuncts_there_is_nothing_to_ask():
    assert found(RuleBook(()), conjunct("p/a")) == [[]]
    assert found(RuleBook(RULES)) == []


@settings(deadline=None)  # the first check starts a process
@given(st.text(max_size=12))
@example("'")
@example("\\")
@example("x'), halt, ('")
@example("\n\t\x00é🍎%")
@example("Culprits")
@example("\ufffe\U0006c000\U0010ffff")
def test_a_name_is_data_whatever_it_holds(name):
    book = RuleBook([SomeRule(name, "holds(on, [X, Y]), Y == bench0, affords(X, carry), Culprits = [Y]")])
    things = {name: thing("hammer0").__class__(name, name, frozenset({"carry"}))}
    goal = frozenset({Literal(Atom("on", (name, "bench0"))), Literal(Atom(name, (name,)))})
    (broken,) = book.violations([goal], things)
    assert [each.culprits for each in broken] == [("bench0",)]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("holds(on, [X", "syntax error"),
        ("holds(on, [X, Y])", "does not bind Culprits"),
        ("", "does not bind Culprits"),
        ("% nothing", "does not bind Culprits"),
        ("shell(ls), Culprits = []", "may not call shell/1"),
        ("halt, Culprits = []", "may not call halt/0"),
        ("findall(X, shell(X), _), Culprits = []", "may not call shell/1"),
        ("\\+ open(f, write, _), Culprits = []", "may not call open/3"),
        ("G = halt, G, Culprits = []", "may not call a variable"),
        ("call(halt), Culprits = []", "may not call call/1"),
        ("lists:member(X, [a]), Culprits = [X]", "may not call"),
        ("forall(true, assertz(p)), Culprits = []", "may not call assertz/1"),
        ("hold(on, [X, Y]), Culprits = [X, Y]", "may not call hold/2"),
        ("holds(p, [X]), Culprits = X", "not a list of names"),
        ("holds(p, [_]), Culprits = [_]", "not a list of names"),
        ("holds(p, [X]), X < 3, Culprits = [X]", "type_error"),
        ("length(L, _), fail, Culprits = [L]", "takes too long"),
    ],
)
def test_a_broken_rule_is_named_with_the_reason(body, reason):
    book = RuleBook([*RULES, SomeRule("the-broken-one", body)], seconds=0.3)
    with pytest.raises(UsageError, match="'the-broken-one'") as caught:
        book.violations([conjunct("p/a")], THINGS)
    assert reason in str(caught.value)
    assert found(RuleBook(RULES), conjunct("on/a/x", "in/a/z")) == [[("on-or-in", ("a", "x", "z"))]]


def test_every_broken_rule_is_named_at_once():
    book = RuleBook([SomeRule("one", "halt"), RULES[0], SomeRule("two", "p(")])
    with pytest.raises(UsageError, match=r"'one'.*'two'"):
        book.violations([conjunct("p/a")], THINGS)


def test_calls_from_many_threads_get_their_own_answers():
    book = RuleBook(RULES)

    def ask(number):
        names = {f"screw{number}": thing("screw0")}
        return found(book, conjunct(f"on/screw{number}/a", f"in/screw{number}/b"), things=names)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(64)))
    assert answers == [[[("on-or-in", (f"screw{number}", "a", "b"))]] for number in range(64)]


SCRIPT = """
import sys
from semantics.logic.atoms import Atom, Literal
from semantics.errors import PrologUnavailableError
from semantics.logic.rules import RuleBook
from tests.semantics.toy import RULES
leave = sys.exit
book = RuleBook(RULES)
try:
    book.violations([frozenset({Literal(Atom("p"))})], {})
except PrologUnavailableError as error:
    assert "swi-prolog-nox" in str(error), error
    sys.exit(9)
assert sys.exit is leave
assert "pyswip" not in sys.modules
sys.exit(7)
"""


@pytest.mark.parametrize(("missing", "code"), [("nothing", 7), ("pyswip", 9), ("swipl", 9)])
def test_prolog_is_not_loaded_here_and_it_is_said_when_it_is_missing(missing, code, tmp_path):
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[3]}"}
    if missing == "pyswip":
        (tmp_path / "pyswip.py").write_text("raise ImportError('there is none')")
    if missing == "swipl":
        environment |= {"LIBSWIPL_PATH": "/nowhere", "SWI_HOME_DIR": "/nowhere"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")
