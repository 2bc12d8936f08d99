"""Problems as values of unified-planning, which its own engines and its own validator take.

It is a second model of a problem, written without `domains.pddl`, so that the two can be held against each other. The
import takes 0.2 s instead of 1.1 s, because it leaves out the engines, which are not needed to build a problem (see
`_environment`). It happens at the first call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from domains.model import AgentModel, Capability, Domain, Template
from domains.problem import Problem
from planning.errors import UnplannableError
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.state import State
from semantics.logic.vocabulary import Thing

if TYPE_CHECKING:
    from unified_planning.environment import Environment
    from unified_planning.model import Fluent, FNode, InstantaneousAction, Object, Problem as Model

__all__ = ["load", "unified"]


def load() -> None:
    """Import the modelling library now, so that the first problem does not wait for it."""
    _environment()


def unified(problem: Problem) -> tuple[Model, dict[str, str]]:
    """Return the problem as a `unified_planning.model.Problem`, and our names by the names in it.

    Raises:
        UnplannableError: The goal or a capability names something that does not exist.
    """
    builder = _Builder(problem.domain, problem.objects)
    builder.add_actions()
    builder.add_state(problem.state)
    builder.add_goal(problem.conjunct)
    return builder.problem, builder.ours


def _environment() -> Environment:
    """Make a unified-planning environment for modelling only.

    The constructor of the standard environment imports every engine (and with them SciPy: 0.9 s). Writing a problem
    needs no engine, so the parts are created here. The environment has no `factory`, and it prints no credits banner.
    """
    from unified_planning import model
    from unified_planning.environment import Environment
    from unified_planning.model import walkers
    from unified_planning.model.type_manager import TypeManager

    class Modelling(Environment):  # type: ignore[misc]  # the library has no type information here
        def __init__(self) -> None:
            self._type_manager = TypeManager()
            self._tc = walkers.TypeChecker(self)
            self._expression_manager = model.ExpressionManager(self)
            self._free_vars_oracle = model.FreeVarsOracle()
            self._simplifier = walkers.Simplifier(self)
            self._substituter = walkers.Substituter(self)
            self._free_vars_extractor = walkers.FreeVarsExtractor()
            self._names_extractor = walkers.NamesExtractor()
            self._credits_stream = None
            self._error_used_name = True

    return Modelling()


class _Builder:
    """Builds one problem of unified-planning."""

    def __init__(self, domain: Domain, things: Mapping[str, Thing]) -> None:
        from unified_planning.model import Problem as Model

        self.domain = domain
        self.things = things
        self.environment = _environment()
        self.problem = Model(domain.name, environment=self.environment)
        self.ours: dict[str, str] = {}
        self.costs: dict[InstantaneousAction, FNode] = {}
        types = self.environment.type_manager
        self.root = types.UserType(self._fresh("object"))
        classes = dict.fromkeys(thing.class_name for thing in things.values())
        self.types = {name: types.UserType(self._fresh(f"{name}-class"), self.root) for name in classes}
        self.fluents: dict[str, Fluent] = {}
        self.affordances: dict[str, Fluent] = {}
        for model in domain.predicates.values():
            self.fluents[model.predicate.name] = self._fluent(model.predicate.name, len(model.predicate.parameters))
        self.objects = {name: self._object(thing) for name, thing in things.items()}

    def _fresh(self, name: str) -> str:
        """Return an unused name. PDDL ignores case, and unified-planning has one namespace for all names."""
        taken, candidate = self.ours, name.lower()
        while candidate in taken:
            candidate += "-"
        self.ours[candidate] = name
        return candidate

    def _fluent(self, name: str, arity: int) -> Fluent:
        from unified_planning.model import Fluent

        signature = {f"x{index}": self.root for index in range(arity)}
        types = self.environment.type_manager
        fluent = Fluent(self._fresh(name), types.BoolType(), environment=self.environment, **signature)
        self.problem.add_fluent(fluent, default_initial_value=False)
        return fluent

    def _object(self, thing: Thing) -> Object:
        return self.problem.add_object(self._fresh(thing.name), self.types[thing.class_name])

    def add_actions(self) -> None:
        """Add each capability of each class of agents that is present, with its cost."""
        from unified_planning.model.metrics import MinimizeActionCosts

        for capability in self.domain.capabilities.values():
            if capability.agentless:
                self._add_action(capability, None)
        for agent in self.domain.agents.values():
            if agent.class_name in self.types:
                for name, capability in self.domain.capabilities.items():
                    if name in agent.capabilities and not capability.agentless:
                        self._add_action(capability, agent)
        self.problem.add_quality_metric(MinimizeActionCosts(self.costs, environment=self.environment))

    def _add_action(self, capability: Capability, agent: AgentModel | None) -> None:
        from unified_planning.model import InstantaneousAction

        name = self._fresh(capability.name)
        self.ours[name] = capability.name
        types = [self.root for _ in capability.parameters]
        if agent is not None:
            types[0] = self.types[agent.class_name]
        parameters = {p.name: type_ for p, type_ in zip(capability.parameters, types, strict=True)}
        action = InstantaneousAction(name, _env=self.environment, **parameters)
        binding = {f"?{p.name}": action.parameter(p.name) for p in capability.parameters}
        for condition in self._conditions(capability, binding):
            action.add_precondition(condition)
        for template in capability.effect:
            action.add_effect(self._atom(template, binding), template.positive)
        self.problem.add_action(action)
        self.costs[action] = self.environment.expression_manager.Int((agent.cost if agent else 1) * capability.cost)

    def _conditions(self, capability: Capability, binding: Mapping[str, FNode]) -> Iterable[FNode]:
        expressions = self.environment.expression_manager
        for parameter in capability.parameters:
            for affordance in parameter.affordances:
                if affordance != "object":
                    yield self._affords(affordance)(binding[f"?{parameter.name}"])
        for left, right in capability.distinct:
            yield expressions.Not(expressions.Equals(binding[f"?{left}"], binding[f"?{right}"]))
        for template in capability.precondition:
            atom = self._atom(template, binding)
            yield atom if template.positive else expressions.Not(atom)

    def _atom(self, template: Template, binding: Mapping[str, FNode]) -> FNode:
        args = [binding[arg] if arg in binding else self._named(arg) for arg in template.args]
        return self._predicate(template.predicate)(*args)

    def _affords(self, affordance: str) -> Fluent:
        if affordance not in self.affordances:
            fluent = self.affordances[affordance] = self._fluent(f"affords-{affordance}", 1)
            for name, thing in self.things.items():
                if affordance in thing.affordances:
                    self.problem.set_initial_value(fluent(self.objects[name]), True)
        return self.affordances[affordance]

    def _named(self, name: str) -> Object:
        if name not in self.objects:
            raise UnplannableError(name, "no such thing in the problem")
        return self.objects[name]

    def _predicate(self, name: str) -> Fluent:
        if name not in self.fluents:
            raise UnplannableError(name, "no such predicate in the domain")
        return self.fluents[name]

    def add_state(self, state: State) -> None:
        """Set the atoms that are true at the start."""
        for atom in sorted(state.atoms):
            if all(arg in self.objects for arg in atom.args):
                self.problem.set_initial_value(self._ground(atom), True)

    def _ground(self, atom: Atom) -> FNode:
        return self._predicate(atom.predicate)(*(self._named(arg) for arg in atom.args))

    def add_goal(self, conjunct: Conjunct) -> None:
        """Add each literal of the goal."""
        for literal in sorted(conjunct):
            atom = self._ground(literal.atom)
            self.problem.add_goal(atom if literal.positive else self.environment.expression_manager.Not(atom))
