"""Definitions that come with rules may come from a stranger: what they can do is to say yes or no, and to end."""

from pathlib import Path

import pytest

from domains.reader.rules import read_pack
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.rules import RuleBook
from tests.semantics.toy import SomeRule

GOAL = [frozenset({Literal(Atom("on", ("a", "b"))), Literal(Atom("on", ("b", "c")))})]
ABOVE = """
% above(X, Y): by way of any number of others.
above(X, Y) :- holds(on, [X, Y]).
above(X, Z) :- holds(on, [X, Y]), above(Y, Z).
"""
CALLS_IT = "attempt(X), Culprits = [X]"


def broken_by(body, definitions, seconds=1.0):
    book = RuleBook([SomeRule("mine", body, definitions=definitions)], seconds=seconds)
    return [each.culprits for each in book.violations(GOAL, {})[0]]


def test_a_rule_may_call_what_its_pack_defines():
    assert broken_by("above(X, c), Culprits = [X]", ABOVE) == [("b",), ("a",)]


def test_definitions_of_two_books_do_not_mix():
    one = RuleBook([SomeRule("same", CALLS_IT, definitions="attempt(one).")])
    other = RuleBook([SomeRule("same", CALLS_IT, definitions="attempt(other).")])
    told = [[each.culprits for each in book.violations(GOAL, {})[0]] for book in (one, other, one)]
    assert told == [[("one",)], [("other",)], [("one",)]]


def test_a_definition_may_have_the_name_of_anything_that_is_not_asked():
    assert broken_by("shell(X), Culprits = [X]", "shell(X) :- holds(on, [X, c]).") == [("b",)]


def test_a_denial_in_a_pack_is_asked_of_each_conjunct():
    pack = "bare(X) :- holds(on, [X, _]), \\+ holds(on, [_, X])."
    book = RuleBook([SomeRule("mine", "bare(X), Culprits = [X]", definitions=pack)])
    first, second = book.violations([GOAL[0], frozenset({Literal(Atom("on", ("b", "c")))})], {})
    assert ([each.culprits for each in first], [each.culprits for each in second]) == ([("a",)], [("b",)])


REFUSED = [
    "attempt(a) :- shell('touch {file}').",
    "attempt(a) :- system('touch {file}').",
    "attempt(a) :- open('{file}', write, S), close(S).",
    "attempt(a) :- tell('{file}'), told.",
    "attempt(a) :- see('{file}').",
    "attempt(a) :- consult('{file}').",
    "attempt(a) :- load_files('{file}', []).",
    "attempt(a) :- use_module(library(process)).",
    "attempt(a) :- process_create(path(touch), ['{file}'], []).",
    "attempt(a) :- assertz(known(shell, 1)).",
    "attempt(a) :- asserta(holds(a, [])).",
    "attempt(a) :- retractall(scene_thing(_, _)).",
    "attempt(a) :- abolish(known/2).",
    "attempt(a) :- halt.",
    "attempt(a) :- nb_setval(graftwork_rule, x).",
    "attempt(a) :- b_setval(graftwork_holds, []).",
    "attempt(a) :- thread_create(halt, _, []).",
    "attempt(a) :- format('{file}', []).",
    "attempt(a) :- with_output_to(string(_), shell(ls)).",
    "attempt(a) :- op(200, xfx, --->).",
    "attempt(a) :- set_prolog_flag(stack_limit, 1000000000000).",
    "attempt(a) :- system:halt.",
    "attempt(a) :- @(halt, user).",
    "attempt(a) :- call(halt).",
    "attempt(a) :- G = halt, G.",
    "attempt(a) :- findall(X, (X = a, halt), _).",
    "attempt(a) :- forall(true, shell(ls)).",
    "attempt(a) :- once((true ; halt)).",
    "attempt(a) :- \\+ \\+ halt.",
    "attempt(a) :- ( true -> halt ; true ).",
    "attempt(a) :- catch(halt, _, true).",
    "attempt(a) :- setof(X, shell(X), _).",
    "attempt(a) :- maplist(shell, [ls]).",
    "attempt(a) :- foldl(shell, [ls], a, _).",
    "attempt(a) :- term_to_atom(X, 'halt'), X.",
    "attempt(a) :- X =.. [shell, ls], X.",
    "attempt(a) :- read(X), X.",
    "attempt(a) :- getenv('HOME', X), X = a.",
    "attempt(a) :- atom_length(X, 1000000000), X = a.",
    "attempt(a) :- X is 7 ** 7 ** 7 ** 7, X > 1.",
    "attempt(a) :- X is 1 << 100000000000, X > 1.",
    ":- shell('touch {file}').\nattempt(a).",
    ":- initialization(halt).\nattempt(a).",
    "?- halt.\nattempt(a).",
    "attempt(a) --> [b].",
    "holds(_, _).\nattempt(a).",
    "member(_, _).\nattempt(a).",
    "user:attempt(a).",
    "(attempt(a), attempt(b)) :- true.",
    "X :- halt.",
    "attempt(a",
    "attempt(a) :- holds(on, [X, Y]",
    "goal_expansion(_, halt).\nattempt(a) :- nothing.",
    "attempt(a) :- pack.",
    "attempt(a) :- 'pack 1 attempt'(a).",
    'attempt(a) :- "{{halt}}" = X, X.',
    "attempt(a) :- tnot(halt).",
]
ENDLESS = [
    "attempt(X) :- attempt(X).",
    "attempt(X) :- attempt(X), holds(on, [X, _]).",
    "attempt(X) :- attempt([X]).",
    "attempt(X) :- more(X, [a, a]).\nmore(X, L) :- append(L, L, M), more(X, M).",
    "attempt(X) :- square(X, 3).\nsquare(X, N) :- M is N * N, square(X, M).",
    "attempt(X) :- between(1, inf, N), N < 0, X = a.",
    "attempt(X) :- length(L, N), N < 0, L = X.",
    "attempt(X) :- findall(N, between(1, inf, N), L), member(X, L).",
    "attempt(X) :- length(L, 1000000000), member(X, L).",
    "attempt(X) :- append(L, _, L), member(X, []).",
    "attempt(X) :- forall(between(1, inf, N), N > 0), X = a.",
]


@pytest.mark.parametrize("pack", REFUSED)
def test_an_escape_is_refused_before_it_is_called(tmp_path: Path, pack):
    text = pack.replace("{file}", str(tmp_path / "made")).replace("{{", "{").replace("}}", "}")
    with pytest.raises(UsageError, match=r"the rule pack: ."):
        broken_by(CALLS_IT, text)
    assert not list(tmp_path.iterdir())
    assert broken_by("holds(on, [X, c]), Culprits = [X]", "") == [("b",)]


@pytest.mark.parametrize("pack", REFUSED)
def test_the_reader_finds_an_escape_too_without_prolog(pack):
    assert read_pack(pack).faults


@pytest.mark.parametrize("pack", ENDLESS)
def test_what_does_not_end_is_ended(pack):
    assert read_pack(pack).faults == ()
    with pytest.raises(UsageError, match=r"'mine': it (takes too long|needs too much memory)"):
        broken_by(CALLS_IT, pack, seconds=0.3)
    assert broken_by("holds(on, [X, c]), Culprits = [X]", "") == [("b",)]


def test_a_name_of_any_length_is_a_name():
    assert broken_by("attempt(X), X == b, Culprits = [X]", f"attempt({'a' * 100_000}).") == []
