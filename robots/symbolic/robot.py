"""`SymbolicRobot`: a robot that executes a planning model, for worlds without geometry and for exact numbers.

For each command it finds the ground operator, refuses the command if a precondition does not hold, waits for the
duration, and then applies the effects exactly, including numeric ones. It senses everything: an observation contains
the truth of every fact and the value of every numeric fluent, but no boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from robots.fake.motion import FailedMotion, InjectedFault
from robots.fake.robot import VirtualClock
from robots.symbolic.motion import SymbolicMotion, lacking
from semantics.atoms import Atom
from semantics.feedback import Code, Feedback
from semantics.motion import MotionInterlock
from semantics.observation import Observation
from semantics.protocols import Clock, Motion
from semantics.state import Command, Operator, State

__all__ = ["SENSING_PERIOD", "ClosedWorld", "SymbolicRobot"]

SENSING_PERIOD = 0.05
"""Seconds from one sensing to the next."""
SECONDS = 1.0
"""The default duration of a motion."""


def _as_it_is(state: State) -> State:
    return state


class ClosedWorld(Mapping[Atom, bool]):
    """The truth of every ground atom under the closed-world assumption.

    A lookup returns whether an atom holds. Iteration yields the atoms that hold now or held before; all other atoms are
    false, and there are too many to list them.

    Args:
        holding: The atoms that hold now.
        past: The atoms that held at some time.
    """

    def __init__(self, holding: frozenset[Atom], past: Iterable[Atom] = ()) -> None:
        self._holding = holding
        self._listed = tuple(sorted(holding.union(past)))

    def __getitem__(self, atom: Atom) -> bool:
        return atom in self._holding

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, Atom)

    def __iter__(self) -> Iterator[Atom]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


class SymbolicRobot:
    """A robot that consists of a state; implements `semantics.protocols.Robot`.

    Args:
        state: The initial state.
        operator_of: Returns the ground operator of a command in a state, or why there is none.
        name: Symbol of the robot. It passes commands for other agents on to them.
        clock: The robot's time; by default a new virtual clock.
        faults: Failures of later motions, see `robots.fake.InjectedFault`; a motion that fails has no effect.
        seconds_of: Returns the duration of an operator.
        completed: Adds to a state the facts that follow from it.

    Attributes:
        state: The ground truth, for evaluation and tests.
        motion_interlock: The running motions, which exclude others.
    """

    exact_within: float | None = SENSING_PERIOD
    """The largest delay of its sensing, in seconds; its sensing is exact."""

    def __init__(
        self,
        state: State,
        operator_of: Callable[[Command, State], Operator | Feedback],
        *,
        name: str = "robot0",
        clock: Clock | None = None,
        faults: Iterable[InjectedFault] = (),
        seconds_of: Callable[[Operator], float] = lambda _: SECONDS,
        completed: Callable[[State], State] = _as_it_is,
    ) -> None:
        self.name = name
        self.clock: Clock = clock or VirtualClock()
        self.motion_interlock = MotionInterlock()
        self.state = completed(state)
        self._operator_of = operator_of
        self._faults = list(faults)
        self._seconds_of = seconds_of
        self._completed = completed
        self._motions: list[SymbolicMotion] = []
        self._past = set(self.state.atoms)
        self._latest = Observation()
        self._closed = False

    def observation(self) -> Observation:
        """Return the latest sensing without waiting for a new one."""
        self._catch_up()
        now = self.clock.now()
        if self._latest.number == 0 or now - self._latest.time >= SENSING_PERIOD - 1e-9:
            facts = ClosedWorld(self.state.atoms, self._past)
            self._latest = Observation(now, self._latest.number + 1, told=facts, numbers=dict(self.state.numbers))
        return self._latest

    def start(self, command: Command) -> Motion:
        """Begin a motion. For an impossible command, return a motion that has already failed, with the reason."""
        self._catch_up()
        refusal = self._shut(command)
        operator = self._operator_of(command, self.state) if refusal is None else refusal
        if isinstance(operator, Operator):
            refusal = self._busy(command, operator) or lacking(command, operator, self.state)
            operator = operator if refusal is None else refusal
        if isinstance(operator, Feedback):
            return FailedMotion(operator)
        fault = next((fault for fault in self._faults if fault.meets(command)), None)
        if fault is not None:
            self._faults.remove(fault)
        seconds = self._seconds_of(operator)
        motion = SymbolicMotion(command, operator, self.clock.now(), seconds, fault, self._catch_up)
        self._motions.append(motion)
        return motion

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return the hands that `operator` occupies, or the whole agent."""
        return operator.resources or frozenset({operator.command.agent if operator.command else self.name})

    def _shut(self, command: Command) -> Feedback | None:
        if not self._closed:
            return None
        return Feedback(Code.UNAVAILABLE, str(command), "the robot was closed.", recoverable=False)

    def _busy(self, command: Command, operator: Operator) -> Feedback | None:
        """Return a refusal if the operator needs a hand, or a whole agent, that is still busy."""
        hands = operator.resources
        for other in self._motions:
            apart = hands and other.operator.resources and hands.isdisjoint(other.operator.resources)
            if other.command.agent == command.agent and not apart:
                return Feedback(Code.REFUSED_BY_BODY, str(command), f"{other.command} is still under way.")
        return None

    def stop(self) -> None:
        """Stop all motion; safe to call at any time, any number of times."""
        for motion in tuple(self._motions):
            motion.cancel()
        self._motions.clear()

    def close(self) -> None:
        """Stop, and refuse further commands; safe to call twice."""
        self.stop()
        self._closed = True

    def add_fault(self, fault: InjectedFault) -> None:
        """Make a later motion fail."""
        self._faults.append(fault)

    def change(self, added: Iterable[Atom] = (), deleted: Iterable[Atom] = ()) -> None:
        """Make facts true and false without the robot noticing, as a person might do."""
        self._catch_up()
        self._become(self.state.with_atoms(added, deleted))

    def _become(self, state: State) -> None:
        self.state = self._completed(state)
        self._past |= self.state.atoms

    def _catch_up(self) -> None:
        """Advance the running motions to the present, in the order in which they end."""
        now = self.clock.now()
        for motion in sorted(self._motions, key=lambda motion: motion.due):
            if motion.running:
                motion.advance(min(now, motion.due))
            if motion.running and now >= motion.due - 1e-9:
                self._end(motion)
        self._motions = [motion for motion in self._motions if motion.running]

    def _end(self, motion: SymbolicMotion) -> None:
        """End a motion that is due: apply its effects, if its operator is still applicable."""
        fault = motion.fault
        if fault is not None:
            motion.fail(fault.feedback(motion.command))
            return
        refusal = lacking(motion.command, motion.operator, self.state)
        if refusal is not None:
            motion.fail(refusal)
            return
        self._become(motion.operator.apply(self.state))
        motion.succeed()
