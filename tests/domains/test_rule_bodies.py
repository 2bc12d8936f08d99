"""Rules come from files that may come from strangers, so their bodies may ask only harmless things."""

import re

import pytest

from domains.reader import load_domain
from domains.reader.rules import ASKABLE, faults, read_pack
from semantics.process.prolog import PROGRAM

HARMLESS = [
    "holds(on, [X, Y]), Culprits = [X, Y]",
    "holds(P, Culprits), fails(P, Culprits)",
    "holds(on, [X, Y]), ( thing(X, cup) ; thing(X, mug) ), \\+ affords(Y, support), Culprits = [X]",
    "findall(X-Y, (holds(on, [X, Y]), X \\== Y), Pairs), Pairs = [A-_ | _], Culprits = [A]",
    "holds(on, [X, 'table']), X @< Y, Y = b, Culprits = [X] % why not",
    "( holds(on, [X, _]) -> Culprits = [X] ; fail )",
    "findall(X, holds(at, [X, _]), All), length(All, N), N > 1, Culprits = All",
]
HARMFUL = {
    "halt, Culprits = []": (0, "'halt'"),
    "holds(on, [X, Y]), shell(ls), Culprits = [X]": (19, "'shell'"),
    "holds(on, [X, Y]), \\+ halt, Culprits = [X]": (22, "'halt'"),
    "forall(holds(on, [X, Y]), halt), Culprits = [X]": (26, "'halt'"),
    "findall(X, halt, L), Culprits = L": (11, "'halt'"),
    "once(halt), Culprits = []": (5, "'halt'"),
    "G = halt, G, Culprits = []": (10, "'G'"),
    "(((halt))), Culprits = []": (3, "'halt'"),
    "system:halt, Culprits = []": (6, "':'"),
    "X = a, 'halt', Culprits = []": (7, "'halt'"),
    "'shell'(ls), Culprits = []": (0, "'''"),
    "call(halt), Culprits = []": (0, "'call'"),
    "assertz(holds(a, [])), Culprits = []": (0, "'assertz'"),
    "holds(on, [X, Y]), !, Culprits = [X]": (19, "'!'"),
    "holds(on, [X, Y]). halt, Culprits = [X]": (17, "'.'"),
    "halt@user, Culprits = []": (4, "'@'"),
    'X = "text", Culprits = [X]': (4, "'\"'"),
    "{halt}, Culprits = []": (0, "'{'"),
}


@pytest.mark.parametrize("body", HARMLESS)
def test_a_harmless_body_is_taken(body: str):
    assert list(faults(body)) == []


@pytest.mark.parametrize("body", HARMFUL)
def test_a_harmful_body_is_refused_at_the_word(body: str):
    offset, word = HARMFUL[body]
    fault = next(faults(body))
    assert fault.offset == offset
    assert fault.message.startswith(word)


TOO_LARGE = {
    f"{'(' * 17_000}true{')' * 17_000}, Culprits = []": (100, "brackets are nested too deep; expected at most 100"),
    f"X = {'[' * 101}{']' * 101}, Culprits = X": (104, "brackets are nested too deep"),
    f"X = {'9' * 1_000_000}, Culprits = []": (4, "a number has 1000000 digits; expected at most 18"),
    f"{'true, ' * 5_001}Culprits = []": (30_000, "a condition is too long; expected at most 10000 words and signs"),
}


@pytest.mark.parametrize("body", TOO_LARGE, ids=["deep", "deep list", "digits", "long"])
def test_what_is_too_large_for_prolog_to_read_is_refused_where_it_stands(body: str):
    offset, message = TOO_LARGE[body]
    (fault,) = faults(body)
    assert fault.offset == offset
    assert fault.message.startswith(message)
    (fault,) = read_pack(f"p(X) :- X = 'a'.\nq :- {body}.").faults
    assert fault.message.startswith(message)
    assert offset < fault.offset <= offset + 22


def test_brackets_and_numbers_of_the_largest_size_are_taken():
    assert list(faults(f"{'(' * 98}holds(p, [X]){')' * 98}, Y = {'9' * 18}, Culprits = [X, Y]")) == []
    assert (
        read_pack("".join(f"p{number}(X) :- q(X).\nq(X) :- X = '(('. % ((\n" for number in range(4_000))).faults == ()
    )


def test_every_rule_of_the_kitchen_is_taken():
    rules = load_domain("kitchen").rules
    assert [list(faults(rule.prolog)) for rule in rules] == [[]] * len(rules)


def test_what_may_be_asked_is_what_the_checking_of_goals_permits():
    program = PROGRAM.read_text(encoding="utf-8")
    permitted = re.findall(r"^known\((\w+), \d\)", program, re.MULTILINE) + re.findall(
        r"^inner\((\w+)\(", program, re.MULTILINE
    )
    listed = program[program.index("memberchk(Name/Arity, [") :]
    permitted += re.findall(r"([a-z]\w*)/[1-9]", listed[: listed.index("])")])
    assert set(permitted) - {"is"} == ASKABLE
