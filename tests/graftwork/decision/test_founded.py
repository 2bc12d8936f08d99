"""What a model's goal names is traced to what was said, and the person is asked about the rest."""

from dataclasses import replace

import pytest

from benchmarks.faults.runs import shared
from benchmarks.words.founded import measure, unfounded_in, world_of
from domains.reader import available_domains, load_domain, load_scene
from domains.world import World
from graftwork.cases import load_suites
from graftwork.decision import DecisionContext
from graftwork.decision.founded import consent_needed
from graftwork.decision.partial_goal import GoalProposal
from graftwork.language.formal_goal import formal_goal
from graftwork.language.offline import interpret
from graftwork.setup.limits import Consent
from graftwork.setup.plans import PlanningOptions
from semantics.errors import EmbeddingsUnavailableError
from semantics.logic.atoms import Atom, Literal, dnf
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State

MOST_ASKED = 0.03
"""Share of right goals that may be asked about needlessly, without embeddings; 4 of 145."""
LEAST_CAUGHT, LEAST_CAUGHT_PLAIN, LEAST_REJECTED = 0.87, 0.95, 0.5
"""Shares of wrong goals that are asked about; those for sentences that say all classes apart, and those of the data."""


def goal_of(text: str, **more: object) -> Goal:
    return Goal(parse_formula(text, variables=True, adl=True), **more)  # type: ignore[arg-type]


def unfounded(words: str, goal: str | Goal, scene: str = "full", **more: object) -> tuple[str, ...]:
    world, state = world_of(scene)
    return unfounded_in(goal_of(goal) if isinstance(goal, str) else goal, words, world, state, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ("bring me the milk", "(inhand milk0 human0)"),
        ("Put a glass on the shelf", "(on glass0 shelf0)"),
        ("Put a glass on the shelf", "(on glass1 shelf0)"),
        ("put milk0 into fridge0", "(in milk0 fridge0)"),
        ("all the veggies belong in the icebox", "(in tomato0 fridge0)"),
        ("put the tomatto on the plate", "(on tomato0 plate0)"),
        ("give me the red mug", "(inhand mug1 human0)"),
        ("put something red on the table", "(on mug1 table0)"),
        ("pick up the banana", "(inhand banana0 robot0)"),
        ("throw the banana away", "(in banana0 trash0)"),
        ("chill the juice", "(in juice0 fridge0)"),
        ("bring me something to cut the bread with", "(inhand knife0 human0)"),
        ("I'm thirsty", "(inhand cola0 human0)"),
        ("clear the table", "(and (on cup0 shelf0) (on bread0 shelf0))"),
        ("pour the lemonade out", "(not (liquid_in lemonade0 glass1))"),
    ],
)
def test_what_was_said_or_implied_is_founded(words: str, goal: str):
    left = {"shelf0"} if words == "clear the table" else set()  # where the things go was not said
    assert set(unfounded(words, goal)) == left


@pytest.mark.parametrize(
    ("words", "goal", "names"),
    [
        ("bring me the milk", "(inhand juice0 human0)", ("juice0",)),
        ("bring me the milk", "(and (inhand milk0 human0) (closed fridge0))", ("fridge0",)),
        ("bring me the milk", "(and (inhand milk0 human0) (not (on cup0 table0)))", ("table0", "cup0")),
        ("pick up the banana", "(inhand banana0 human0)", ("human0",)),
        ("give me the red mug", "(inhand mug0 human0)", ("mug0",)),
        ("open the fridge", "(opened water_bottle0)", ("water_bottle0",)),
        ("put the fork into the sink", "(in fork0 trash0)", ("trash0",)),
        ("can you bring me the cola", "(inhand can0 human0)", ("can0",)),
        ("I'm thirsty", "(inhand sponge0 human0)", ("sponge0",)),
        ("bring me the apple", "(exists (?x - fruit) (inhand ?x human0))", ("banana0", "lemon0", "orange0")),
    ],
)
def test_an_idea_of_the_models_own_is_not(words: str, goal: str, names: tuple[str, ...]):
    assert unfounded(words, goal) == names


def test_a_quantified_goal_is_founded_by_its_kind_or_its_condition():
    fruit = "(forall (?x - fruit) (in ?x fridge0))"
    world, _ = world_of("full")
    assert not unfounded("put all the fruit into the fridge", fruit)
    assert not unfounded("put all the fruit into the fridge", formal_goal(fruit, world.domain, world.objects))
    from_table = "(forall (?x - carry) (imply (on ?x table0) (in ?x fridge0)))"
    assert not unfounded("everything on the table goes into the fridge", from_table)
    assert unfounded("put all the fruit into the sink", from_table) == ("table0", "fridge0")


def test_later_goals_and_wishes_are_judged_as_well():
    first, later = goal_of("(opened fridge0)"), goal_of("(inhand milk0 human0)")
    assert unfounded("open the fridge", replace(first, later=(later,))) == ("human0", "milk0")
    wish = (Literal(Atom("on", ("cup0", "shelf0"))), 2.0)
    assert unfounded("open the fridge", replace(first, weights=(wish,))) == ("shelf0", "cup0")


def test_the_last_exchanges_count():
    assert unfounded("bring it to me", "(inhand milk0 human0)") == ("milk0",)
    assert not unfounded("bring it to me", "(inhand milk0 human0)", history=("Where is the milk?", "In fridge0."))


def test_a_recipe_founds_what_goes_into_it():
    domain = load_domain("barman")
    scene = load_scene(domain, "counter")
    world, state = World.of(scene, domain), State(scene.facts)
    goal = "(and (on tall_glass serving_tray) (contains tall_glass {}))"
    words = "please make a lemon fizz in the tall glass"
    for part in ("soda_water", "lemon", "mint"):
        assert not unfounded_in(goal_of(goal.format(part)), words, world, state)
    assert unfounded_in(goal_of(goal.format("milk")), words, world, state) == ("milk",)
    shake = goal_of("(and (on tall_glass serving_tray) (contains tall_glass milk))")
    assert not unfounded_in(shake, "make a milk shake in the tall glass", world, state)  # no misspelt shaker
    assert not unfounded_in(goal_of("(on lemon1 rack)"), "put the lemon on the rack", world, state)  # made of lemon


def test_meaning_founds_only_where_the_words_are_vague():
    class Alike:
        def similarities(self, word, words):
            return [0.9 if word == "peckish" else 0.1 for _ in words]

    class Missing:
        def similarities(self, word, words):
            raise EmbeddingsUnavailableError("absent")

    assert unfounded("rather peckish", "(inhand spatula0 human0)", scene="home5", embedder=Missing())
    assert unfounded("my peckish friend", "(inhand tomato0 human0)", embedder=Missing()) == ("tomato0",)
    assert not unfounded("my peckish friend", "(inhand tomato0 human0)", embedder=Alike())
    assert unfounded("bring me the peckish milk", "(inhand tomato0 human0)", embedder=Alike()) == ("tomato0",)


def test_the_person_is_asked_in_words_and_a_yes_takes_the_goal():
    world, state = world_of("full")
    words = "bring me the juice"
    checked = CheckedGoal(goal := replace(goal_of("(in juice0 fridge0)"), text=words), dnf(goal.formula))
    context = DecisionContext(PlanningOptions(shared()).plans(world))
    proposal = consent_needed(checked, words, context, state)
    assert consent_needed(checked, words, context, state, known={"fridge0"}) is None
    assert consent_needed(checked, words, context, state, said=("into the fridge, I mean",)) is None
    assert consent_needed(checked, words, replace(context, unsaid=Consent.ALLOW), state) is None
    refused = consent_needed(checked, words, replace(context, unsaid=Consent.NEVER), state)
    assert isinstance(refused, Rejection)
    assert "Nothing was said of fridge0" in str(refused)
    assert isinstance(proposal, GoalProposal)
    assert proposal.question.text == "Is this meant: juice0 is in fridge0? Nothing was said of fridge0."
    assert proposal.question.feedback is not None
    assert proposal.question.feedback.culprits == ("fridge0",)
    assert proposal.goal is checked
    assert proposal.answered("yes") is True
    assert isinstance(proposal.answered("no"), Rejection)
    assert proposal.answered("perhaps") is False


def test_what_the_offline_reader_makes_of_the_words_of_shipped_cases_is_founded():
    read = 0
    for suite in load_suites(available_domains()):
        for case in filter(lambda case: case.instruction, suite.cases):
            scene = load_scene(suite.world.domain, case.scene)
            world, state = World.of(scene, suite.world.domain), State(scene.facts)
            goal = interpret(str(case.instruction), world.vocabulary, state)
            if isinstance(goal, Goal):
                read += 1
                assert not unfounded_in(goal, str(case.instruction), world, state), case.instruction
    assert read > 50


def test_right_goals_of_the_household_are_done_and_wrong_ones_asked_about():
    figures = measure()
    assert len(figures.asked) <= MOST_ASKED * len(figures.right), figures.asked
    assert len(figures.caught) >= LEAST_CAUGHT * len(figures.substituted)
    plain = [case for case in figures.substituted if case.is_plain]
    assert sum(case.is_plain for case in figures.caught) >= LEAST_CAUGHT_PLAIN * len(plain)
    assert len(figures.rejected_caught) >= LEAST_REJECTED * len(figures.rejected)
