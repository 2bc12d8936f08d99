"""The parts of a step: is it possible, do it, did it work.

Each keeps the reason of its last failure as `feedback`. None of them waits: a leaf that is not done is ticked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.accountable import Accountable
from bt.reactive.bounds import lag_of
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

    Attributes:
        began: When the motion was started, in seconds of the clock.
        ended: When it was seen to have ended.
    """

    kind = "act"

    def __init__(self, name: str, start: Callable[[], Motion], clock: Clock, of: str = "") -> None:
        super().__init__(name)
        self.began = 0.0
        self.ended = 0.0
        self.of = of or name
        self.what = name
        self._start = start
        self._clock = clock
        self._motion: Motion | None = None
        self._over = True

    def initialise(self) -> None:
        """Start the motion."""
        super().initialise()
        self.began = self._clock.now()
        self._motion = None
        self._motion = self._start()
        self._over = False

    def update(self) -> Status:
        """Look how far it is."""
        if self._motion is None:
            raise RuntimeError(f"{self.name} was ticked without having been started")
        progress = self._motion.poll()
        if progress.stage is Stage.RUNNING:
            return Status.RUNNING
        self._over = True
        self.ended = self._clock.now()
        if progress.stage is Stage.DONE:
            return Status.SUCCESS
        return self.fail(progress.feedback or Feedback(Code.STUCK, self.of, "the motion failed and gave no reason"))

    def terminate(self, new_status: Status) -> None:
        """Cancel a motion that has not ended."""
        if self._motion is not None and not self._over:
            self._over = True
            self._motion.cancel()

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
