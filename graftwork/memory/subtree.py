"""`Subtree`: goals and plans that worked, as a program with the conditions for using it again.

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
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bt.programs import read_program, write_program
from bt.programs.action_values import given_models
from bt.programs.plan_statement import achieve_with, actions_of, formula_of, program_of
from bt.programs.writer import identifier
from domains.model import Capability, Domain, Template
from domains.problem import Problem
from graftwork.memory.instruction import form_of, instruction_key, is_described, things_named
from semantics.logic.atoms import And, Conjunct, Formula, Literal, literals
from semantics.logic.goal import Goal, read_values
from semantics.logic.parsing import parse_formula
from semantics.logic.program import Achieve, Program, ProgramLimits, RefusedProgram
from semantics.logic.state import Action, Operator, Plan, State
from semantics.logic.vocabulary import Thing, Vocabulary
from semantics.words.english import THINGS

VERSION = 2
WIDE = ProgramLimits(source=1 << 24, lines=1 << 20, width=1 << 20, items=1 << 16, text=1 << 16)
"""The limits of a program that this program has written itself."""
WORD = re.compile(r"\w+")

Nature = tuple[str, tuple[str, ...]]
"""A thing's class and its affordances, sorted."""


@dataclass(frozen=True, slots=True)
class Subtree:
    """What worked for a sentence, as a program: one goal after the other, each with its plan if it had one."""

    program: Program  # the program; for a sentence that means goals, one ``achieve`` for each
    symbols: Mapping[str, str]  # the symbol of the world for each name of the program that is written otherwise
    reads: Conjunct  # the literals that the first plan needs in its start state
    things: Mapping[str, Nature]  # class and affordances of each object that the plans name
    scene: str  # everything that the interpretation of the sentence depended on, see `scene_of`
    state: str  # digest of the start state and of everything else that a proof depends on, see `proof_digest`
    form: str = ""  # the sentence without its arguments, see `form_of`; empty in documents from before there was one

    @classmethod
    def learned(
        cls, goal: Goal, plan: Plan, domain: Domain, vocabulary: Vocabulary, state: State, ahead: Sequence[Plan] = ()
    ) -> Subtree:
        """Create the document of plans for a goal and its later ones.

        Args:
            goal: The goal; its `text` is the sentence.
            plan: The plan for it.
            domain: The world.
            vocabulary: The names of the world.
            state: The start state of the plan.
            ahead: The plans for the later goals, in order, as far as they are known.
        """
        plans, facts = (plan, *ahead), tuple(literals(_whole(goal)))
        program = program_of(goal, plans)
        names = sorted({name for made in plans for step in made.steps for name in step.action.args})
        return cls(
            program=program,
            symbols=_symbols(write_program(program), domain, vocabulary),
            reads=reads_of(plan.steps, plan.goal),
            things={name: _nature(vocabulary.things[name]) for name in names},
            scene=scene_of(goal.text, _names(facts), facts, vocabulary, state) or "",
            state=proof_digest(Problem(domain, vocabulary.things, state)),
            form=form_of(instruction_key(goal.text), vocabulary),
        )

    @classmethod
    def of_program(
        cls, sentence: str, text: str, domain: Domain, vocabulary: Vocabulary, state: State
    ) -> Subtree | None:
        """Create the document of a program that worked for a sentence; None if it names what the sentence does not.

        Args:
            sentence: The sentence.
            text: The text of the program.
            domain: The world.
            vocabulary: The names of the world.
            state: The state in which it began.
        """
        program, key = read_program(text, WIDE), instruction_key(sentence)
        if isinstance(program, RefusedProgram):
            return None
        words = {*WORD.findall(text)}
        names = {name for name in vocabulary.things if identifier(name) in words}
        said = frozenset[str]().union(*things_named(key, vocabulary).values())
        scene = scene_of(sentence, names, (), vocabulary, state)
        if scene is None or not names - {vocabulary.robot, vocabulary.speaker} <= said:
            return None
        nature = {name: _nature(vocabulary.things[name]) for name in sorted(names)}
        digest = proof_digest(Problem(domain, vocabulary.things, state))
        form = form_of(key, vocabulary)
        return cls(program, _symbols(text, domain, vocabulary), frozenset(), nature, scene, digest, form)

    @property
    def told(self) -> str:
        """What it is for, as text: its goals, else its program."""
        goal = self.goal
        return (
            write_program(self.program) if goal is None else ", then ".join(str(stage.formula) for stage in goal.stages)
        )

    @property
    def goal(self) -> Goal | None:
        """The goals, without what they were read from; None for a program that is more than goals."""
        if not self._statements:
            return None
        first, *later = map(self._goal, self._statements)
        return replace(first, later=tuple(later))

    def _goal(self, statement: Achieve) -> Goal:
        values = read_values(dict(text.split(" ", 1) for text in statement.values))
        return Goal(formula_of(statement.goal, self._symbol), values=values)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the first plan, in order."""
        return actions_of(self._statements[0], self._symbol) if self._statements else ()

    @property
    def optimal(self) -> bool:
        """Whether the first plan was proved to be the cheapest in its start state."""
        return bool(self._statements) and self._statements[0].proved

    @property
    def _statements(self) -> tuple[Achieve, ...]:
        """The statements of a program that is goals and nothing else; none for another one."""
        found = tuple(statement for statement in self.program.body if isinstance(statement, Achieve))
        return () if self.program.functions or len(found) < len(self.program.body) else found

    def _symbol(self, name: str) -> str:
        return self.symbols.get(name, name)

    def scene_now(self, sentence: str, vocabulary: Vocabulary, state: State) -> str | None:
        """Return what the reading of a sentence as these goals, or this program, depends on now, see `scene_of`."""
        facts = () if self.goal is None else tuple(literals(_whole(self.goal)))
        return scene_of(sentence, self.things if self.goal is None else _names(facts), facts, vocabulary, state)

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
            "program": write_program(self.program),
            "symbols": dict(self.symbols),
            "reads": sorted(map(str, self.reads)),
            "things": {name: [class_name, list(affords)] for name, (class_name, affords) in self.things.items()},
            "scene": self.scene,
            "state": self.state,
            "form": self.form,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Subtree:
        """Read a document that `as_dict` wrote, here or in the version before.

        Raises:
            ValueError, KeyError, TypeError, UsageError: The document is none of a subtree.
        """
        if document["version"] not in READ:
            raise ValueError(f"a subtree of version {document['version']}; this program reads {sorted(READ)}")
        program = READ[document["version"]](document)
        subtree = cls(
            program=program,
            symbols={str(name): str(symbol) for name, symbol in document.get("symbols", {}).items()},
            reads=frozenset(literal for text in document["reads"] for literal in literals(parse_formula(text))),
            things={name: (class_name, tuple(affords)) for name, (class_name, affords) in document["things"].items()},
            scene=document["scene"],
            state=document["state"],
            form=str(document.get("form", "")),
        )
        assert (subtree.goal, subtree.actions) is not None  # both can be read
        return subtree


def _program(document: Mapping[str, Any]) -> Program:
    program = read_program(document["program"], WIDE)
    if isinstance(program, RefusedProgram):
        raise ValueError(f"its program cannot be read: {program}")  # noqa: TRY004  # a value that nothing reads
    if not program.body:
        raise ValueError("its program does nothing")
    return program


def _program_of_before(document: Mapping[str, Any]) -> Program:
    """Return the program of a document of version 1, which holds a formula and actions in PDDL."""
    goal = Goal(parse_formula(document["goal"]), values=read_values(document.get("values", {})))
    actions = tuple(map(Action.read, document["actions"]))
    return Program((), (replace(achieve_with(goal, actions), proved=document["optimal"]),))


READ = {1: _program_of_before, VERSION: _program}
"""How the program of a document of each version is read."""


def _whole(goal: Goal) -> Formula:
    """Return the conditions of a goal and its later ones as one formula."""
    return And(tuple(stage.formula for stage in goal.stages)) if goal.later else goal.formula


def _symbols(text: str, domain: Domain, vocabulary: Vocabulary) -> dict[str, str]:
    """Return the symbols of the world that the text of a program writes otherwise, by how it writes them."""
    values = (name for each in domain.capabilities.values() for name in given_models(each))
    symbols = (*vocabulary.things, *domain.predicates, *domain.capabilities, *values)
    words = set(WORD.findall(text))
    return {identifier(symbol): symbol for symbol in symbols if identifier(symbol) in words - {symbol}}


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


def _names(facts: Iterable[Literal]) -> set[str]:
    return {name for fact in facts for name in fact.atom.args}


def scene_of(
    sentence: str, named: Iterable[str], facts: Sequence[Literal], vocabulary: Vocabulary, state: State
) -> str | None:
    """Describe everything that the reading of a sentence depends on, as JSON; equal texts are equal scenes.

    Args:
        sentence: The sentence.
        named: The objects of the goal or the program that it was read as.
        facts: The facts of the goal; none for a program.
        vocabulary: The names of the world.
        state: The believed state.

    Returns:
        The description; None when a named object is missing.
    """
    names = {*named}
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
