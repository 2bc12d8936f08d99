import pickle
from dataclasses import replace
from random import Random
from types import MappingProxyType

import pytest

from domains.problem import Problem
from domains.reader import load_domain
from domains.world import World
from planning.costs import CostModel, Tries
from planning.service.shared_values import REMEMBERED, PlanningLedger, PlanningRequest, Shelf
from semantics.logic.atoms import Atom
from semantics.logic.state import Action, State
from semantics.process.wire import frame
from tests.planning.kitchen import DOMAIN, shipped

THINGS, STATE = shipped("full")


class Halves:
    """Both halves, with a pipe between them."""

    def __init__(self):
        self.ledger, self.shelf, self.sent = PlanningLedger(), Shelf(), 0

    def pass_on(self, question):
        data = frame(self.ledger.tell(question))
        self.sent = len(data)
        return self.shelf.read(pickle.loads(data[8:]))


@pytest.fixture
def halves():
    return Halves()


def test_what_arrives_is_what_was_asked_and_the_second_time_little_is_sent(halves):
    costs = CostModel(record={Action("open", ("a",)): Tries(1, 2), "close": Tries(3, 4)}, places={"table0": (1, 2)})
    question = PlanningRequest("solve", Problem(DOMAIN, THINGS, STATE, costs=costs), given={"seconds": 1.0})
    assert halves.pass_on(question) == question
    first = halves.sent
    assert halves.pass_on(question) == question
    assert halves.sent < 500 < first


@pytest.mark.parametrize("name", ["barman", "blocks", "kitchen", "pizza", "tabletop"])
def test_every_shipped_domain_arrives(halves, name):
    domain = load_domain(name)
    assert halves.pass_on(PlanningRequest("exclusions", Problem(domain, {}, State()))).problem.domain == domain


def test_a_long_conversation_never_gets_out_of_step(halves):
    random = Random(0)
    names, numbers = list(THINGS), Atom("volume", ("cup0",))
    domains = [DOMAIN.with_costs({"robot": cost}) for cost in range(1, 5)]
    things, atoms, known = dict(THINGS), set(STATE.atoms), {numbers: 0.0}
    for turn in range(200):
        name = random.choice(names)
        things.pop(name) if name in things else things.update({name: THINGS[name]})
        atoms ^= {random.choice(sorted(STATE.atoms)), Atom("on", (name, random.choice(names)))}
        known[numbers] += random.choice([0, 0, 1])
        state, expected = State(frozenset(atoms), known), random.choice([None, State(frozenset(atoms), known)])
        costs = random.choice([None, CostModel(risk=random.choice([1.0, 2.0]))])
        problem = Problem(random.choice(domains), things, state, costs=costs)
        question = PlanningRequest("solve", problem, expected, {"turn": turn})
        arrived = halves.pass_on(question)
        assert arrived == question
        assert list(arrived.problem.objects) == list(things)
    assert len(halves.shelf._known) == len(halves.ledger._known) == REMEMBERED


def test_read_only_views_arrive_as_what_they_show(halves):
    views = MappingProxyType(dict(THINGS))
    question = PlanningRequest(
        "best_part", Problem(DOMAIN, views, STATE), given={"weights": MappingProxyType({"a": 1})}
    )
    shown = PlanningRequest("best_part", Problem(DOMAIN, THINGS, STATE), given={"weights": {"a": 1}})
    assert halves.pass_on(question) == shown


def test_a_class_of_things_of_ones_own_arrives_too(halves):
    things = {"other name": THINGS["milk0"]}
    assert halves.pass_on(PlanningRequest("solve", Problem(DOMAIN, things, STATE))).problem.objects == things


def test_a_thing_more_sends_one_thing_and_a_class_more_one_class(halves):
    world = World(DOMAIN, THINGS)

    def sent_for(world):
        question = PlanningRequest("solve", world.problem(STATE))
        arrived = halves.pass_on(question).problem
        assert arrived == question.problem
        assert list(arrived.objects) == list(world.objects)
        assert list(arrived.domain.classes) == list(world.domain.classes)
        return halves.sent

    whole = sent_for(world)
    idle = sent_for(world)
    more = world.with_objects(DOMAIN.thing("cup9", "cup"))
    assert idle < sent_for(more) < idle + whole / 50
    assert sent_for(world) == idle
    beaker = more.with_classes(replace(DOMAIN.classes["cup"], name="beaker", words=()))
    assert idle < sent_for(beaker) < idle + whole / 50
    assert sent_for(replace(beaker, objects={**THINGS})) == idle
