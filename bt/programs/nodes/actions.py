"""A call of a capability: missing arguments are chosen from the scene, and then it runs as a step of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.execution.goal import holds
from bt.execution.step import Step
from bt.programs.evaluation import trouble
from bt.programs.nodes.statement import Flow, at_rest
from bt.programs.reader import identifier
from bt.programs.sorts import agent_given, signature
from domains.capability import Capability, Parameter, Template
from semantics.atoms import Atom
from semantics.errors import UsageError
from semantics.feedback import Code
from semantics.state import Action, Operator, State

__all__ = ["Perform"]

MOST_CHOICES = 100
"""How many ways of filling in what is left out are tried."""
Bound = dict[str, str]


class Perform(Flow):
    """Carries out a capability: precondition, motion and sensed effect.

    Missing arguments are chosen when the node begins: the first objects, in the order of their names, with which the
    capability is applicable in the believed state. After a stop the node succeeds if its effect was sensed in the
    meantime; otherwise it begins again with a new choice, after its motion has come to rest.
    """

    _step: Step | None = None
    _lacking = ""

    @property
    def capability(self) -> Capability:
        """The capability that is called."""
        return self.setting.language.capabilities[self.call.name]

    def begin(self) -> None:
        """Choose the missing arguments, and build the step."""
        operator = self._operator()
        setting = self.setting
        try:
            self._step = Step(
                operator,
                beliefs=setting.beliefs,
                robot=setting.robot,
                skills=setting.skills,
                patience=setting.patience,
            )
        except TreeError as error:
            raise trouble(self.place, self.what, str(error), Code.UNSUPPORTED) from None
        self.adopt(setting.around(self._step) if setting.around else self._step)
        self._done = self._resting = False

    def again(self) -> None:
        """Succeed if the effect was sensed in the meantime; otherwise wait until the motion is at rest."""
        assert self._step is not None
        effects = self._step.expected.effects
        self._done = bool(effects) and holds(effects, self.setting.beliefs)
        self._resting = True

    def upcoming(self) -> Behaviour | Status:
        """Return the step, after all stopped motions are at rest."""
        assert self._step is not None
        if self._resting:
            if not at_rest(self):
                return Status.RUNNING
            self._resting = False
            if not self._done:
                self.begin()
        return Status.SUCCESS if self._done else self.children[0]

    @property
    def step(self) -> Step | None:
        """The current or last step."""
        return self._step

    def took(self, child: Behaviour) -> Status | None:
        """End with the status of the step."""
        if child.status == Status.SUCCESS:
            return Status.SUCCESS
        status = self.failed_by(child)
        assert self.feedback is not None
        self.note(self.feedback)
        return status

    def _operator(self) -> Operator:
        arguments = self._given()
        free = [parameter for parameter in self.capability.parameters if parameter.name not in arguments]
        operator = self._completed(arguments, free) if free else self._ground(arguments)
        if isinstance(operator, UsageError):
            raise trouble(self.place, self.what, str(operator), Code.WRONG_AFFORDANCE)
        if operator is None:
            names = " and ".join(identifier(parameter.name) for parameter in free)
            why = f"there is no {names} with which it is possible now{self._lacking}"
            how = f"Give them, as in {signature(self.capability, self.call.name)}, or bring about what it needs first."
            raise trouble(self.place, self.what, why, Code.PRECONDITION, how)
        return operator

    def _given(self) -> Bound:
        """Return the arguments by parameter."""
        evaluation, call = self.evaluation(), self.call
        args = [evaluation.thing(arg) for arg in call.args]
        parameters = list(self.capability.parameters)
        count = len(args) + len(call.keywords)
        if args and not agent_given(self.capability, args[0], count, self.setting.language):
            parameters = parameters[1:]
        if len(args) > len(parameters):
            how = f"Write it as {signature(self.capability, call.name)}."
            raise trouble(self.place, self.what, "there are too many arguments", Code.WRONG_ARITY, how)
        bound = {parameter.name: arg for parameter, arg in zip(parameters, args, strict=False)}
        by_name = {identifier(parameter.name): parameter.name for parameter in self.capability.parameters}
        for name, value in call.keywords:
            if by_name[name] in bound:
                raise trouble(self.place, self.what, f"{name} is given twice", Code.WRONG_ARITY)
            bound[by_name[name]] = evaluation.thing(value)
        agents = self.setting.language.agents(self.capability)
        if len(agents) == 1 and not self.capability.agentless:
            bound.setdefault(self.capability.parameters[0].name, agents[0])
        return bound

    def _ground(self, bound: Mapping[str, str]) -> Operator | UsageError:
        language, state = self.setting.language, self.setting.state
        args = tuple(bound[parameter.name] for parameter in self.capability.parameters)
        try:
            action = Action(self.capability.name, args)
            return language.domain.ground(action, language.things, state.numbers, language.axioms)
        except UsageError as error:
            return error

    def _completed(self, given: Bound, free: list[Parameter]) -> Operator | UsageError | None:
        """Choose the missing arguments so that the capability is applicable; else return the first choice."""
        state = self.setting.state
        first: Operator | UsageError | None = None
        for bound in islice(self._candidates(given, free, state), MOST_CHOICES):
            operator = self._ground(bound)
            if isinstance(operator, Operator) and _is_possible(operator, state):
                return operator
            first = operator if first is None or isinstance(first, UsageError) else first
        return first

    def _candidates(self, given: Bound, free: list[Parameter], state: State) -> Iterator[Bound]:
        """Yield the choices of the missing arguments that satisfy the required facts, in the order of names."""
        language = self.setting.language
        able = {parameter.name: set(language.able(parameter.affordances)) for parameter in free}
        agents = set(language.agents(self.capability))
        if not self.capability.agentless and self.capability.parameters:
            first = self.capability.parameters[0].name
            able |= {first: able[first] & agents} if first in able else {}
        asked = [template for template in self.capability.precondition if template.positive]
        partial = [given]
        for template in asked:
            facts = sorted(atom for atom in state.atoms if atom.predicate == template.predicate)
            extended = [more for bound in partial for more in _matches(bound, template.args, facts, able)]
            if not extended:
                self._lacking = f", for want of {_told(template, given)}"
                return
            partial = extended[:MOST_CHOICES]
        for bound in partial:
            yield from _filled(bound, [parameter.name for parameter in free if parameter.name not in bound], able)


def _is_possible(operator: Operator, state: State) -> bool:
    try:
        return operator.applicable(state)
    except UsageError:  # the value of a number is unknown
        return False


def _told(template: Template, bound: Bound) -> str:
    args = [f"?{identifier(arg[1:])}" if arg.startswith("?") and arg[1:] not in bound else arg for arg in template.args]
    return f"({' '.join((template.predicate, *(bound.get(arg[1:], arg) for arg in args)))})"


def _matches(bound: Bound, args: tuple[str, ...], facts: list[Atom], able: Mapping[str, set[str]]) -> Iterator[Bound]:
    """Yield `bound` with more parameters, so that a condition equals one of `facts`."""
    for fact in facts:
        more = dict(bound)
        for arg, name in zip(args, fact.args, strict=True):
            wanted = more.get(arg[1:]) if arg.startswith("?") else arg
            if wanted is None and name in able.get(arg[1:], ()):
                more[arg[1:]] = name
            elif wanted != name:
                break
        else:
            yield more


def _filled(bound: Bound, free: list[str], able: Mapping[str, set[str]]) -> Iterator[Bound]:
    """Yield every choice for the parameters that no condition names."""
    for names in product(*(sorted(able[name]) for name in free)):
        yield {**bound, **dict(zip(free, names, strict=True))}
