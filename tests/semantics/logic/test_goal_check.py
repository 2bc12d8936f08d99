import pytest
from hypothesis import given, strategies as st

from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Not, Or, dnf
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook
from semantics.logic.state import State
from tests.semantics.toy import RULES, SomeRule, vocabulary

WORDS = vocabulary()
BOOK = RuleBook(RULES)
STATE = State(frozenset({Atom("on", ("hammer0", "bench0")), Atom("shut", ("drawer0",))}))


def check(text, rules=BOOK, state=STATE, words=WORDS):
    return check_goal(Goal(parse_formula(text)), words, rules=rules, state=state)


def errors(text, **others):
    answer = check(text, **others)
    assert isinstance(answer, Rejection), answer
    return answer.feedback


def codes(text, **others):
    return [each.code for each in errors(text, **others)]


def test_a_sound_goal_passes():
    answer = check("(and (on screw0 bench0) (opened drawer0))")
    assert isinstance(answer, CheckedGoal)
    assert answer.conjuncts == dnf(parse_formula("(and (on screw0 bench0) (opened drawer0))"))
    assert not answer.already
    assert answer.dropped == ()


def test_an_unknown_predicate_is_named_with_the_nearest():
    (error,) = errors("(opend drawer0)")
    assert (error.code, error.culprits) == (Code.UNKNOWN_PREDICATE, ("opend",))
    assert "opened" in error.how


def test_an_unknown_predicate_unlike_any_other_lists_those_there_are():
    (error,) = errors("(zzz drawer0)")
    assert "(on carry support)" in error.how
    assert "free" not in error.how


def test_a_predicate_that_follows_from_others_may_not_stand_in_a_goal():
    (error,) = errors("(free bench0)")
    assert (error.code, error.culprits) == (Code.UNKNOWN_PREDICATE, ("free",))
    assert "may not stand in a goal" in error.why


def test_an_unknown_object_is_named_with_the_nearest():
    (error,) = errors("(on hammr0 bench0)")
    assert (error.code, error.culprits) == (Code.UNKNOWN_NAME, ("hammr0",))
    assert "hammer0" in error.how


def test_an_object_unlike_any_other_lists_those_there_are():
    (error,) = errors("(on hammer0 qqq)")
    assert "bench0" in error.how


@pytest.mark.parametrize(("text", "count"), [("(on hammer0)", "is 1"), ("(on hammer0 bench0 box0)", "are 3")])
def test_a_wrong_number_of_arguments_is_told_with_the_right_one(text, count):
    (error,) = errors(text)
    assert error.code is Code.WRONG_ARITY
    assert f"takes 2 arguments, here {count}" in error.why
    assert "(on carry support)" in error.how


def test_an_argument_without_the_affordance_is_told_with_what_has_it():
    (error,) = errors("(on bench0 drawer0)")[:1]
    assert (error.code, error.culprits) == (Code.WRONG_AFFORDANCE, ("bench0",))
    assert "bench0, its first argument, does not afford 'carry'" in error.why
    assert "hammer0" in error.how


def test_things_of_the_same_kind_as_the_wrong_one_are_listed_first_and_few_in_all():
    (error,) = errors("(in hammer0 bench0)")
    assert "drawer0, tool_chest0, box0, box1" in error.how
    (error,) = errors("(touched zzz)")
    assert error.how.endswith("and others (graftwork scene lists them).")


def test_only_what_would_fit_is_listed_for_an_unknown_object():
    (error,) = errors("(opened zzz)")
    assert error.how == "There are: drawer0."


def test_every_wrong_argument_is_told():
    assert [each.culprits for each in errors("(on bench0 drawer0)")] == [("bench0",), ("drawer0",)]


def test_an_affordance_that_nothing_has_is_told():
    (error,) = errors("(opened hammer0)", words=vocabulary(("hammer0",)))
    assert "Nothing in this scene affords 'open'" in error.how


def test_object_takes_anything():
    assert isinstance(check("(touched arm0)"), CheckedGoal)


def test_all_errors_of_a_goal_are_told_once_each():
    text = "(and (zzz qqq) (or (on bench0 bench0) (on hammer0)) (not (zzz qqq)) (free www))"
    assert codes(text) == [
        Code.UNKNOWN_PREDICATE,
        Code.UNKNOWN_NAME,
        Code.WRONG_AFFORDANCE,
        Code.WRONG_ARITY,
        Code.UNKNOWN_PREDICATE,
        Code.UNKNOWN_NAME,
    ]


def test_a_literal_and_its_negation_contradict_and_are_told_once():
    denied = SomeRule("denied", "holds(P, Culprits), fails(P, Culprits)", "{0} is asked for and denied")
    (error,) = errors("(and (opened drawer0) (not (opened drawer0)))", rules=RuleBook([denied]))
    assert (error.code, error.culprits) == (Code.CONTRADICTION, ("opened", "drawer0"))


def test_a_broken_rule_of_the_domain_is_told_in_its_own_words():
    (error,) = errors("(and (on hammer0 bench0) (on hammer0 tool_chest0))")
    assert (error.code, error.culprits) == (Code.CONTRADICTION, ("hammer0", "bench0", "tool_chest0"))
    assert error.why == "hammer0 cannot be on bench0 and on tool_chest0."
    assert error.how == "Keep one of them."


def test_negated_literals_are_checked_by_the_rules():
    assert codes("(and (not (opened drawer0)) (not (shut drawer0)))") == [Code.CONTRADICTION]


def test_alternatives_that_fail_are_dropped_with_their_reasons():
    answer = check("(or (and (on hammer0 bench0) (in hammer0 box0)) (on screw0 bench0))")
    assert isinstance(answer, CheckedGoal)
    assert answer.conjuncts == dnf(parse_formula("(on screw0 bench0)"))
    assert [each.culprits for each in answer.dropped] == [("hammer0", "bench0", "box0")]


def test_an_alternative_that_can_never_hold_is_dropped_with_its_reasons():
    answer = check("(or (on bench0 drawer0) (on screw0 bench0) (in hammer0 bench0))")
    assert isinstance(answer, CheckedGoal)
    assert answer.conjuncts == dnf(parse_formula("(on screw0 bench0)"))
    assert [(each.code, each.culprits) for each in answer.dropped] == [
        (Code.WRONG_AFFORDANCE, ("bench0",)),
        (Code.WRONG_AFFORDANCE, ("drawer0",)),
        (Code.WRONG_AFFORDANCE, ("bench0",)),
    ]


def test_an_alternative_of_names_that_nobody_knows_is_an_error():
    assert codes("(or (on hammr0 bench0) (on screw0 bench0))") == [Code.UNKNOWN_NAME]


def test_the_denial_of_what_can_never_hold_is_dropped_and_told():
    answer = check("(and (on screw0 bench0) (not (on bench0 drawer0)))")
    assert isinstance(answer, CheckedGoal)
    assert answer.conjuncts == dnf(parse_formula("(on screw0 bench0)"))
    (note,) = answer.dropped
    assert str(note).startswith("(not (on bench0 drawer0)): it is always so: bench0, its first argument")


def test_a_goal_of_nothing_but_such_a_denial_holds_already():
    answer = check("(not (on bench0 drawer0))")
    assert isinstance(answer, CheckedGoal)
    assert (answer.conjuncts, answer.already) == ((frozenset(),), True)


def test_a_denial_of_what_is_so_against_all_affordances_is_an_error():
    state = State(STATE.atoms | {Atom("on", ("bench0", "drawer0"))})
    assert codes("(not (on bench0 drawer0))", state=state) == [Code.WRONG_AFFORDANCE, Code.WRONG_AFFORDANCE]


def test_when_one_alternative_can_never_hold_and_the_other_contradicts_itself_the_fewest_errors_are_told():
    (error,) = errors("(or (on bench0 drawer0) (and (on hammer0 bench0) (in hammer0 box0)))")
    assert error.code is Code.CONTRADICTION


def test_when_all_alternatives_fail_the_errors_of_the_one_with_the_fewest_are_told():
    many = "(and (on hammer0 bench0) (on hammer0 tool_chest0) (in hammer0 box0))"
    few = "(and (on screw0 bench0) (in screw0 box0))"
    told = errors(f"(or {many} {few})")
    assert [each.culprits for each in told] == [("screw0", "bench0", "box0")]
    assert told == errors(f"(or {few} {many})")


@pytest.mark.parametrize(
    ("text", "already"),
    [
        ("(on hammer0 bench0)", True),
        ("(not (opened drawer0))", True),
        ("(or (opened drawer0) (shut drawer0))", True),
        ("(and (shut drawer0) (opened drawer0))", False),
        ("(and (on hammer0 bench0) (not (shut drawer0)))", False),
        ("(and)", True),
    ],
)
def test_a_goal_that_holds_is_already_so(text, already):
    answer = check(text, rules=RuleBook(()))
    assert isinstance(answer, CheckedGoal)
    assert answer.already is already


def test_a_choice_between_nothing_is_refused():
    assert codes("(or)") == [Code.CONTRADICTION]


def test_exclusions_are_asked_for_only_where_two_facts_could_exclude_each_other():
    asked = []

    def exclusions():
        asked.append(True)
        yield from ()

    one, either, two = (
        Goal(parse_formula(text), text)
        for text in (
            "(on wrench0 bench0)",
            "(or (on wrench0 bench0) (and (on box0 bench0) (not (opened drawer0))))",
            "(and (on wrench0 bench0) (on box0 bench0))",
        )
    )
    for goal, times in ((one, 0), (either, 0), (two, 1)):
        checked = check_goal(goal, WORDS, rules=BOOK, state=STATE, exclusions=exclusions)
        assert isinstance(checked, CheckedGoal), checked
        assert len(asked) == times


def test_a_goal_with_too_many_alternatives_is_refused():
    choices = [f"(or (on screw{i % 3} bench0) (touched box{i % 2}) (touched arm0))" for i in range(6)]
    pairs = " ".join(f"(or {a} {b})" for a in choices for b in choices[:3])
    assert codes(f"(and {pairs})") == [Code.UNREADABLE]


def test_a_rule_whose_text_asks_for_more_culprits_than_it_has_is_the_domains_mistake():
    book = RuleBook([SomeRule("greedy", "holds(on, [X, _]), Culprits = [X]", "{0} and {1}")])
    with pytest.raises(UsageError, match=r"'greedy'.*\{1\}"):
        check("(on hammer0 bench0)", rules=book)


def test_braces_in_a_rules_text_are_only_text():
    book = RuleBook([SomeRule("braced", "holds(on, [X, _]), Culprits = [X]", "{0.__class__} {x} {} {0}!", "")])
    (error,) = errors("(on hammer0 bench0)", rules=book)
    assert error.why == "{0.__class__} {x} {} hammer0!"


atoms = st.sampled_from(
    [Atom("on", (thing, place)) for thing in ("hammer0", "screw0") for place in ("bench0", "tool_chest0")]
    + [Atom("in", ("hammer0", "box0")), Atom("opened", ("drawer0",)), Atom("shut", ("drawer0",))]
)
formulas = st.recursive(
    atoms,
    lambda parts: st.one_of(
        parts.map(Not),
        st.lists(parts, min_size=1, max_size=3).map(tuple).map(And),
        st.lists(parts, min_size=1, max_size=3).map(tuple).map(Or),
    ),
    max_leaves=5,
)


@given(formulas)
def test_what_passes_is_some_of_the_goal_and_what_fails_alone_fails_always(formula):
    answer = check_goal(Goal(formula), WORDS, rules=BOOK, state=STATE)
    conjuncts = dnf(formula)
    alone = [
        conjunct
        for conjunct in conjuncts
        if isinstance(check_goal(Goal(joined(conjunct)), WORDS, rules=BOOK, state=STATE), CheckedGoal)
    ]
    assert (answer.conjuncts if isinstance(answer, CheckedGoal) else ()) == tuple(alone)
    if isinstance(answer, CheckedGoal):
        assert answer.already == any(STATE.satisfies(conjunct) for conjunct in alone)
    else:
        assert answer.feedback


def joined(conjunct):
    return And(tuple(literal.atom if literal.positive else Not(literal.atom) for literal in sorted(conjunct)))
