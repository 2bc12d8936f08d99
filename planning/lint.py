"""Finds goals that no sequence of actions reaches, without a planner, for the check of a world.

Facts are collected in the delete relaxation, in which no fact becomes false (Hoffmann and Nebel, "The FF planning
system", 2001). What is unreachable in it is unreachable in the world; the converse need not hold.
"""

from __future__ import annotations

from dataclasses import replace

from domains.capability import Capability
from domains.model import Domain, SceneFile
from domains.problem import Problem
from planning.adl.reachability import reach_all
from planning.task.reachability import TooManyError
from semantics.atoms import Atom, Formula, Literal, Not, conjoined, literals
from semantics.state import State

__all__ = ["out_of_reach"]


def out_of_reach(goal: Formula, scene: SceneFile, domain: Domain) -> tuple[Literal, ...]:
    """Return the literals that a goal certainly requires and that are unreachable from `scene`.

    Derived predicates are ignored, and nothing is returned if there are too many actions to try.
    """
    plain = (part for part in conjoined(goal) if isinstance(part.part if isinstance(part, Not) else part, Atom))
    asked = [literal for part in plain for literal in literals(part)]
    capabilities = {name: _relaxed(capability, domain) for name, capability in domain.capabilities.items()}
    ended = {
        template.predicate
        for capability in capabilities.values()
        for template in (*capability.effect, *(part for effect in capability.conditional for part in effect.literals))
        if not template.positive
    }
    start = frozenset((*scene.facts, *scene.beliefs))
    try:
        reached = reach_all(Problem(replace(domain, capabilities=capabilities, derived={}), scene.things, State(start)))
    except TooManyError:
        return ()
    never = (
        literal
        for literal in asked
        if (literal.atom not in reached.true if literal.positive else literal.atom in start)
        and (literal.positive or literal.atom.predicate not in ended)
    )
    return tuple(literal for literal in never if literal.atom.predicate not in domain.derived)


def _relaxed(capability: Capability, domain: Domain) -> Capability:
    """Return a capability that anyone has, and that requires only facts that are neither derived nor computed."""
    return replace(
        capability,
        precondition=tuple(
            template
            for template in capability.precondition
            if template.positive
            and template.predicate not in domain.derived
            and not domain.predicates[template.predicate].bookkeeping
        ),
        distinct=(),
        condition=None,
        conditional=tuple(replace(effect, condition=None, numeric=()) for effect in capability.conditional),
        numeric=(),
        cost_by=None,
        agentless=True,
    )
