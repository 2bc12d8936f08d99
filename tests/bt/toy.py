"""A toy body and toy beliefs: facts change when a motion ends, and are sensed at once unless they are hidden."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from semantics.body.observation import Observation
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.atoms import Atom, Literal
from semantics.logic.feedback import Feedback
from semantics.logic.state import Action, Command, Operator, Plan, State

SECONDS = 1.0


def atom(text: str) -> Atom:
    name, *args = text.split()
    return Atom(name, tuple(args))


def literal(text: str) -> Literal:
    return Literal(atom(text.lstrip("!")), not text.startswith("!"))


def conjunct(*texts: str) -> frozenset[Literal]:
    return frozenset(map(literal, texts))


def operator(action: str, before: str, after: str, bookkeeping: str = "") -> Operator:
    """Make an operator of comma-separated literals."""
    name, *args = action.split()
    effects = [literal(text.strip()) for text in after.split(",")]
    return Operator(
        action=Action(name, tuple(args)),
        precondition=conjunct(*(text.strip() for text in before.split(","))),
        added=frozenset(atom for atom, positive in effects if positive),
        deleted=frozenset(atom for atom, positive in effects if not positive),
        command=Command(name, args[0], {f"arg{number}": arg for number, arg in enumerate(args[1:])}),
        bookkeeping=frozenset(atom(text.strip()) for text in bookkeeping.split(",") if text),
    )


def move(start: str, end: str) -> Operator:
    return operator(f"move robot0 {start} {end}", f"at robot0 {start}", f"at robot0 {end}, !at robot0 {start}")


OPEN = operator(
    "open robot0 fridge0",
    "at robot0 fridge0, closed fridge0, !busy robot0",
    "opened fridge0, !closed fridge0",
    "busy robot0",
)
TAKE = operator(
    "take_out robot0 milk0 fridge0",
    "at robot0 fridge0, in milk0 fridge0, !closed fridge0, !busy robot0",
    "inhand milk0 robot0, busy robot0, !in milk0 fridge0",
    "busy robot0",
)
GIVE = operator(
    "handover robot0 human0 milk0",
    "at robot0 human0, inhand milk0 robot0",
    "inhand milk0 human0, !inhand milk0 robot0, !busy robot0",
    "busy robot0",
)
GRASP = operator(
    "grasp robot0 milk0 table0",
    "at robot0 table0, on milk0 table0, !busy robot0",
    "inhand milk0 robot0, busy robot0, !on milk0 table0",
    "busy robot0",
)
GOAL = conjunct("inhand milk0 human0")
MILK = Plan((move("table0", "fridge0"), OPEN, TAKE, move("fridge0", "human0"), GIVE), GOAL)
START = frozenset(map(atom, ("at robot0 table0", "closed fridge0", "in milk0 fridge0")))


@dataclass
class ToyClock:
    """Virtual time that plays events when their moment comes."""

    time: float = 0.0
    simulated: bool = True
    events: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        end = self.time + seconds
        while due := sorted((event for event in self.events if event[0] <= end), key=lambda event: event[0]):
            self.events.remove(due[0])
            self.time = max(self.time, due[0][0])
            due[0][1]()
        self.time = end


@dataclass
class ToyMotion:
    """Takes a second of the clock, then changes the facts, or fails."""

    robot: "ToyRobot"
    operator: Operator
    failure: Feedback | None = None
    stage: MotionStatus = MotionStatus.RUNNING
    cancelled: bool = False

    def __post_init__(self) -> None:
        self.robot.clock.events.append((self.robot.clock.now() + SECONDS, self.finish))

    def finish(self) -> None:
        if self.stage is MotionStatus.RUNNING and not self.cancelled:
            self.stage = MotionStatus.FAILED if self.failure else MotionStatus.DONE
            if not self.failure:
                self.robot.change(added=self.operator.added, deleted=self.operator.deleted)

    def poll(self) -> MotionProgress:
        return MotionProgress(self.stage, feedback=self.failure)

    def cancel(self) -> None:
        if self.stage is MotionStatus.RUNNING:
            self.cancelled = True
            self.robot.clock.events.append((self.robot.clock.now() + self.robot.braking, self._rest))

    def _rest(self) -> None:
        self.stage = MotionStatus.FAILED


class ToyRobot:
    """A body that knows the operators of a plan by their commands."""

    def __init__(self, operators: Iterable[Operator], atoms: Iterable[Atom] = START) -> None:
        self.name = "robot0"
        self.clock = ToyClock()
        self.atoms = frozenset(atoms)
        self.operators = {str(op.command): op for op in operators}
        self.failures: dict[str, list[Feedback]] = {}
        self.motions: list[ToyMotion] = []
        self.braking = 0.0
        self.stops = 0

    def at(self, time: float, added: Iterable[str] = (), deleted: Iterable[str] = ()) -> None:
        """Let facts change at `time`, behind the robot's back."""
        self.clock.events.append((time, lambda: self.change(map(atom, added), map(atom, deleted))))

    def change(self, added: Iterable[Atom] = (), deleted: Iterable[Atom] = ()) -> None:
        self.atoms = (self.atoms - frozenset(deleted)) | frozenset(added)

    def learn(self, operators: Iterable[Operator]) -> None:
        self.operators |= {str(op.command): op for op in operators}

    def start(self, command: Command) -> ToyMotion:
        op = self.operators[str(command)]
        failures = self.failures.get(op.action.name, [])
        self.motions.append(ToyMotion(self, op, failures.pop(0) if failures else None))
        return self.motions[-1]

    def observation(self) -> Observation:
        return Observation(self.clock.now(), 1 + round(self.clock.now() * 20))

    def stop(self) -> None:
        self.stops += 1
        for motion in self.motions:
            motion.cancel()

    def close(self) -> None:
        self.stop()

    @property
    def done(self) -> list[str]:
        """Names of the actions started so far."""
        return [motion.operator.action.name for motion in self.motions]


class ToyBeliefs:
    """Everything is sensed at each refresh, except what is hidden, which keeps its value and is never sensed."""

    def __init__(self, robot: ToyRobot) -> None:
        self.robot = robot
        self.revision = 0
        self.hidden: frozenset[Atom] = frozenset()
        self.time = 0.0
        self.state = State(robot.atoms)

    def refresh(self) -> bool:
        self.time = self.robot.clock.now()
        atoms = (self.robot.atoms - self.hidden) | (self.state.atoms & self.hidden)
        if atoms == self.state.atoms:
            return False
        self.state = State(atoms)
        self.revision += 1
        return True

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        if literal.atom in self.hidden or self.time < since:
            return None
        return self.state.holds(literal)
