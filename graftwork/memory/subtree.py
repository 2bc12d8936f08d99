"""`Subtree`: a goal and a plan that worked, as a document with the conditions for using them again.

Two comparisons decide whether it can be used later. The **scene** says whether the instruction would be read the same
way: the objects of the goal have the same classes and affordances, and the other candidates (of the same class, kind,
or noun of the sentence) are the same objects. With a new fruit in the scene, "all the fruit" is interpreted again. If
the sentence alone does not determine the objects ("what is on the table"), all facts count too. The **reads** say
whether the actions still lead to the goal: they are the condition on the first state that results from regressing the
goal through the actions (Reiter, Knowledge in Action, chapter 4).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domains.model import Capability, Domain, Template
from domains.problem import Problem
from graftwork.memory.instruction import instruction_key, is_described, things_named
from semantics.logic.atoms import Conjunct, Formula, Literal, literals
from semantics.logic.goal import Goal, read_values, values_document
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import Quantity
from semantics.logic.state import Action, Operator, Plan, State
from semantics.logic.vocabulary import Thing, Vocabulary
from semantics.words.english import THINGS

VERSION = 1

Nature = tuple[str, tuple[str, ...]]
"""A thing's class and its affordances, sorted."""


@dataclass(frozen=True, slots=True)
class Subtree:
    """A goal and a plan that worked."""

    goal: Formula  # the reached goal
    actions: tuple[Action, ...]  # the actions of the plan, in order
    reads: Conjunct  # the literals that they need in their start state
    things: Mapping[str, Nature]  # class and affordances of each object that the actions name
    scene: str  # everything that the interpretation of the sentence depended on, see `scene_of`
    optimal: bool  # whether the plan was proved to be the cheapest in its start state
    state: str  # digest of the start state and of everything else that the proof depends on, see `proof_digest`
    values: tuple[tuple[str, Quantity], ...] = ()  # the values of the goal, such as a speed; its actions have them too

    @classmethod
    def learned(cls, goal: Goal, plan: Plan, domain: Domain, vocabulary: Vocabulary, state: State) -> Subtree:
        """Create the document of a plan for `goal`, whose `text` is the sentence; `state` is the plan's start state."""
        actions = tuple(step.action for step in plan.steps)
        names = sorted({name for action in actions for name in action.args})
        return cls(
            goal=goal.formula,
            actions=actions,
            reads=reads_of(plan.steps, plan.goal),
            things={name: _nature(vocabulary.things[name]) for name in names},
            scene=scene_of(goal.text, goal.formula, vocabulary, state) or "",
            optimal=plan.optimal,
            state=proof_digest(Problem(domain, vocabulary.things, state)),
            values=goal.values,
        )

    def as_before(self, vocabulary: Vocabulary, state: State) -> bool:
        """Return whether the objects of the actions are unchanged and all literals that they need still hold."""
        things = vocabulary.things
        same = all(name in things and _nature(things[name]) == nature for name, nature in self.things.items())
        return same and state.satisfies(self.reads)

    def still_optimal(self, problem: Problem) -> bool:
        """Return whether the plan is still proved optimal: nothing that the proof depends on has changed."""
        return self.optimal and self.state == proof_digest(problem)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "version": VERSION,
            "goal": str(self.goal),
            "actions": list(map(str, self.actions)),
            "reads": sorted(map(str, self.reads)),
            "things": {name: [class_name, list(affords)] for name, (class_name, affords) in self.things.items()},
            "scene": self.scene,
            "optimal": self.optimal,
            "state": self.state,
            **values_document(self.values),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Subtree:
        """Read a document that `as_dict` wrote.

        Raises:
            ValueError, KeyError, TypeError, UsageError: The document is none of a subtree.
        """
        if document["version"] != VERSION:
            raise ValueError(f"a subtree of version {document['version']}; this program reads version {VERSION}")
        return cls(
            goal=parse_formula(document["goal"]),
            actions=tuple(map(Action.read, document["actions"])),
            reads=frozenset(literal for text in document["reads"] for literal in literals(parse_formula(text))),
            things={name: (class_name, tuple(affords)) for name, (class_name, affords) in document["things"].items()},
            scene=document["scene"],
            optimal=document["optimal"],
            state=document["state"],
            values=read_values(document.get("values", {})),
        )


def reads_of(steps: Sequence[Operator], goal: Conjunct) -> Conjunct:
    """Regress `goal` through `steps`: return what must hold before the first step so that all can run and reach it.

    Conditional effects do not count as achieved: their facts must hold already. So a plan that depends on such an
    effect is made again. Every reused plan is validated first.
    """
    needed = goal
    for step in reversed(steps):
        made = {Literal(atom) for atom in step.added} | {Literal(atom, False) for atom in step.deleted - step.added}
        needed = (needed - made) | step.precondition
    return needed


def scene_of(sentence: str, goal: Formula, vocabulary: Vocabulary, state: State) -> str | None:
    """Describe everything that the reading of `sentence` as `goal` depends on, as JSON; equal texts are equal scenes.

    Returns:
        The description; None when the goal names a missing object.
    """
    facts = tuple(literals(goal))
    names = {name for fact in facts for name in fact.atom.args}
    if not names <= vocabulary.things.keys():
        return None
    meant = [vocabulary.things[name] for name in sorted(names)]
    key = instruction_key(sentence)
    nouns = things_named(key, vocabulary)
    groups = {f"class {thing.class_name}": vocabulary.of_class(thing.class_name) for thing in meant}
    groups |= {f"kind {kind}": vocabulary.of_kind(kind) for thing in meant for kind in thing.kinds}
    groups |= {f"noun {noun}": tuple(sorted(named)) for noun, named in nouns.items()}
    document = {
        "things": {thing.name: _nature(thing) for thing in meant},
        "groups": groups,
        "speaker": vocabulary.speaker,
        "robot": vocabulary.robot,
        "state": None if _words_decide(key, facts, names, nouns, vocabulary) else _digest(state),
        **_meanings_said(key, vocabulary),
    }
    if is_described(key, vocabulary):  # what things are like decides, and may change
        values = (f"{thing.name} {thing.attributes}" for thing in vocabulary.things.values())
        document |= {"state": _digest(state), "values": hashlib.sha256("\n".join(sorted(values)).encode()).hexdigest()}
    return json.dumps(document, sort_keys=True)


def _meanings_said(key: str, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return what words of a sentence such as "slowly" mean in this world; without any, there is no such field."""
    meanings = {
        f"{capability} {model.name} {word}": f"{number:g}{model.unit}"
        for capability, models in vocabulary.values.items()
        for model in models
        for word, number in model.words.items()
        if f" {word} " in f" {key} "
    }
    return {"values": meanings} if meanings else {}


def _words_decide(
    sentence: str,
    facts: Sequence[Literal],
    names: set[str],
    nouns: Mapping[str, frozenset[str]],
    vocabulary: Vocabulary,
) -> bool:
    """Return whether the sentence alone determines the objects.

    This needs two conditions. The goal contains every object that the nouns can mean: "the cup" with two cups fails,
    and so does a table that only describes another object. And the sentence names the first argument of each fact of
    the goal except robot and speaker; of a negated fact it names all arguments, because "take out the cup" depends on
    the place of the cup. "Everything" always depends on the facts.
    """
    if THINGS & set(sentence.split()) - {word for noun in nouns for word in noun.split()}:
        return False
    named = frozenset[str]().union(*nouns.values())
    arguments = (atom.args[:1] if positive else atom.args for atom, positive in facts)
    spoken_of = {name for args in arguments for name in args} - {vocabulary.robot, vocabulary.speaker}
    return named <= names and spoken_of <= named


def _nature(thing: Thing) -> Nature:
    return thing.class_name, tuple(sorted(thing.affordances))


def _digest(state: State) -> str:
    return hashlib.sha256("\n".join(map(str, sorted(state.atoms))).encode()).hexdigest()


def proof_digest(problem: Problem) -> str:
    """Return a digest of a planning problem without its goal; while it is equal, a proof of optimality still holds.

    The digest covers everything that a planner gets: the facts, the objects and their affordances, the capabilities of
    the agents, and their costs. It leaves out words, rules and motions, because no plan depends on them.
    """
    domain, things, state = problem.domain, problem.objects, problem.state
    document: dict[str, Any] = {
        "facts": sorted(map(str, state.atoms)),
        "things": {name: [thing.class_name, sorted(thing.affordances)] for name, thing in things.items()},
        "capabilities": {name: _capability(capability) for name, capability in domain.capabilities.items()},
        "agents": {name: [sorted(agent.capabilities), agent.cost] for name, agent in domain.agents.items()},
        "predicates": {name: list(model.predicate.parameters) for name, model in domain.predicates.items()},
    }
    if domain.is_adl:
        derived = {name: [str(body) for body in axiom.bodies] for name, axiom in domain.derived.items()}
        numbers = sorted((str(fluent), value) for fluent, value in state.numbers.items())
        document["rich"] = [derived, numbers, [_adl(capability) for capability in domain.capabilities.values()]]
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _capability(capability: Capability) -> list[Any]:
    parameters = [[parameter.name, sorted(parameter.affordances)] for parameter in capability.parameters]
    distinct = sorted(sorted(pair) for pair in capability.distinct)
    literals_of = map(_template_lists, (capability.precondition, capability.effect))
    return [parameters, *literals_of, distinct, capability.cost]


def _adl(capability: Capability) -> list[str]:
    return list(map(str, (capability.condition, capability.conditional, capability.numeric, capability.cost_by)))


def _template_lists(templates: tuple[Template, ...]) -> list[list[Any]]:
    return sorted([template.predicate, list(template.args), template.positive] for template in templates)
