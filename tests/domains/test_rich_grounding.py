"""Actions of rich domains over things: what is written out, applied and refused is what the domain says."""

import pytest

from domains.capability import Capability, ConditionalEffect, NumericEffect, Parameter, Template
from domains.model import DerivedPredicate, Domain, NumericFluent, PredicateModel
from semantics.errors import UsageError
from semantics.logic.atoms import And, Arithmetic, Atom, Compare, Exists, ForAll, Literal, Not, Or, Variable
from semantics.logic.state import Action, State
from semantics.logic.vocabulary import Predicate, Thing

LIQUID = (Variable("l", "liquid"),)
PREDICATES = {"holds": ("vessel", "liquid"), "clean": ("vessel",), "empty": ("vessel",), "ready": ("vessel",)}
VOLUME = Atom("volume", ("?to",))


def world(*verbs, derived=(), fluents=("volume",)) -> Domain:
    models = {name: PredicateModel(Predicate(name, kinds, name)) for name, kinds in PREDICATES.items()}
    return Domain(
        "bar",
        {},
        {},
        {},
        models,
        {one.name: one for one in verbs},
        {},
        derived={one.name: one for one in derived},
        fluents={name: NumericFluent(name, ("vessel",), planned=False) for name in fluents},
    )


def verb(**more) -> Capability:
    parameters = (Parameter("from", ("vessel",)), Parameter("to", ("vessel",)))
    return Capability("pour", parameters, (), more.pop("effect", ()), (("from", "to"),), agentless=True, **more)


def moved() -> ConditionalEffect:
    literals = (Template("holds", ("?to", "?l")), Template("holds", ("?from", "?l"), False))
    return ConditionalEffect(literals, (), Atom("holds", ("?from", "?l")), LIQUID)


THINGS = {name: Thing(name, "cup", frozenset({"vessel"})) for name in ("mug", "jar")} | {
    name: Thing(name, "drink", frozenset({"liquid"})) for name in ("tea", "milk")
}
POUR = Action("pour", ("jar", "mug"))


def holds(*pairs) -> State:
    return State(frozenset(Atom("holds", pair) for pair in pairs))


def test_an_effect_of_everything_moves_what_is_there_and_nothing_else():
    step = world(verb(conditional=(moved(),))).ground(POUR, THINGS)
    assert step.adl
    assert len(step.conditional) == 2
    assert step.apply(holds(("jar", "tea"))) == holds(("mug", "tea"))
    assert step.apply(holds(("jar", "tea"), ("jar", "milk"))) == holds(("mug", "tea"), ("mug", "milk"))
    assert step.apply(holds()) == holds()


def test_what_is_added_wins_over_what_is_deleted_also_across_conditions():
    always = ConditionalEffect((Template("clean", ("?to",), False),))
    step = world(verb(effect=(Template("clean", ("?to",)),), conditional=(always,))).ground(POUR, THINGS)
    assert step.apply(State()).atoms == {Atom("clean", ("mug",))}


def test_conditions_of_effects_are_asked_of_the_state_before():
    swap = tuple(
        ConditionalEffect((Template("clean", (one,), False), Template("clean", (two,))), (), Atom("clean", (one,)))
        for one, two in (("?from", "?to"), ("?to", "?from"))
    )
    step = world(verb(conditional=swap)).ground(POUR, THINGS)
    assert step.apply(State(frozenset({Atom("clean", ("jar",))}))).atoms == {Atom("clean", ("mug",))}


def test_choices_and_quantifiers_of_a_condition_are_judged():
    pure = ForAll(LIQUID, Not(Atom("holds", ("?to", "?l"))))
    condition = And((Or((Atom("clean", ("?to",)), pure)), Exists(LIQUID, Atom("holds", ("?from", "?l")))))
    step = world(verb(condition=condition)).ground(POUR, THINGS)
    assert step.applicable(holds(("jar", "tea")))
    assert not step.applicable(holds(("mug", "tea")))
    assert not step.applicable(holds(("jar", "tea"), ("mug", "milk")))
    assert Literal(Atom("clean", ("mug",))) in step.missing(holds(("jar", "tea"), ("mug", "milk")))


def test_derived_predicates_are_computed_layer_by_layer_after_each_step():
    empty = DerivedPredicate("empty", (Variable("v", "vessel"),), (Not(Exists(LIQUID, Atom("holds", ("?v", "?l")))),))
    ready = DerivedPredicate("ready", (Variable("v", "vessel"),), (Not(Atom("empty", ("?v",))),))
    domain = world(verb(conditional=(moved(),)), derived=(ready, empty))
    axioms = domain.axioms(THINGS)
    before = axioms.close(holds(("jar", "tea")))
    after = domain.ground(POUR, THINGS, {}, axioms).apply(before)
    assert {str(one) for one in before.atoms} == {"(holds jar tea)", "(empty mug)", "(ready jar)"}
    assert {str(one) for one in after.atoms} == {"(holds mug tea)", "(empty jar)", "(ready mug)"}


def test_a_predicate_that_follows_from_its_own_denial_is_refused():
    odd = DerivedPredicate("empty", (Variable("v", "vessel"),), (Not(Atom("empty", ("?v",))),))
    with pytest.raises(UsageError, match="own denial: empty"):
        world(derived=(odd,)).axioms(THINGS)


def test_a_long_circle_is_refused_by_the_name_of_what_closes_it():
    def by(name, body):
        return DerivedPredicate(name, (Variable("v", "vessel"),), (body,))

    def of(name):
        return Atom(name, ("?v",))

    circle = (by("a", of("b")), by("b", of("c")), by("c", Not(of("a"))), by("aside", Not(of("b"))))
    with pytest.raises(UsageError, match=r"own denial: c$"):
        world(derived=circle).axioms(THINGS)


def test_numbers_change_by_what_held_before():
    numeric = (
        NumericEffect("increase", VOLUME, Atom("volume", ("?from",))),
        NumericEffect("assign", Atom("volume", ("?from",)), 0.0),
    )
    room = Compare("<=", Arithmetic("+", (VOLUME, Atom("volume", ("?from",)))), 1.0)
    step = world(verb(numeric=numeric, condition=room)).ground(POUR, THINGS)
    jar, mug = Atom("volume", ("jar",)), Atom("volume", ("mug",))
    before = State(numbers={jar: 0.5, mug: 0.25})
    assert step.applicable(before)
    assert step.apply(before).numbers == {jar: 0.0, mug: 0.75}
    assert not step.applicable(State(numbers={jar: 0.9, mug: 0.25}))


def test_a_cost_by_arguments_is_a_number_from_zero_in_units_that_are_whole():
    domain, volume = world(verb(cost_by=VOLUME)), Atom("volume", ("mug",))
    assert domain.ground(POUR, THINGS, {volume: 3.0}).cost == 3
    assert domain.ground(POUR, THINGS, {volume: 0.5}).cost == 1
    assert domain.cost_scale({volume: 0.5}) == 2
    with pytest.raises(UsageError, match="expected a number from 0"):
        domain.ground(POUR, THINGS, {volume: -1.0})


def test_nobody_is_needed_where_no_agent_is():
    step = world(verb(cost=4)).ground(POUR, THINGS)
    assert step.cost == 4
    assert not step.adl
    with pytest.raises(UsageError, match="must differ"):
        world(verb()).ground(Action("pour", ("jar", "jar")), THINGS)
