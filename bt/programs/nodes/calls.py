"""Statements that call something: a capability, a function, the planner or a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from types import MappingProxyType
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Pending
from bt.compiler import pursue
from bt.errors import TreeError
from bt.execution.goal import holds
from bt.execution.improvement import Basis
from bt.execution.step import Step
from bt.node import above, adopt
from bt.programs.action_values import given_models, signature
from bt.programs.evaluation import ExpressionEvaluator, Trouble, trouble
from bt.programs.nodes.flow import only_block
from bt.programs.nodes.statement import Called, Flow, Frame, Under, at_rest
from bt.programs.sorts import agent_given
from bt.programs.values import Value, spoken
from bt.programs.writer import bare_lines, identifier
from bt.record import plan_fields
from bt.recovery.strategies import Replan
from domains.capability import Capability, Parameter, Template
from semantics.body.protocols import AttentiveBeliefs, NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection, read_values
from semantics.logic.place_value import ActionValue
from semantics.logic.program import Assign, Call, Function, Return
from semantics.logic.quantity import QuantityError
from semantics.logic.state import Action, Operator, Plan, State, first_failure


class Receive(Flow):
    """A call with a result, which is stored under names, returned or ignored."""

    def receive(self, value: Value | None) -> Status:
        """Store or return the result."""
        if isinstance(self.statement, Return):
            self.give_back(value)
        elif isinstance(self.statement, Assign):
            if value is None:
                why = f"{self.call.name} returned nothing"
                raise trouble(self.place, self.what, why, how="Let it return a value on every way.")
            self.frame.values |= self.evaluation().bound(self.statement.targets, value, self.place)
        return Status.SUCCESS


class Invoke(Receive):
    """A call of a function: its body is a subtree with separate values, built when the call begins.

    Each call builds the body again, so that a function may call itself, up to the limit of the depth.
    """

    @property
    def function(self) -> Function:
        """The function that is called."""
        return self.setting.functions[self.call.name]

    def begin(self) -> None:
        """Create the values and the body."""
        limits, evaluation = self.setting.limits, self.evaluation()
        if self.frame.depth >= limits.recursion or sum(1 for _ in above(self)) + 1 >= limits.depth:
            why = f"functions call each other more than {min(limits.recursion, self.frame.depth)} deep"
            how = "Use a loop, or end the recursion earlier."
            raise trouble(self.place, self.what, why, Code.BUDGET_SPENT, how)
        values = dict(zip(self.function.parameters, map(evaluation.value, self.call.args), strict=False))
        values |= {name: evaluation.value(value) for name, value in self.call.keywords}
        self._inner = Frame(values, self.frame.depth + 1)
        self._make_body()

    def took(self, child: Behaviour) -> Status | None:
        """Take the result."""
        status = super().took(child)
        return self.receive(self._inner.returned) if status == Status.SUCCESS else status

    def standing(self) -> Under:
        """Return its values and the position in its body."""
        return Called(self._inner, only_block(self).stand())

    def go_on(self, under: Called) -> None:
        """Go on in the body, with the given values."""
        super().go_on(under)
        self._inner = under.frame
        self._make_body()
        only_block(self).go_on(under.block)

    def _make_body(self) -> None:
        adopt(self, self.setting.build(self.function.body, self.function.place, self.setting, self._inner))


class AskStatement(Receive):
    """``ask(text)``: waits for the answer of a person, off the tick."""

    _asked: Pending[str] | None = None

    def begin(self) -> None:
        """Ask the question."""
        setting = self.setting
        question = spoken(self.evaluation().value(self.call.args[0]))
        voice, asking, self._began = setting.voice, setting.asking, setting.robot.clock.now()
        if asking is not None and asking.desk.is_open:
            asking.desk.ask(Question(question))
            self.setting.record("asked", {"rung": "program", "question": question, "options": []})
        elif asking is None and voice is not None:
            ask, now = voice.ask, self._began
            self._asked = Pending(
                lambda: ask(question), name="ask", now=now, delay=setting.delay, cancellation=setting.cancellation
            )
        else:
            raise trouble(self.place, self.what, "nobody can be asked", Code.QUESTION)

    def again(self) -> None:
        """Ask again, unless the question is still open."""
        if self.setting.asking is not None:
            self.begin()

    def upcoming(self) -> Behaviour | Status:
        """Wait, then take the answer."""
        asked = self._asked
        if asked is None:
            answer = self._from_desk()
        else:
            answer = asked.result() if asked.arrived(self.setting.robot.clock.now()) else None
        if answer is None:
            return Status.RUNNING
        if len(answer) > self.setting.limits.text:
            why = f"the answer has more than {self.setting.limits.text} characters"
            raise trouble(self.place, self.what, why, Code.BUDGET_SPENT)
        return self.receive(answer)

    def _from_desk(self) -> str | None:
        assert self.setting.asking is not None
        desk, seconds = self.setting.asking.desk, self.setting.asking.seconds
        words = desk.taken()
        if words is None and self.setting.robot.clock.now() - self._began <= seconds:
            return None
        desk.withdraw()
        self.setting.record("answered", {"rung": "program", "words": words})
        if words is None:
            raise trouble(self.place, self.what, f"nobody answered within {seconds:g} s", Code.QUESTION)
        return words

    def terminate(self, new_status: Status) -> None:
        """Withdraw the question when the node is stopped."""
        if new_status == Status.INVALID and self.status == Status.RUNNING and self.setting.asking is not None:
            self.setting.asking.desk.withdraw()
        super().terminate(new_status)


class AchieveGoal(Flow):
    """``achieve(condition)``: checks the condition like any goal, plans for it off the tick, and pursues the plan.

    The objects of the condition are evaluated when the node begins. The steps that the statement gives are the plan, as
    long as they, or the last of them, reach the goal from where the robot is. When the plan no longer fits, a new plan
    is made, as in the tree of a sentence.
    """

    _pending: Pending[Plan | NoPlan] | None = None

    def details(self) -> dict[str, Any]:
        """Return the details of the node for its tree document, with its plan."""
        return super().details() | {"text": "\n".join(bare_lines(self.statement))}

    def begin(self) -> None:
        """Turn the condition into a goal, and ask for a plan."""
        setting, said = self.setting, self.statement
        if setting.planner is None and not said.by:
            raise trouble(self.place, self.what, "there is nobody here who plans", Code.UNAVAILABLE)
        for old in self.children:
            old.parent = None
        self.children = []
        formula = self.evaluation().formula(said.goal)
        if isinstance(setting.beliefs, AttentiveBeliefs):
            setting.beliefs.attend([literal.atom for literal in literals(formula)])
        state = setting.state
        values = read_values(dict(text.split(" ", 1) for text in said.values)) if said.values else ()
        checked = setting.check_goal(Goal(formula, self.what, values=values), state)
        if isinstance(checked, Rejection):
            raise Trouble(checked.feedback[0])
        self._goal, self._state, actions = checked, state, [self._action(step.call) for step in said.by]
        self._pending = Pending(
            lambda: self._planned(checked, actions, state),
            name="achieve",
            now=setting.robot.clock.now(),
            delay=setting.delay,
            cancellation=setting.cancellation,
        )

    def _action(self, call: Call) -> Action:
        """Return a step that is given, with the things that its arguments name now."""
        evaluation, capability = self.evaluation(), self.setting.language.capabilities[call.name]
        args = tuple(map(evaluation.thing, call.args))
        return Action(capability.name, args).with_values(values_given(call, capability, evaluation, self.what))

    def _planned(self, goal: CheckedGoal, actions: Sequence[Action], state: State) -> Plan | NoPlan:
        recall, planner = self.setting.recall or self._recalled, self.setting.planner
        recalled = recall(goal, actions, state) if actions else None
        if recalled is not None:
            return recalled
        if planner is None:
            why = "the steps that are given do not reach the goal from here, and nobody here plans"
            return NoPlan(Feedback(Code.UNAVAILABLE, self.what, why), False, 0.0)
        return planner(goal, state)

    def _recalled(self, goal: CheckedGoal, actions: Sequence[Action], state: State) -> Plan | None:
        language = self.setting.language
        try:
            steps = [language.domain.ground(one, language.things, state.numbers, language.axioms) for one in actions]
        except UsageError:
            return None
        rests = [(steps[done:], conjunct) for done in range(len(steps) + 1) for conjunct in goal.conjuncts]
        reached = (rest for rest in rests if first_failure(rest[0], state, rest[1]) is None)
        return next((Plan(tuple(rest), conjunct, planner="the program") for rest, conjunct in reached), None)

    def upcoming(self) -> Behaviour | Status:
        """Wait for the plan, then return its tree."""
        if self._pending is not None:
            if not self._pending.arrived(self.setting.robot.clock.now()):
                return Status.RUNNING
            plan, self._pending = self._pending.result(), None
            if isinstance(plan, NoPlan):
                raise Trouble(plan.feedback)
            self._pursue(plan)
        return self.children[0]

    def _pursue(self, plan: Plan) -> None:
        self.setting.record("plan", plan_fields(plan, "achieve"))
        made = (self.setting.pursuer or self._pursuit)(self._goal, plan, self._state)
        if isinstance(made, Feedback):
            raise Trouble(made)
        adopt(self, made)

    def _pursuit(self, goal: CheckedGoal, plan: Plan, state: State) -> Behaviour:
        setting, planner = self.setting, self.setting.planner
        seconds = setting.delay or 0.0
        return pursue(
            plan,
            [] if planner is None else [Replan(lambda request: planner(goal, request.state), seconds=seconds)],
            beliefs=setting.beliefs,
            robot=setting.robot,
            goals=goal.conjuncts,
            skills=setting.skills,
            journal=setting.journal,
            effect_patience=setting.patience,
            delay=setting.delay,
            basis=Basis(state),
            cancellation=setting.cancellation,
        )

    def took(self, child: Behaviour) -> Status | None:
        """End with the status of the pursuit, which succeeds only when the goal was sensed."""
        if child.status == Status.SUCCESS and any(
            holds(conjunct, self.setting.beliefs) for conjunct in self._goal.conjuncts
        ):
            self.setting.achieved.append(self._goal)  # else a rung has settled for something else, and has told so
        return super().took(child)


class Say(Flow):
    """``say(text)``: tells the person."""

    def begin(self) -> None:
        """Say the text; without a person it is only recorded."""
        text = spoken(self.evaluation().value(self.call.args[0]))
        self.setting.record("note", {"text": text})
        if self.setting.voice is not None:
            self.setting.voice.say(text)


class Fail(Flow):
    """``fail(reason)``: ends with a failure that the program itself decides."""

    def begin(self) -> None:
        """Fail."""
        reason = spoken(self.evaluation().value(self.call.args[0]))
        raise trouble(self.place, "the program", reason or "it gave no reason", Code.PRECONDITION)


MOST_CHOICES = 100  # how many ways of filling in what is left out are tried
Bound = dict[str, str]


class Perform(Flow):
    """Carries out a capability: precondition, motion and sensed effect.

    Missing arguments are chosen when the node begins: the first objects, in the order of their names, with which the
    capability is applicable in the believed state. After a stop the node succeeds if its effect was sensed in the
    meantime; otherwise it begins again with a new choice, after its motion has come to rest.
    """

    _step: Step | None = None
    _said: Mapping[str, ActionValue] = MappingProxyType({})
    _lacking = ""

    @property
    def capability(self) -> Capability:
        """The capability that is called."""
        return self.setting.language.capabilities[self.setting.language.meant(self.call).name]

    def begin(self) -> None:
        """Choose the missing arguments, and build the step."""
        operator = self._operator()
        setting = self.setting
        try:
            self._step = Step(
                operator, beliefs=setting.beliefs, robot=setting.robot, skills=setting.skills, patience=setting.patience
            )
        except TreeError as error:
            raise trouble(self.place, self.what, str(error), Code.UNSUPPORTED) from None
        adopt(self, setting.around(self._step) if setting.around else self._step)
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
        self._said = values_given(self.call, self.capability, self.evaluation(), self.what)
        capability = self._done_by(arguments)
        free = [parameter for parameter in capability.parameters if parameter.name not in arguments]
        operator = self._completed(capability, arguments, free) if free else self._ground(capability, arguments)
        if isinstance(operator, UsageError):
            raise trouble(self.place, self.what, str(operator), Code.WRONG_AFFORDANCE)
        if operator is None:
            names = " and ".join(identifier(parameter.name) for parameter in free)
            why = f"there is no {names} with which it is possible now{self._lacking}"
            how = f"Give them, as in {signature(self.capability, self.call.name)}, or bring about what it needs first."
            raise trouble(self.place, self.what, why, Code.PRECONDITION, how)
        return operator

    def _given(self) -> Bound:
        evaluation, call = self.evaluation(), self.call
        models = given_models(self.capability)
        things = [pair for pair in call.keywords if pair[0] not in models]
        args = [evaluation.thing(arg) for arg in call.args]
        parameters = list(self.capability.parameters)
        count = len(args) + len(things)
        if args and not agent_given(self.capability, args[0], count, self.setting.language):
            parameters = parameters[1:]
        if len(args) > len(parameters):
            how = f"Write it as {signature(self.capability, call.name)}."
            raise trouble(self.place, self.what, "there are too many arguments", Code.WRONG_ARITY, how)
        bound = {parameter.name: arg for parameter, arg in zip(parameters, args, strict=False)}
        by_name = {identifier(parameter.name): parameter.name for parameter in self.capability.parameters}
        for name, value in things:
            if by_name[name] in bound:
                raise trouble(self.place, self.what, f"{name} is given twice", Code.WRONG_ARITY)
            bound[by_name[name]] = evaluation.thing(value)
        agents = self.setting.language.agents(self.capability)
        if len(agents) == 1 and not self.capability.agentless:
            bound.setdefault(self.capability.parameters[0].name, agents[0])
        return bound

    def _done_by(self, arguments: Bound) -> Capability:
        """Return the capability that does it: another one where a place says what an argument that is left out would.

        So `place(block, where=point(0.4, 0.1))` need not name an area that the point may be in.
        """
        for model in self.capability.places:
            deputy = self.setting.language.domain.capabilities.get(model.by)
            if deputy is not None and model.name in self._said:
                names = {parameter.name for parameter in deputy.parameters}
                if arguments.keys() <= names:
                    return deputy
        return self.capability

    def _ground(self, capability: Capability, bound: Mapping[str, str]) -> Operator | UsageError:
        language, state = self.setting.language, self.setting.state
        args = tuple(bound[parameter.name] for parameter in capability.parameters)
        try:
            action = Action(capability.name, args).with_values(self._said)
            return language.domain.ground(action, language.things, state.numbers, language.axioms)
        except UsageError as error:
            return error

    def _completed(self, capability: Capability, given: Bound, free: list[Parameter]) -> Operator | UsageError | None:
        """Choose the missing arguments so that the capability is applicable; else return the first choice."""
        state = self.setting.state
        first: Operator | UsageError | None = None
        for bound in islice(self._candidates(capability, given, free, state), MOST_CHOICES):
            operator = self._ground(capability, bound)
            if isinstance(operator, Operator) and _is_possible(operator, state):
                return operator
            first = operator if first is None or isinstance(first, UsageError) else first
        return first

    def _candidates(self, capability: Capability, given: Bound, free: list[Parameter], state: State) -> Iterator[Bound]:
        """Yield the choices of the missing arguments that satisfy the required facts, in the order of names."""
        language = self.setting.language
        able = {parameter.name: set(language.able(parameter.affordances)) for parameter in free}
        agents = set(language.agents(capability))
        if not capability.agentless and capability.parameters:
            first = capability.parameters[0].name
            able |= {first: able[first] & agents} if first in able else {}
        asked = [template for template in capability.precondition if template.positive]
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


def values_given(
    call: Call, capability: Capability, evaluation: ExpressionEvaluator, what: str
) -> dict[str, ActionValue]:
    """Return the values that a call of a capability gives.

    Raises:
        Trouble: One has no value, or does not fit.
    """
    models = given_models(capability)
    given = ((models[name], value) for name, value in call.keywords if name in models)
    try:
        return {model.name: evaluation.action_value(model, value) for model, value in given}
    except QuantityError as error:
        raise trouble(call.place, what, str(error), Code.WRONG_AFFORDANCE) from None


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
