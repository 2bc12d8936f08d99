"""The codes of what parses and is not meant, each with a sentence; ``docs/checks.md`` gives an example of each."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LINT_CODES"]

LINT_CODES: Mapping[str, str] = {
    "absent-convention": "a world has no name for what works by convention, so that something does not work",
    "alike-names": "two names of one sort differ in case, '-' and '_' alone, so that export renames one",
    "condition-never-holds": "a rule asks for what no goal can have",
    "contradiction": "something is made true and false at once",
    "denied-belief": "a scene believes a thing to be where it says that it is not",
    "duplicate-phrase": "a pattern stands twice, and the second is never taken",
    "duplicate-rule": "two rules have one condition",
    "effect-may-cancel": "an effect takes back what it makes where two parameters are one thing",
    "empty-kind": "no class is of a kind",
    "idle-effect": "an effect holds already when the capability can be done",
    "idle-thing": "no capability can do anything with a thing",
    "impossible-precondition": "a precondition asks for what never holds together",
    "impossible-repair": "the first step of a repair cannot be taken where its rule applies",
    "never-asked": "effects change a predicate that no condition and no goal asks for",
    "never-true": "a capability asks for a fact that nothing makes true",
    "no-agent": "no agent has a capability",
    "no-candidate": "nothing affords what a parameter asks",
    "no-change": "a capability changes nothing",
    "unreachable-goal": "nothing that can be done reaches a goal",
    "unused-affordance": "nothing affords an affordance and nothing asks for it",
    "unused-fluent": "nothing reads a number",
    "unused-parameter": "a parameter is not mentioned",
    "unused-predicate": "nothing asks for a predicate and nothing changes it",
    "unused-type": "nothing is of a type and nothing asks for it",
    "unused-variable": "a variable is bound and not mentioned",
    "word-of-pddl": "a name is a word of PDDL, so that export renames it",
}
