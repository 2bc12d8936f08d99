"""Calls of functions, and the results of functions and persons."""

from __future__ import annotations

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Pending
from bt.node import above
from bt.programs.cursor import Called, Frame, Jump, Under
from bt.programs.evaluation import Value, spoken, trouble
from bt.programs.nodes.flow import only_block
from bt.programs.nodes.statement import Flow
from semantics.feedback import Code
from semantics.goal import Question
from semantics.program import Assign, Function, Return

__all__ = ["AskStatement", "Invoke", "Receive"]


class Receive(Flow):
    """A call with a result, which is stored under names, returned or ignored."""

    def receive(self, value: Value | None) -> Status:
        """Store or return the result."""
        if isinstance(self.statement, Return):
            self.frame.returned, self.frame.jump = value, Jump.RETURN
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
        self.adopt(self.setting.build(self.function.body, self.function.place, self.setting, self._inner))


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
