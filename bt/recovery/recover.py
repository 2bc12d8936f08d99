"""`Recover`: the node that answers failures of the tree below it.

A failure is passed from strategy to strategy, the cheapest first, each within its budget, until one of them answers.
The strategies are the rungs of the repair ladder: retry, a repair rule, a new plan; and when there is no plan for the
goal, an alternative: explore, use another object, achieve a part of the goal, ask a model or a person. The answer takes
effect between two ticks: the child begins again, or the tree of another plan, of a detour or of another goal replaces
it. Every tree that is ticked is the child while it runs, so the tree that is shown is the tree that acts.

A strategy is asked after the world has come to rest and was sensed. It computes its answer on a separate thread. On a
simulated clock the answer arrives after a declared time, independent of the wall clock, so that a seed determines the
run. On a real clock it arrives when it is ready, and no tick blocks. While the node waits for a person, the tree is
ticked and nothing moves.

Budgets: an answer refills the budgets of all cheaper strategies, except those of strategies that change the course of
the run (`Scope.RUN`), which count for the whole run. In a detour only strategies of `Scope.STEP` apply, with fresh
budgets. A failure of a detour ends the detour, but never the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Cancellation, Pending
from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.goal import GoalNode
from bt.execution.improvement import Basis, models_of
from bt.execution.trouble import UNPLANNED
from bt.node import Guard, above, lag_of, path_of, purpose_of, walk
from bt.record import Journal, plan_fields
from bt.recovery.budget import Account, Budget, ProgressAccount, ProgressMonitor, within_budgets
from bt.recovery.incident import Incident, OnDetour, RecoveryLog, Unplanned, Uses, failure_below
from bt.recovery.inquiry import PendingQuestion, UserPrompt
from bt.recovery.obstacles import Obstacles
from bt.recovery.request import Answer, Ask, Detour, NewGoal, NewPlan, Nothing, Repeat, Request, Scope, Strategy
from semantics.body.protocols import Beliefs, Clock
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan

SENSED = (Code.PRECONDITION, Code.EFFECT_MISSING)
"""Failures that were detected by sensing, so that no further sensing is needed before recovery."""


class Recover(Guard):
    """Answers failures of its child with strategies, the cheapest first.

    Args:
        child: The `Execute` of a plan, `Unplanned` where a plan has still to be made, or any other tree.
        strategies: The strategies, the cheapest first.
        budgets: Budgets by the name of the strategy that replace `BUDGETS`; None leaves a strategy out.
        beliefs: The beliefs about the world; use `Obstacles` to remember what blocks the body.
        clock: The body's clock.
        journal: The journal for failures, plans, changes of course, questions and uses of strategies.
        carry_out: Returns the tree of a plan, given its basis and whether a cheaper plan may replace it during
            execution; needed by strategies that make plans.
        settle: How long to wait before a strategy is asked, in seconds of the clock, so that the world is at rest and
            was sensed. If the body declares exact sensing, the wait is at most the lag of that sensing.
        desk: The mailbox for questions to a person; None when no person can be asked.
        answer_seconds: How long to wait for a person, in seconds of the clock.
        listener: Called with every answer that changes the course of the run, before the next planning.
        cancellation: Says whether the run was cancelled.
        valued: Returns a plan as `carry_out` carries it out, with values at its steps; for the journal.

    Attributes:
        strategies: The strategies that have a budget, the cheapest first.
        causes: Every failure of the child, oldest first.

    Raises:
        TreeError: A number is negative, two strategies have the same name, a budget names no strategy, or a strategy
            needs a goal or a `carry_out` that is not given.
    """

    kind = "recover"
    _incident: Incident | None = None
    _detour: OnDetour | None = None
    _after: tuple[Plan, ...] = ()
    _begin_at: float | None = None

    def __init__(
        self,
        child: Behaviour,
        strategies: Sequence[Strategy],
        budgets: Mapping[str, Budget | None] | None = None,
        *,
        beliefs: Beliefs,
        clock: Clock,
        journal: Journal | None = None,
        carry_out: Callable[[Plan, Basis | None, bool], Behaviour] | None = None,
        settle: float = 0.5,
        desk: UserPrompt | None = None,
        answer_seconds: float = 60.0,
        listener: Callable[[Strategy, Answer], None] | None = None,
        cancellation: Cancellation | None = None,
        valued: Callable[[Plan], Plan] = lambda plan: plan,
    ) -> None:
        fitting = within_budgets(strategies, budgets or {}, child, carry_out is not None)
        self.strategies, self._budgets = fitting
        if settle < 0 or answer_seconds < 0:
            raise TreeError("settle and answer_seconds are not negative")
        super().__init__(name="recover", child=child)
        names = [strategy.name for strategy in self.strategies]
        self.what = ", ".join(names)
        self.beliefs, self.clock = beliefs, clock
        self.causes: list[Feedback] = []
        self._owed: Conjunct = frozenset()
        self._log = journal if isinstance(journal, RecoveryLog) else RecoveryLog(journal)
        self._carry_out, self._settle, self._valued = carry_out, settle, valued
        self._desk, self._answer_seconds = desk or UserPrompt(is_open=False), answer_seconds
        self._listener, self._cancellation = listener, cancellation or Cancellation()
        self._planning = [index for index, strategy in enumerate(self.strategies) if strategy.scope is Scope.PLAN]
        self._accounts: dict[int, Account] = {}
        self._uses = Uses(names, beliefs, clock, self._log)
        self._times_ended, self._uses_before = 0, 0
        self._is_in_detour = False
        self._progress = ProgressMonitor(beliefs)

    @property
    def is_answering(self) -> bool:
        """Whether a failure waits for an answer."""
        return self._incident is not None

    @property
    def owed(self) -> Conjunct:
        """The facts that the repaired plan has to restore; a new plan owes nothing."""
        if self._detour is None:
            return self._owed
        return next((node.owed for node in walk(self.decorated) if isinstance(node, Recover)), self._owed)

    def initialise(self) -> None:
        """Start with full budgets; after a failure, keep what is spent of the budgets for the whole run."""
        super().initialise()
        if self._detour is not None:
            self._put(self._detour.then)
        if self.status == Status.FAILURE:
            self._refill(len(self.strategies))
        else:
            self._accounts, self._uses_before = {}, len(self._log.uses)
        self._incident = self._detour = self._begin_at = None
        self._after, self._progress, self.causes = (), ProgressMonitor(self.beliefs), []

    def terminate(self, new_status: Status) -> None:
        """Drop the pending answer, and settle the outcome of the last answers."""
        self._uses.end(succeeded=new_status == Status.SUCCESS)
        if self._incident is not None and isinstance(self._incident.pending, PendingQuestion):
            self._desk.withdraw()
        self._times_ended += 1
        self._incident = None

    def settled(self) -> Status | None:
        """Work on the answer to a failure; return None when the child can be ticked."""
        if self._incident is not None:
            self._incident.is_fresh = False
            self._take_progress(beyond=self._incident.index)
            if (status := self._advance()) is not None:
                return status
        if self._begin_at is not None:
            if self.clock.now() < self._begin_at - 1e-9:
                return Status.RUNNING
            self._begin_at = None
        if self._detour is not None and self._detour.may_end(self.decorated, self.beliefs):
            self._detour.ahead.clear()
            self._go_on(self._detour)
        return None

    def update(self) -> Status:
        """Take the status of the child, and start the recovery from a failure."""
        status = self.decorated.status
        if status == Status.FAILURE and self._detour is None:
            self._incident = self._noted()
        self._take_progress()
        if self._incident is not None:
            return self._advance() or Status.RUNNING
        if self._detour is not None:
            if status == Status.FAILURE and not self._detour.restores:
                self._detour.ahead.clear()
            return self._go_on(self._detour) if status != Status.RUNNING else status
        if status == Status.SUCCESS and self._after:
            after, self._after = self._after, ()
            self._detour = OnDetour(list(after), self.decorated, restores=True)
            return self._go_on(self._detour)
        return status

    def _noted(self) -> Incident:
        """Record a failure of the child, and note the obstacle that it shows."""
        failure = failure_below(self.decorated)
        self.causes.append(failure.feedback)
        if isinstance(self.beliefs, Obstacles) and failure.culprit is not None:
            self.beliefs.note(failure.feedback, failure.culprit)
        if failure.feedback is not UNPLANNED:
            self._note("failure", {"node": path_of(self.decorated), **failure.as_dict()})
        return Incident(failure.feedback, failure, purpose_of(self.decorated), self.clock.now())

    def _take_progress(self, beyond: int = -1) -> None:
        """Check whether the run has made progress, and whether failed effects have been achieved since.

        Args:
            beyond: The index of the strategy that answers now; the uses of cheaper strategies are already settled.
        """
        plans_beyond = any(index > beyond for index in self._planning)
        if plans_beyond and self._detour is None and self._progress.is_made(self.decorated):
            for index, account in self._accounts.items():
                if index > beyond and isinstance(account, ProgressAccount):
                    account.got_further()
        self._uses.settle_brought_about(self.decorated, beyond)

    def _rests_at(self, incident: Incident) -> float:
        """Return the time at which the world is at rest and was sensed since the failure."""
        lag = lag_of(self.beliefs)
        if lag is not None and incident.failure.feedback.code in SENSED:
            return incident.since
        return incident.since + (self._settle if lag is None else min(lag, self._settle))

    def _request(self, incident: Incident) -> Request:
        state, failure, ended = self.beliefs.state, incident.failure, self._times_ended
        node = self._own_plan()
        rest, basis = (None, None) if node is None else node.rest(state)
        return Request(
            incident.feedback,
            state,
            failure.step,
            failure.lacking,
            None if node is None else failure.plan,
            None if node is None else failure.number,
            rest,
            basis,
            *models_of(self.beliefs),
            self.beliefs.arrangement if isinstance(self.beliefs, Obstacles) else None,
            lambda: self._times_ended != ended or self._cancellation.is_cancelled,
        )

    def _own_plan(self) -> Execute | None:
        """Return the `Execute` that is the child, or the child of its goal node; None for any other child."""
        node = self.decorated.decorated if isinstance(self.decorated, GoalNode) else self.decorated
        return node if isinstance(node, Execute) else None

    def _advance(self) -> Status | None:
        """Ask the strategies in turn; return None when the child can go on."""
        incident = self._incident
        assert incident is not None
        while incident.index < len(self.strategies):
            if incident.reached_at is None and not self._takes_up(incident):
                incident.hand_on()
                continue
            if incident.pending is None:
                if self.clock.now() < self._rests_at(incident) - 1e-9:
                    return Status.RUNNING
                self._ask(incident)
            assert incident.pending is not None
            if incident.is_fresh or not incident.pending.arrived(self.clock.now()):
                return Status.RUNNING
            if self._takes(incident, incident.pending.result()):
                return None if self._incident is None else Status.RUNNING
        self._incident = None
        only_plans = all(
            strategy.scope is Scope.PLAN for strategy in self.strategies
        )  # their reason already lists the causes
        why = incident.feedback if only_plans else self._log.conclusion(incident.feedback, self._uses_before)
        return self.fail(why)

    def _takes_up(self, incident: Incident) -> bool:
        """Return whether the current strategy applies to the failure and has budget for it."""
        index, now = incident.index, self.clock.now()
        strategy, account = self.strategies[index], self._account(index)
        self._uses.settle(index, solved=False)
        if incident.feedback is UNPLANNED and strategy.scope is Scope.STEP:
            return False  # nothing has failed yet
        if isinstance(account, ProgressAccount):
            account.charge(incident.feedback, now, counts=incident.feedback is not UNPLANNED)
            if not strategy.applies(self._request(incident)):
                return False
            incident.reached_at = now
            if account.affords(incident.feedback, now, strategy.price):
                return True
            incident.feedback = account.spent(strategy.name)  # why it gives up, for the next strategies
            self._write_reason(incident, incident.feedback)
            return False
        if not account.affords(incident.feedback, now, strategy.price) or not strategy.applies(self._request(incident)):
            return False
        account.charge(incident.feedback, now)
        incident.reached_at = now
        return True

    def _ask(self, incident: Incident) -> None:
        """Ask the current strategy for an answer, on a separate thread."""
        strategy, request = self.strategies[incident.index], self._request(incident)
        self.feedback_message = f"{strategy.name}: {incident.feedback}"
        incident.asked_revision = self.beliefs.revision
        incident.pending = Pending(
            lambda: strategy.propose(request),
            name=strategy.name,
            now=self.clock.now(),
            delay=strategy.seconds if self.clock.simulated else None,
            cancellation=self._cancellation,
        )

    def _takes(self, incident: Incident, answer: Answer) -> bool:
        """Handle an answer; return False when the failure was passed to the next strategy."""
        index = incident.index
        self._account(index).pay(answer.price)
        if self._must_not_take(answer):
            answer = Nothing()
        match answer:
            case Nothing():
                return self._goes_without(incident, answer)
            case Ask() if self._desk.is_open:
                self._inquire(incident, answer)
                return self._incident is not None
            case Ask():
                incident.explain(self.strategies[index].name, "there is nobody to ask")
                incident.hand_on()
                return False
        self._uses.take(incident, answer.plan.goal if isinstance(answer, NewPlan) else None)
        self._incident = None
        self.feedback_message = ""
        self._refill(index)
        self._carry(self.strategies[index], answer)
        return True

    def _must_not_take(self, answer: Answer) -> bool:
        """Return whether an answer is not usable here: a detour in a detour, or a plan where the child has none."""
        has_plan = isinstance(self.decorated, Unplanned) or self._own_plan()
        return (isinstance(answer, Detour) and self._is_in_detour) or (isinstance(answer, NewPlan) and not has_plan)

    def _goes_without(self, incident: Incident, answer: Nothing) -> bool:
        """Pass a failure without an answer on; return True when the strategy is asked once more instead."""
        strategy, account = self.strategies[incident.index], self._account(incident.index)
        reason = answer.reason
        if reason is not None and (reason.why or strategy.scope is not Scope.RUN):
            if isinstance(account, ProgressAccount):
                return self._concludes(incident, account, reason)
            if strategy.scope is Scope.RUN:
                incident.explain(strategy.name, reason.why)
            self._write_reason(incident, reason)
        incident.hand_on()
        return False

    def _concludes(self, incident: Incident, account: ProgressAccount, reason: Feedback) -> bool:
        """Accept that there is no plan for the goal, unless the beliefs have changed since the strategy was asked."""
        now = self.clock.now()
        self._uses.take(incident, None)
        self._uses.settle(incident.index, solved=False)
        account.charge(reason, now)
        self._write_reason(incident, reason)
        if incident.asked_revision != self.beliefs.revision and account.affords(reason, now):
            incident.feedback, incident.pending = reason, None
            incident.since = incident.reached_at = now
            return True
        incident.feedback = reason
        incident.hand_on()
        return False

    def _inquire(self, incident: Incident, ask: Ask) -> None:
        index, now = incident.index, self.clock.now()
        strategy, question = self.strategies[index], ask.question

        def work(words: str) -> Callable[[], Answer]:
            request = self._request(incident)  # called between ticks, so the beliefs do not change
            return lambda: ask.heard(words, request)

        self._note("asked", {"rung": strategy.name, "question": question.text, "options": list(question.options)})
        self.feedback_message = question.text
        incident.pending = PendingQuestion(
            self._desk,
            question,
            work,
            due=now + max(0.0, min(self._answer_seconds, self._account(index).seconds_left(now))),
            delay=strategy.seconds if self.clock.simulated else None,
            heard=lambda words: self._note("answered", {"rung": strategy.name, "words": words}),
            cancellation=self._cancellation,
        )

    def _carry(self, strategy: Strategy, answer: Repeat | NewPlan | Detour | NewGoal) -> None:
        if strategy.scope is Scope.RUN:
            self._tell_turn(strategy, answer)
        match answer:
            case Repeat():
                self._begin_at = self.clock.now() + answer.after if answer.after > 0 else None
                if strategy.scope is Scope.RUN:
                    self._begin_anew()
            case NewPlan():
                self._take_plan(strategy, answer)
            case NewGoal():
                goal = next((node for node in above(self) if isinstance(node, GoalNode)), None)
                if goal is not None:
                    goal.aim(answer.goals)
                self._put(Unplanned() if answer.plan is None else self._tree(answer.plan))
            case Detour():
                then = Unplanned() if self._planning else self.decorated
                self._after = (*answer.after, *self._after)
                self._write_notes(answer.notes)
                self._detour = OnDetour(list(answer.before), then, until=answer.until, owed=self._owed)
                self._go_on(self._detour)

    def _begin_anew(self) -> None:
        if isinstance(self.beliefs, Obstacles):
            self.beliefs.forget()  # who has it tried once more knows what has changed
        if self._planning:
            self._put(Unplanned())

    def _tell_turn(self, strategy: Strategy, answer: Repeat | NewPlan | Detour | NewGoal) -> None:
        """Record a change of course of the run, and call the listener."""
        detour = answer.before if isinstance(answer, Detour) else ()
        sentence = "" if isinstance(answer, NewPlan) else answer.said or ""
        goal = [sorted(map(str, goal)) for goal in answer.goals] if isinstance(answer, NewGoal) else None
        errand = [str(step) for plan in detour for step in plan.steps] if detour else None
        self._note("turn", {"rung": strategy.name, "said": sentence, "goal": goal, "errand": errand})
        plans = detour if detour else (answer.plan,) if isinstance(answer, NewGoal) and answer.plan else ()
        for plan in plans:
            self._log.write("plan", plan_fields(self._valued(plan), strategy.name))
        if self._listener is not None:
            self._listener(strategy, answer)

    def _take_plan(self, strategy: Strategy, answer: NewPlan) -> None:
        self._write_notes(answer.notes)
        if isinstance(self.beliefs, Obstacles):
            self.beliefs.believe(answer.obstacles)
        # A repair continues the old plan, so the debts in its goal stay; a new plan owes nothing.
        mends, before = strategy.scope is Scope.STEP, self._owed
        self._put(self._tree(answer.plan, answer.basis, improves=not mends))
        self._owed = answer.owed | (before & answer.plan.goal) if mends else frozenset()
        self._log.write("plan", plan_fields(self._valued(answer.plan), strategy.name) | dict(answer.fields))
        if strategy.scope is Scope.PLAN:
            self._progress.take_in()  # changes so far are no progress of the new plan

    def _tree(self, plan: Plan, basis: Basis | None = None, *, improves: bool = True) -> Behaviour:
        assert self._carry_out is not None
        self._owed = frozenset()
        return self._carry_out(plan, basis, improves)

    def _put(self, child: Behaviour) -> None:
        if self.decorated.status == Status.RUNNING:
            self.decorated.stop(Status.INVALID)
        self.decorated.parent = None
        child.parent = self
        self.children[0] = self.decorated = child

    def _go_on(self, detour: OnDetour) -> Status:
        """Begin the next part of a detour; after the last part, go back to the child or to planning."""
        if detour.ahead:
            self._put(self._on_the_way(detour.ahead.pop(0)))
            return Status.RUNNING
        goes_back = not isinstance(detour.then, Unplanned)
        self._owed, self._detour = detour.owed if goes_back else self.owed, None
        self._put(detour.then)
        return Status.SUCCESS if detour.restores else Status.RUNNING

    def _on_the_way(self, plan: Plan) -> Behaviour:
        """Return the tree for one plan of a detour, with recovery by the strategies of scope `STEP`."""
        strategies = [strategy for strategy in self.strategies if strategy.scope is Scope.STEP]
        inner = Recover(
            self._tree(plan, improves=False),
            strategies,
            {strategy.name: self._budgets[strategy.name] for strategy in strategies},
            beliefs=self.beliefs,
            clock=self.clock,
            journal=self._log,
            carry_out=self._carry_out,
            settle=self._settle,
            cancellation=self._cancellation,
            valued=self._valued,
        )
        inner._is_in_detour = True
        return GoalNode((plan.goal,), inner, self.beliefs)

    def _account(self, index: int) -> Account:
        """Return the account of a strategy; it is opened at the first failure that reaches the strategy."""
        if index not in self._accounts:
            kind = ProgressAccount if index in self._planning else Account
            self._accounts[index] = kind(self._budgets[self.strategies[index].name])
        return self._accounts[index]

    def _refill(self, below: int) -> None:
        """Refill the budgets of the strategies before index `below`, except those that count for the whole run."""
        for index, strategy in enumerate(self.strategies[:below]):
            if strategy.scope is not Scope.RUN:
                self._accounts.pop(index, None)
            if strategy.scope is Scope.PLAN:
                self._progress = ProgressMonitor(self.beliefs)

    def _write_reason(self, incident: Incident, reason: Feedback) -> None:
        name = self.strategies[incident.index].name
        self._note("feedback", {"node": f"{path_of(self)}/{name}", "feedback": reason.as_dict()})

    def _write_notes(self, notes: Sequence[str]) -> None:
        for note in notes:
            self._note("note", {"text": note})

    def _note(self, event: str, fields: Mapping[str, object]) -> None:
        self._log.write(event, {"t": round(self.clock.now(), 3), **fields})
