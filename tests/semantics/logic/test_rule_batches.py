from hypothesis import given, settings, strategies as st

from domains.reader import load_domain
from semantics.logic.atoms import Atom, Literal
from semantics.logic.rules import RuleBook
from tests.semantics.toy import SomeRule

KITCHEN = load_domain("kitchen")
NAMES = ("apple0", "cup0", "plate0", "table0", "robot0", "fridge0")
THINGS = {name: KITCHEN.thing(name, name.rstrip("0")) for name in NAMES}
ODD_RULES = (
    SomeRule("nothing-on-it", "holds(on, [X, Y]), \\+ holds(on, [_, X]), Culprits = [X, Y]"),
    SomeRule("only-one", "findall(X, holds(on, [X, _]), [Culprit]), Culprits = [Culprit]"),
    SomeRule("first", "holds(on, [X, _]), !, Culprits = [X]"),
    SomeRule("either", "( holds(in, [X, _]) ; fails(in, [X, _]) ), Culprits = [X]"),
    SomeRule("if-then", "( holds(opened, [X]) -> Culprits = [X] ; holds(on, [Y, _]), Culprits = [Y] )"),
    SomeRule("all-carried", "forall(holds(on, [X, _]), affords(X, carry)), holds(_, [Y | _]), Culprits = [Y]"),
    SomeRule("any", "holds(P, [X | _]), fails(P, [Y | _]), Culprits = [X, Y]"),
)
BATCHED = [RuleBook(KITCHEN.rules), RuleBook(ODD_RULES)]
ALONE = [RuleBook(KITCHEN.rules), RuleBook(ODD_RULES)]

names = st.sampled_from(NAMES)
binary = st.builds(Atom, st.sampled_from(("on", "in", "inhand", "at")), st.tuples(names, names))
unary = st.builds(Atom, st.sampled_from(("opened", "closed")), st.tuples(names))
conjuncts = st.frozensets(st.builds(Literal, st.one_of(binary, unary), st.booleans()), max_size=6)


@settings(max_examples=150, deadline=None)
@given(st.lists(conjuncts, min_size=2, max_size=8))
def test_a_conjunct_breaks_in_a_batch_what_it_breaks_alone(batch):
    for together, alone in zip(BATCHED, ALONE, strict=True):
        each = [alone.violations([one], THINGS)[0] for one in batch]
        assert [_told(one) for one in together.violations(batch, THINGS)] == [_told(one) for one in each]


def _told(violations):
    return [(violation.rule.name, violation.culprits) for violation in violations]


def test_what_errs_only_on_all_conjuncts_together_is_no_error():
    rule = SomeRule("sums", "holds(on, [X, _]), holds(in, [Y, _]), X < Y, Culprits = [X]")
    apart = [frozenset({Literal(Atom(name, ("apple0", "cup0")))}) for name in ("on", "in")]
    assert RuleBook([rule]).violations(apart, THINGS) == ((), ())
