"""Problems that take the planner no time, and more time than it is given."""

from domains.problem import Problem
from planning import pddl_text
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code
from tests.planning.kitchen import DOMAIN, conjunct, shipped


def written(goal, name="full", without=()):
    found, state = shipped(name)
    kept = {name: thing for name, thing in found.items() if name not in without}
    return pddl_text(Problem(DOMAIN, kept, state, (conjunct(goal),)))


FOUR_FRUITS = "(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))"
EASY = written("(opened fridge0)", "small")
HARD = written(FOUR_FRUITS)
"""With nothing left out, the optimal search takes about a minute."""
NEEDED = ("apple0", "banana0", "lemon0", "orange0", "plate0", "pan0", "bowl0", "towel0")
FEWER = written(
    FOUR_FRUITS,
    without=[name for name, one in shipped("full")[0].items() if "carry" in one.affordances and name not in NEEDED],
)
TINY = (
    "(define (domain d) (:requirements :strips) (:predicates (p) (q))"
    " (:action move :parameters () :precondition (and) :effect (p))"
    " (:action open :parameters () :precondition (p) :effect (q)))",
    "(define (problem x) (:domain d) (:init) (:goal (q)))",
)


def worker_of(planner):
    return planner._worker.process.pid


def opens(answer):
    return isinstance(answer, FoundPlan) and answer.optimal and [one.name for one in answer.actions] == ["move", "open"]


def late(answer):
    return isinstance(answer, NoPlan) and answer.feedback.code is Code.PLANNER_TIMEOUT
