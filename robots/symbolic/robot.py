"""`SymbolicRobot`: a robot that executes a planning model, for worlds without geometry and for exact numbers.

For each command it finds the ground operator, refuses the command if a precondition does not hold, waits for the
duration, and then applies the effects exactly, including numeric ones. It senses everything: an observation contains
the truth of every fact and the value of every numeric fluent, but no boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from robots.motion import FailedMotion, InjectedFault, VirtualMotion, VirtualRobot
from semantics.body.observation import Observation
from semantics.body.protocols import Clock, Motion
from semantics.logic.atoms import Atom, objects_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.said_number import shortfall
from semantics.logic.state import Command, Operator, State

SECONDS = 1.0  # the default duration of a motion


class ClosedWorld(Mapping[Atom, bool]):
    """The truth of every ground atom under the closed-world assumption.

    A lookup returns whether an atom holds. Iteration yields the atoms that hold now or held before; all other atoms are
    false, and there are too many to list them.

    Args:
        holding: The atoms that hold now.
        past: The atoms that held at some time.
        hearsay: The atoms of which it says nothing.
    """

    def __init__(
        self, holding: frozenset[Atom], past: Iterable[Atom] = (), hearsay: frozenset[Atom] = frozenset()
    ) -> None:
        self._holding, self._hearsay = holding, hearsay
        self._listed = tuple(sorted(holding.union(past) - hearsay))

    def __getitem__(self, atom: Atom) -> bool:
        if atom in self._hearsay:
            raise KeyError(atom)
        return atom in self._holding

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, Atom) and atom not in self._hearsay

    def __iter__(self) -> Iterator[Atom]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


def _lacking(command: Command, operator: Operator, state: State) -> Feedback | None:
    """Return the unsatisfied preconditions of an operator as feedback, or None when it is applicable in `state`."""
    if operator.applicable(state):
        return None
    missing = operator.missing(state)
    if not state.missing(operator.precondition) and (short := shortfall(operator.said_numbers, state.numbers)):
        return Feedback(Code.PRECONDITION, str(command), short.why, short.how, short.culprits)
    why = f"{', '.join(map(str, missing)) or operator.condition} does not hold"
    return Feedback(Code.PRECONDITION, str(command), why, culprits=objects_in(missing))


class SymbolicMotion(VirtualMotion):
    """A running motion of an operator, see `VirtualMotion`.

    `applied` applies the effects of the operator at the end, or returns why it cannot.
    """

    def __init__(
        self,
        command: Command,
        started: float,
        seconds: float,
        fault: InjectedFault | None,
        catch_up: Callable[[], None],
        operator: Operator,
        applied: Callable[[], Feedback | None],
    ) -> None:
        super().__init__(command, started, max(seconds, 1e-6), fault, catch_up, operator.resources)
        self.operator = operator
        self._applied = applied

    def advance(self, now: float) -> None:
        """Advance the running motion to the time `now`, and end it when it is due; a fault leaves it without effect."""
        fraction = min(1.0, max(0.0, (min(now, self.due) - self.started) / self.seconds))
        self.reach(max(self.progress.fraction, fraction))
        if now < self.due - 1e-9:
            return
        why = self._applied() if self.fault is None else self.fault.feedback(self.command)
        if why is None:
            self.succeed()
        else:
            self.fail(why)


class SymbolicRobot(VirtualRobot):
    """A robot that consists of a state; implements `semantics.body.protocols.Robot`.

    One thread at a time may use it. A fork has a copy of the robot and of its world.

    Args:
        state: The initial state.
        operator_of: Returns the ground operator of a command in a state, or why there is none.
        name: Symbol of the robot. It passes commands for other agents on to them.
        clock: The robot's time; by default a new virtual clock.
        faults: Failures of later motions, see `robots.fake.InjectedFault`; a motion that fails has no effect.
        seconds_of: Returns the duration of an operator.
        completed: Adds to a state the facts that follow from it.
        primitives: The motion primitives of the model; None for every command that `operator_of` knows.

    Attributes:
        state: The ground truth, for evaluation and tests.
    """

    def __init__(
        self,
        state: State,
        operator_of: Callable[[Command, State], Operator | Feedback],
        *,
        name: str = "robot0",
        clock: Clock | None = None,
        faults: Iterable[InjectedFault] = (),
        seconds_of: Callable[[Operator], float] = lambda _: SECONDS,
        completed: Callable[[State], State] = lambda state: state,
        primitives: Collection[str] | None = None,
    ) -> None:
        super().__init__(name, clock, faults)
        self.primitives = primitives
        self.state = completed(state)
        self._operator_of = operator_of
        self._seconds_of = seconds_of
        self._completed = completed
        self._past = set(self.state.atoms)
        self._hearsay = frozenset[Atom]()

    def _observed(self, now: float, number: int) -> Observation:
        facts = ClosedWorld(self.state.atoms, self._past, self._hearsay)
        return Observation(now, number, told=facts, numbers=dict(self.state.numbers))

    def start(self, command: Command) -> Motion:
        """Begin a motion. For an impossible command, return a motion that has already failed, with the reason."""
        self._catch_up()
        operator = self._after_closing(command) or self._operator_of(command, self.state)
        if isinstance(operator, Operator):
            operator = self._busy(command, operator) or _lacking(command, operator, self.state) or operator
        if isinstance(operator, Feedback):
            return FailedMotion(operator)
        fault = self._taken_fault(command)
        seconds = command.values.get("duration", self._seconds_of(operator))
        applied = partial(self._applied, command, operator)
        now = self.clock.now()
        motion = SymbolicMotion(command, now, seconds, fault, self._catch_up, operator, applied)
        self._motions.append(motion)
        return motion

    def occupies(self, operator: Operator) -> frozenset[str]:
        """Return the hands that `operator` occupies, or the whole agent."""
        return operator.resources or frozenset({operator.command.agent if operator.command else self.name})

    def _busy(self, command: Command, operator: Operator) -> Feedback | None:
        """Return a refusal if the operator needs a hand, or a whole agent, that is still busy."""
        hands = operator.resources
        for other in self._motions:
            apart = hands and other.hands and hands.isdisjoint(other.hands)
            if other.command.agent == command.agent and not apart:
                return Feedback(Code.REFUSED_BY_BODY, str(command), f"{other.command} is still under way.")
        return None

    def change(self, added: Iterable[Atom] = (), deleted: Iterable[Atom] = ()) -> None:
        """Make facts true and false without the robot noticing, as a person might do."""
        self._catch_up()
        self._become(self.state.with_atoms(added, deleted))

    def suppose(self, facts: Mapping[Atom, bool]) -> None:
        """Make facts true or false, as a skill says, and report nothing of them until an action changes them."""
        self.change({atom for atom in facts if facts[atom]}, {atom for atom in facts if not facts[atom]})
        self._hearsay |= facts.keys()

    def _become(self, state: State) -> None:
        before, self.state = self.state.atoms, self._completed(state)
        self._hearsay -= before ^ self.state.atoms
        self._past |= self.state.atoms

    def _applied(self, command: Command, operator: Operator) -> Feedback | None:
        """Apply the effects of an operator if it is still applicable; else return why it is not."""
        refusal = _lacking(command, operator, self.state)
        if refusal is None:
            self._become(operator.apply(self.state))
        return refusal
