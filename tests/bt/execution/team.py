"""Several agents with a model each can work on: a body, what it believes, and plans that can be done at once."""

from bt import Entries, Runner, compile_plan
from robots.symbolic import SymbolicRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Command, Operator, Plan, State
from tests.bt.toy import atom, conjunct, literal

__all__ = ["Believed", "Team", "carry", "key", "operator", "plan_of"]


def operator(action: str, before: str, after: str, hands: str = "") -> Operator:
    """Make an operator of comma-separated literals; its first argument is the agent."""
    name, *args = action.split()
    effects = [literal(text.strip()) for text in after.split(",") if text.strip()]
    return Operator(
        Action(name, tuple(args)),
        conjunct(*(text.strip() for text in before.split(",") if text.strip())),
        frozenset(one for one, positive in effects if positive),
        frozenset(one for one, positive in effects if not positive),
        command=Command(name, args[0], {f"role{number}": arg for number, arg in enumerate(args[1:])}),
        resources=frozenset(hands.split()),
    )


def carry(agent: str, thing: str, start: str, end: str) -> tuple[Operator, Operator]:
    """Return the two steps that bring a thing from one place to another."""
    take = operator(
        f"take {agent} {thing} {start}",
        f"free {agent}, lies {thing} {start}",
        f"held {thing} {agent}, !free {agent}, !lies {thing} {start}",
    )
    lay = operator(
        f"lay {agent} {thing} {end}",
        f"held {thing} {agent}",
        f"lies {thing} {end}, free {agent}, !held {thing} {agent}",
    )
    return take, lay


class Believed:
    """Beliefs of a body that senses everything."""

    def __init__(self, robot: SymbolicRobot) -> None:
        self.robot = robot
        self.revision = 0
        self.state = robot.state
        self.time = 0.0

    def refresh(self) -> bool:
        self.robot.observation()
        self.time = self.robot.clock.now()
        if self.robot.state == self.state:
            return False
        self.state = self.robot.state
        self.revision += 1
        return True

    def sensed(self, one, since: float = 0.0) -> bool | None:
        return self.state.holds(one) if self.time >= since else None


class Team:
    """A run of a plan by a body that lives in its model, with what was begun and when each motion ended."""

    def __init__(self, plan, atoms, *, seconds=lambda _: 1.0, together=True, numbers=None) -> None:
        known = {key(step.command): step for step in plan.steps}
        self.robot = SymbolicRobot(
            State(frozenset(map(atom, atoms)), numbers or {}),
            lambda command, _: (
                known.get(key(command)) or Feedback(Code.REFUSED_BY_BODY, str(command), "nobody can do that")
            ),
            seconds_of=seconds,
        )
        self.plan = plan
        self.begun: list[tuple[float, Operator]] = []
        self.motions: list[tuple[Operator, object]] = []
        self._start = self.robot.start
        self._known = known
        self.robot.start = self._note
        self.beliefs = Believed(self.robot)
        self.journal = Entries()
        self.root = compile_plan(
            plan, beliefs=self.beliefs, robot=self.robot, journal=self.journal, together=together, effect_patience=0.5
        )
        self.runner = Runner(self.root, self.robot, self.beliefs)

    def _note(self, command):
        motion = self._start(command)
        step = self._known[key(command)]
        self.begun.append((round(self.robot.clock.now(), 3), step))
        self.motions.append((step, motion))
        return motion

    def run(self, limit=300.0):
        return self.runner.run(limit)

    @property
    def done(self) -> list[str]:
        return [str(step) for _, step in self.begun]

    def moving(self) -> list[Operator]:
        return [step for step, motion in self.motions if motion.poll().stage is MotionStatus.RUNNING]


def key(command: Command) -> tuple[str, str]:
    return command.agent, str(command)


def plan_of(*steps: Operator, goal: str) -> Plan:
    return Plan(steps, conjunct(*(text.strip() for text in goal.split(","))))
