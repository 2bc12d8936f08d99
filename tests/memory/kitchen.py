"""The small kitchen with hand-made plans, for tests of the memory."""

from functools import cache

from affordances.bookkeeping import DERIVED, derive
from domains.reader import load_domain, load_scene
from graftwork.memory import Subtree
from graftwork.record.episode import Episode, Outcome
from semantics.logic.atoms import Atom, dnf
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Plan, State

MILK = "bring me the milk"
MILK_GOAL = "(inhand milk0 human0)"
MILK_PLAN = (
    "move robot0 floor0 fridge0",
    "open robot0 fridge0 fridge0",
    "take_out robot0 milk0 fridge0 fridge0",
    "move robot0 fridge0 human0",
    "handover robot0 human0 milk0",
)
FRUIT = "put all the fruit on the shelf"
FRUIT_GOAL = "(and (on apple0 shelf0) (on banana0 shelf0))"


@cache
def domain():
    return load_domain("kitchen")


class World:
    """Things and facts of a scene, to be changed by a test."""

    def __init__(self):
        scene = load_scene(domain(), "small")
        self.things = dict(scene.things)
        self.facts = set(scene.facts) | set(scene.beliefs)
        self.speaker = scene.speaker
        self.domain = domain()

    def add(self, class_name, name, place="table0"):
        self.things[name] = domain().thing(name, class_name)
        self.facts.add(Atom("on", (name, place)))
        return self

    def without(self, name):
        del self.things[name]
        self.facts = {atom for atom in self.facts if name not in atom.args}
        return self

    def move(self, name, relation, place):
        self.facts = {atom for atom in self.facts if atom.args[0] != name} | {Atom(relation, (name, place))}
        return self

    @property
    def vocabulary(self):
        return self.domain.vocabulary(self.things, self.speaker)

    @property
    def state(self):
        return State(frozenset(self.facts) | derive(self.facts, self.things, DERIVED))

    def subtree(self, instruction, goal, actions=()):
        formula = parse_formula(goal)
        steps = tuple(domain().ground(Action(*_split(text)), self.things) for text in actions)
        plan = Plan(steps, dnf(formula)[0], optimal=True, planner="hand")
        return Subtree.learned(Goal(formula, instruction), plan, self.domain, self.vocabulary, self.state)


def _split(text):
    name, *args = text.split()
    return name, tuple(args)


def episode(instruction=MILK, outcome=Outcome.ACHIEVED, goal=MILK_GOAL, **fields):
    return Episode(outcome, instruction, "kitchen", "small", "fake", "openai:small", goal=goal, **fields)


def learn_milk(memory, world, **fields):
    return memory.remember(episode(**fields), world.subtree(MILK, MILK_GOAL, MILK_PLAN))


def recall(memory, world, instruction=MILK):
    return memory.recall(instruction, world.vocabulary, world.domain, world.state)
