"""The parts of a step: is it possible, do it, did it work.

Each keeps the reason of its last failure as `feedback`. None of them waits: a leaf that is not done is ticked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.accountable import Accountable
from bt.reactive.bounds import REST_SECONDS, lag_of
from bt.reactive.braking import Brake
from planning.validation import Valid, validate
from semantics.atoms import Atom, Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock, Motion, Stage
from semantics.state import Operator

__all__ = ["Act", "Effect", "Holds", "Possible", "culprits"]


def culprits(literals: Iterable[Literal]) -> tuple[str, ...]:
    """Return the names of the things that `literals` speak of, each once."""
    return tuple(dict.fromkeys(arg for literal in literals for arg in literal.atom.args))


def _text(literals: Iterable[Literal]) -> str:
    return " ".join(map(str, sorted(literals)))


class Leaf(Accountable):
    """A leaf that keeps why it failed."""

    kind = "leaf"
    what = ""


class Holds(Leaf):
    """Succeeds when every literal of a condition is believed.

    Attributes:
        reads: The facts on which the answer depends; None when that is more than facts.
        reads_from: Who believes them.
    """

    kind = "condition"
    reads: frozenset[Atom] | None
    initialise = Behaviour.initialise  # its reason is that of its last tick, so that a start is nothing to be noticed

    def __init__(self, name: str, condition: Conjunct, beliefs: Beliefs, of: str = "") -> None:
        super().__init__(name)
        self.condition = condition
        self.beliefs = self.reads_from = beliefs
        self.reads = frozenset(literal.atom for literal in condition)
        self.of = of or name
        self.what = _text(condition)

    def update(self) -> Status:
        """Ask what is believed now."""
        missing = self.beliefs.state.missing(self.condition)
        if not missing:
            self.feedback, self.feedback_message = None, ""
            return Status.SUCCESS
        why = f"{_text(missing)} does not hold"
        return self.fail(Feedback(Code.PRECONDITION, self.of, why, culprits=culprits(missing)))


class Possible(Holds):
    """Succeeds when everything that an operator asks for is believed, choices and numbers included."""

    def __init__(self, name: str, operator: Operator, beliefs: Beliefs) -> None:
        super().__init__(name, operator.precondition, beliefs, of=str(operator))
        self._operator = operator
        if operator.rich:
            self.reads = None

    def update(self) -> Status:
        """Ask what is believed now."""
        status = super().update()
        if status != Status.SUCCESS or not self._operator.rich:
            return status
        state, axioms = self.beliefs.state, self._operator.axioms
        tried = validate((self._operator,), axioms.close(state) if axioms else state, frozenset())
        if isinstance(tried, Valid):
            return Status.SUCCESS
        return self.fail(Feedback(Code.PRECONDITION, self.of, tried.feedback.why, culprits=tried.feedback.culprits))


class Act(Leaf):
    """Runs a motion to its end; cancels it when it is stopped before.

    Args:
        name: The node's name.
        start: Starts the motion.
        clock: The body's clock.
        of: What the motion is for.
        brake: Tells whether what was begun before still moves, which is waited for.

    Attributes:
        began: When the motion was started, or began to be waited for, in seconds of the clock.
        ended: When it was seen to have ended.
        has_started: Whether the body was asked for the motion.
    """

    kind = "act"

    def __init__(
        self, name: str, start: Callable[[], Motion], clock: Clock, of: str = "", brake: Brake | None = None
    ) -> None:
        super().__init__(name)
        self.began = 0.0
        self.ended = 0.0
        self.has_started = False
        self.of = of or name
        self.what = name
        self._start = start
        self._clock = clock
        self._brake = brake
        self._motion: Motion | None = None
        self._over = True
        self._waiting: float | None = None

    def initialise(self) -> None:
        """Start the motion, as soon as nothing that was begun before is in its way."""
        super().initialise()
        self.began = self._clock.now()
        self._motion, self.has_started, self._waiting = None, False, None
        self._begin()

    def _begin(self) -> None:
        if self._brake is not None and self._is_held_up(self._brake):
            return
        self.began, self.has_started = self._clock.now(), True
        self._motion = self._start()
        self._over = False
        if self._brake is not None:
            self._brake.begun(self._motion)

    def _is_held_up(self, brake: Brake) -> bool:
        """Return whether to wait; note since when that has been for nothing but what was cancelled."""
        is_on, is_cancelled = brake.on()
        now = self._clock.now()
        self._waiting = (self._waiting if self._waiting is not None else now) if is_on and is_cancelled else None
        return is_on

    def update(self) -> Status:
        """Look how far it is."""
        if self._motion is None:
            self._begin()
            if self._motion is None:
                return self._held_up()
        progress = self._motion.poll()
        if progress.stage is Stage.RUNNING:
            return Status.RUNNING
        self._over = True
        self.ended = self._clock.now()
        if progress.stage is Stage.DONE:
            return Status.SUCCESS
        return self.fail(progress.feedback or Feedback(Code.STUCK, self.of, "the motion failed and gave no reason"))

    def _held_up(self) -> Status:
        """Wait for what was stopped before, but not for ever."""
        if self._waiting is None or self._clock.now() - self._waiting <= REST_SECONDS:
            return Status.RUNNING
        why = f"a motion that was stopped before has not ended after {REST_SECONDS:g} s"
        return self.fail(Feedback(Code.STUCK, self.of, why))

    def terminate(self, new_status: Status) -> None:
        """Cancel a motion that has not ended."""
        if self._motion is not None and not self._over:
            self._over = True
            if self._brake is None:
                self._motion.cancel()
            else:
                self._brake.cancel(self._motion)

    def at_rest(self) -> bool:
        """Return whether the motion, cancelled or not, has come to its end."""
        return self._motion is None or self._motion.poll().stage is not Stage.RUNNING


class Effect(Leaf):
    """Succeeds when every effect of an operator has been sensed since its motion ended.

    What was not sensed yet, or is not so yet, is waited for (things settle, cameras turn), for `patience` seconds.
    """

    kind = "effect"

    def __init__(
        self, name: str, operator: Operator, act: Act, beliefs: Beliefs, clock: Clock, patience: float
    ) -> None:
        super().__init__(name)
        self.operator = operator
        self.patience = patience
        self.what = _text(operator.effects)
        self._act = act
        self._beliefs = beliefs
        self._clock = clock

    def update(self) -> Status:
        """Ask what was sensed since."""
        since = self._act.ended
        missing = {
            e: seen for e in sorted(self.operator.effects) if (seen := self._beliefs.sensed(e, since)) is not True
        }
        if not missing:
            return Status.SUCCESS
        if self._clock.now() - since < self._patience(missing.values()):
            return Status.RUNNING
        return self.fail(self._missing(missing))

    def _patience(self, seen: Iterable[bool | None]) -> float:
        """Return how long to wait: what an exact sensing denies will not come by itself."""
        lag = lag_of(self._beliefs)
        return self.patience if lag is None or None in seen else min(lag, self.patience)

    def _missing(self, missing: Mapping[Literal, bool | None]) -> Feedback:
        false = [literal for literal, seen in missing.items() if seen is False]
        unseen = [literal for literal, seen in missing.items() if seen is None]
        reasons = [f"{_text(false)} is not so"] * bool(false) + [f"{_text(unseen)} was not sensed"] * bool(unseen)
        return Feedback(
            Code.EFFECT_MISSING,
            str(self.operator),
            f"the motion ended, but {' and '.join(reasons)} within {self._patience(missing.values()):g} s",
            culprits=culprits(missing),
        )
