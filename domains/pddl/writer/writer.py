"""`PddlWriter`: writes a domain with the things of a scene as PDDL, for any state and goal.

Several affordances per class are encoded so that every PDDL planner reads them: each class is a type directly under one
root, and each affordance that some part asks for is a static unary predicate. (AutoGPT+P, section III, lists a class
below several parents instead, which strict PDDL forbids.) On request, affordances become types above the classes, as
far as the classes then have one parent each; translators read such a text faster.

PDDL gives each type one parent, but a class may have several affordances. So an affordance becomes a type only if its
classes contain, or are contained in, or share nothing with, those of each affordance that is a type already. In a
domain that was read from PDDL, affordances are its types, so all of them fit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from domains.capability import Capability, effects_of, formulas_of
from domains.invariants.mentions import affordances_in
from domains.model import Domain
from domains.pddl.writer.costs import CostWriter
from domains.pddl.writer.durative import lasting
from domains.pddl.writer.formulas import ROOT, Translation
from domains.pddl.writer.names import Naming
from domains.pddl.writer.plain import plain
from domains.pddl.writer.profiles import ProfileError, planned_only, profile_named, refused, refused_goal, unequal_costs
from domains.pddl.writer.schemas import Additions, PddlAction, make_schemas
from domains.pddl.writer.texts import Sheet, domain_text, problem_text, requirements_of
from semantics.logic.atoms import And, Atom, Conjunct, Formula, Or, Variable, conjunction, fluents_in, names_in
from semantics.logic.state import Action as Step, State
from semantics.logic.vocabulary import Thing


class AffordanceType(NamedTuple):
    """An affordance as a type: its PDDL name, and the classes below it."""

    name: str
    classes: frozenset[str]


def type_tree(affordances: Iterable[str], things: Mapping[str, Thing], naming: Naming) -> dict[str, AffordanceType]:
    """Return the affordances that become types, the largest first; name them."""
    classes = frozenset(thing.class_name for thing in things.values())
    types: dict[str, AffordanceType] = {}
    extents = {name: _classes_with(name, things, classes) for name in affordances}
    for name, extent in sorted(extents.items(), key=lambda pair: -len(pair[1] or ())):
        if extent and all(_fits(extent, other.classes) for other in types.values()):
            types[name] = AffordanceType(naming.give("affordance type", name, f"{name}-type"), extent)
    return types


def _classes_with(affordance: str, things: Mapping[str, Thing], classes: Collection[str]) -> frozenset[str] | None:
    """Return the classes with an affordance; None if some things of a class have it and others do not."""
    without = {thing.class_name for thing in things.values() if affordance not in thing.affordances}
    extent = frozenset(classes).difference(without)
    having = {thing.class_name for thing in things.values() if affordance in thing.affordances}
    return extent if having == extent else None


def _fits(one: frozenset[str], other: frozenset[str]) -> bool:
    return one.isdisjoint(other) or one < other or other < one


def above_classes(types: Mapping[str, AffordanceType]) -> Iterator[tuple[str, str]]:
    """Yield each type with the type above it."""
    larger: list[AffordanceType] = []
    for model in types.values():
        around = [other for other in larger if model.classes < other.classes]
        yield model.name, around[-1].name if around else ROOT
        larger.append(model)


def smallest_with(class_name: str, types: Iterable[AffordanceType]) -> str:
    """Return the lowest type above a class."""
    around = [model for model in types if class_name in model.classes]
    return around[-1].name if around else ROOT


class WrittenProblem(NamedTuple):
    """A problem as PDDL text."""

    domain: str  # the domain file's text
    problem: str  # the problem file's text
    names: Mapping[str, str]  # name in the world, by PDDL name

    def read(self, action: Step) -> Step:
        """Translate an action of the PDDL text back into the names of the world."""
        name, *args = (self.names[word.lower()] for word in (action.name, *action.args))
        return Step(name, tuple(args))


class PddlWriter:
    """Writes problems of one domain and the same things; the common parts are prepared once.

    Attributes:
        naming: The assigned names.
        notes: The omitted parts, one sentence each.
    """

    def __init__(
        self,
        domain: Domain,
        things: Mapping[str, Thing],
        profile: str = "adl-costs",
        *,
        drop_costs: bool = False,
        typed: bool = False,
    ) -> None:
        """Prepare; with `typed`, affordances become types where that is possible.

        Raises:
            ProfileError: The profile cannot express the domain; lists every reason.
            UnknownNameError: There is no such profile, or a capability has an unknown name.
        """
        self.profile = profile_named(profile)
        self.domain = domain
        self.things = {**domain.constants, **things}
        self.naming = Naming()
        self.notes: list[str] = []
        self._drop_costs = drop_costs
        self._counted = self.profile.costs and not drop_costs
        capabilities = self._capabilities()
        self._changing = domain.changing_numbers
        self._affordances = affordances_asked(domain, capabilities)
        self._constants = [name for name in names_mentioned(domain, capabilities) if name in self.things]
        self._give_names()
        self._types = type_tree(self._affordances, self.things, self.naming) if typed else {}
        self._translate = Translation(self.naming, {name: model.name for name, model in self._types.items()})
        classes = dict.fromkeys(thing.class_name for thing in self.things.values())
        present = classes if things else domain.classes
        self._schemas = make_schemas(domain, capabilities, self.naming, present, self._translate)
        self._lasting = lasting(self._schemas, self.naming) if self.profile.durations else None
        self._check_costs()

    def write(
        self, state: State, goal: Formula | Conjunct, name: str = "task", *, prices: Mapping[Step, int] | None = None
    ) -> WrittenProblem:
        """Write the problem of reaching `goal` from `state`; atoms with unknown things are left out.

        Args:
            state: Initial state.
            goal: What has to hold in the end.
            name: Name of the problem.
            prices: Cost of every action that the domain allows; by default the costs of the domain.

        Raises:
            ProfileError: The profile cannot express the goal.
            UnknownNameError: The goal has an unknown name.
        """
        facts = [self._translate.atom(atom) for atom in sorted(state.atoms) if self._known(atom)]
        asked = self._goal(goal)
        actions: tuple[PddlAction, ...] = self._schemas
        extra = Additions()
        if not self.profile.denials:
            actions, asked = plain(actions, asked, facts, self._objects(), self.naming, extra)
        if self._counted:
            scale = self.domain.cost_scale(state.numbers)
            pricing = CostWriter(self.things, self.naming, self._changing, scale=scale, numbers=self.profile.numbers)
            actions = pricing.actions(actions, state.numbers, extra, prices)
        numbers = {**self._numbers(state.numbers), **extra.numbers}
        sheet = self._sheet(actions, asked, extra)
        domain_name, problem_name = self.naming.give("domain", self.domain.name), self.naming.give("problem", name)
        idle = [Atom(self._lasting.idle, (name,)) for name in self._objects()] if self._lasting else []
        init = dict.fromkeys((*self._affords(), *facts, *extra.facts, *idle))
        objects = [pair for pair in self._objects().items() if pair not in sheet.constants]
        if self._counted:
            numbers = {Atom("total-cost"): 0, **numbers}
        problem = problem_text(problem_name, domain_name, objects, init, numbers, asked, metric=self._counted)
        return WrittenProblem(domain_text(domain_name, sheet), problem, dict(self.naming.ours))

    def _capabilities(self) -> tuple[Capability, ...]:
        capabilities = tuple(self.domain.capabilities.values())
        if self._drop_costs:
            capabilities = tuple(replace(capability, cost_by=None) for capability in capabilities)
        if not self.profile.numbers:
            capabilities = tuple(planned_only(self.domain, capability) for capability in capabilities)
            dropped = sorted(name for name, fluent in self.domain.fluents.items() if not fluent.planned)
            self.notes += [f"left out: the number {name}, which plans are made without" for name in dropped]
        refusals = list(refused(self.domain, self.profile, capabilities))
        if refusals:
            raise ProfileError(self.profile.name, refusals)
        return capabilities

    def _give_names(self) -> None:
        for kind, names in (
            ("thing", self.things),
            ("predicate", self.domain.predicates),
            ("capability", self.domain.capabilities),
            ("fluent", self.domain.fluents),
            ("type", self._classes()),
        ):
            for name in names:
                self.naming.give(kind, name)
        for affordance in self._affordances:
            self.naming.give("affordance", affordance, f"affords-{affordance}")

    def _classes(self) -> Iterable[str]:
        present = dict.fromkeys(thing.class_name for thing in self.things.values())
        return present or self.domain.classes

    def _typed(self, class_name: str) -> tuple[str, str]:
        return self.naming.of("type", class_name), smallest_with(class_name, self._types.values())

    def _check_costs(self) -> None:
        if not self.profile.costs and not self.profile.durations and not self._drop_costs:
            refusals = list(unequal_costs({schema.name: schema.cost for schema in self._schemas}))
            if refusals:
                raise ProfileError(self.profile.name, refusals)

    def _affords(self) -> list[Atom]:
        return [
            Atom(self.naming.of("affordance", affordance), (self.naming.of("thing", thing.name),))
            for affordance in self._affordances
            for thing in self.things.values()
            if affordance in thing.affordances
        ]

    def _known(self, atom: Atom) -> bool:
        return (
            atom.predicate in self.domain.predicates
            and atom.predicate not in self.domain.derived
            and all(arg in self.things for arg in atom.args)
        )

    def _goal(self, goal: Formula | Conjunct) -> Formula:
        if isinstance(goal, frozenset):
            goal = conjunction(goal)
        refusals = list(refused_goal(goal, self.profile))
        if refusals:
            raise ProfileError(self.profile.name, refusals)
        for affordance in affordances_in(goal):
            if affordance != "object" and affordance not in self._affordances:
                self._affordances.append(affordance)
                self.naming.give("affordance", affordance, f"affords-{affordance}")
        return self._translate.formula(goal)

    def _numbers(self, numbers: Mapping[Atom, float]) -> dict[Atom, float]:
        if not self.profile.numbers:
            return {}
        fluents = (fluent for fluent in sorted(numbers) if all(arg in self.things for arg in fluent.args))
        return {self._translate.atom(fluent, "fluent"): numbers[fluent] for fluent in fluents}

    def _objects(self) -> dict[str, str]:
        return {
            self.naming.of("thing", thing.name): self.naming.of("type", thing.class_name)
            for thing in self.things.values()
        }

    def _sheet(self, actions: tuple[PddlAction, ...], goal: Formula, extra: Additions) -> Sheet:
        objects = self._objects()
        constants = [
            self.naming.of("thing", name) for name in dict.fromkeys((*self.domain.constants, *self._constants))
        ]
        return Sheet(
            requirements=requirements_of(
                actions, goal, self._derived(), self.profile, counted=self._counted, numbers=bool(self.domain.fluents)
            ),
            types=[*above_classes(self._types), *map(self._typed, self._classes())],
            constants=[(name, objects[name]) for name in constants],
            predicates=list(self._predicates(extra)),
            functions=list(self._functions(extra)),
            derived=self._derived(),
            actions=actions,
            lasting=self._lasting,
            notes=[*self.notes, *(f"renamed: {pddl} is {ours}" for pddl, ours in self.naming.renamed.items())],
        )

    def _predicates(self, extra: Additions) -> Iterator[tuple[str, int]]:
        for model in self.domain.predicates.values():
            yield self.naming.of("predicate", model.predicate.name), len(model.predicate.parameters)
        for affordance in self._affordances:
            yield self.naming.of("affordance", affordance), 1
        if self._lasting:
            yield from self._lasting.predicates()
        yield from extra.predicates.items()

    def _functions(self, extra: Additions) -> Iterator[tuple[str, int]]:
        if self._counted:
            yield "total-cost", 0
        if self.profile.numbers:
            for fluent in self.domain.fluents.values():
                yield self.naming.of("fluent", fluent.name), len(fluent.parameters)
        yield from extra.functions.items()

    def _derived(self) -> list[tuple[tuple[Variable, ...], Atom, Formula]]:
        return [self._definition(name) for name in self.domain.derived]

    def _definition(self, name: str) -> tuple[tuple[Variable, ...], Atom, Formula]:
        derived = self.domain.derived[name]
        bodies = tuple(map(self._translate.formula, derived.bodies))
        variables = self._translate.variables(derived.variables)
        head = Atom(self.naming.of("predicate", name), tuple(f"?{variable.name}" for variable in variables))
        choice = bodies[0] if len(bodies) == 1 else Or(bodies)
        guards = self._translate.guards(derived.variables)
        return variables, head, And((*guards, choice)) if guards else choice


def affordances_asked(domain: Domain, capabilities: Iterable[Capability]) -> list[str]:
    """Return every affordance that some part asks for, in order, without ``object``."""
    affordances: list[str] = []
    for capability in capabilities:
        affordances += [affordance for parameter in capability.parameters for affordance in parameter.affordances]
        for _, formula in formulas_of(capability):
            affordances += affordances_in(formula)
        for effect in capability.conditional:
            affordances += [variable.affordance for variable in effect.variables]
    for derived in domain.derived.values():
        affordances += [variable.affordance for variable in derived.variables]
        for body in derived.bodies:
            affordances += affordances_in(body)
    return [name for name in dict.fromkeys(affordances) if name != "object"]


def names_mentioned(domain: Domain, capabilities: Iterable[Capability]) -> list[str]:
    """Return the things that capabilities and derived predicates name, in order."""
    names: list[str] = []
    for capability in capabilities:
        names += [arg for template in capability.precondition for arg in template.args]
        names += [arg for literal in effects_of(capability) for arg in literal.atom.args]
        numeric = (change for effect in capability.effects for change in effect.numeric)
        names += [
            arg for change in numeric for atom in (change.fluent, *fluents_in(change.amount)) for arg in atom.args
        ]
        names += [arg for _, formula in formulas_of(capability) for arg in names_in(formula)]
        if capability.cost_by is not None:
            names += [arg for atom in fluents_in(capability.cost_by) for arg in atom.args]
    names += [arg for derived in domain.derived.values() for body in derived.bodies for arg in names_in(body)]
    return [name for name in dict.fromkeys(names) if not name.startswith("?")]
