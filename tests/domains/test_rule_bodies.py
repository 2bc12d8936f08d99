"""Rules come from files that may come from strangers, so their bodies may ask only harmless things."""

import re
from pathlib import Path

import pytest

import semantics.rules
from domains.reader import load_domain
from domains.reader.rules import ASKABLE, faults

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


def test_every_rule_of_the_kitchen_is_taken():
    rules = load_domain("kitchen").rules
    assert [list(faults(rule.prolog)) for rule in rules] == [[]] * len(rules)


def test_what_may_be_asked_is_what_the_checking_of_goals_permits():
    program = Path(semantics.rules.__file__).with_name("rules.pl").read_text(encoding="utf-8")
    permitted = re.findall(r"^known\((\w+), \d\)", program, re.MULTILINE) + re.findall(
        r"^inner\((\w+)\(", program, re.MULTILINE
    )
    listed = program[program.index("memberchk(Name/Arity, [") :]
    permitted += re.findall(r"([a-z]\w*)/[1-9]", listed[: listed.index("])")])
    assert set(permitted) - {"is"} == ASKABLE
