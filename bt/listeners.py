"""The listeners of a run: `Watch` writes the ticks to the record, `Requests` reports what persons are asked to do."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.document import folded
from bt.execution.execute import Execute
from bt.execution.step import Step
from bt.node import kind_of, walk, what_of
from bt.record import Journal
from bt.runner import Ended, Listener, Runner
from semantics.body.observation import Observation
from semantics.logic.atoms import Atom

MILLI = 3
VIEW_SECONDS = 0.1
ENDED = (Status.SUCCESS, Status.FAILURE)


@dataclass(eq=False)
class Watch:
    """Records the tree, what each tick changes, the observations, and pictures: of each step's end, and in between."""

    journal: Journal  # the journal for the events
    _: KW_ONLY
    keep_picture: Callable[[bytes, float], object] | None = None  # takes a PNG with the time it was taken at
    camera: Callable[[], bytes | None] | None = None  # returns a PNG, if one is available
    camera_period: float = 2.0  # seconds of the body's clock between pictures
    _next_picture: float = field(init=False, default=0.0)
    _ids: dict[Behaviour, str] = field(init=False, default_factory=dict)
    _shape: list[Behaviour] = field(init=False, default_factory=list)
    _statuses: dict[str, str] = field(init=False, default_factory=dict)
    _visited: list[tuple[Behaviour, Status]] = field(init=False, default_factory=list)
    _point: int | None = field(init=False, default=None)
    _revision: int = field(init=False, default=-1)
    _atoms: frozenset[Atom] = field(init=False, default=frozenset())
    _observation: int = field(init=False, default=0)
    _next_view: float = field(init=False, default=0.0)
    _time: float = field(init=False, default=0.0)
    _view: dict[str, Any] = field(init=False, default_factory=dict)

    def ticked(self, runner: Runner) -> None:
        """Record the changes of this tick."""
        time = self._time = self._now(runner)
        fields: dict[str, Any] = {"n": runner.ticks, "t": time}
        visited = [(node, node.status) for node in runner.visited]
        if visited != self._visited:
            self._visited = visited
            if any(isinstance(node, Step) and status in ENDED for node, status in visited):
                self.picture_now()
            fields |= self._tree_changes(runner.root)
        if runner.beliefs.revision != self._revision:
            self._revision = runner.beliefs.revision
            fields |= self._fact_changes(runner.beliefs.state.atoms)
        self.journal.write("tick", fields)
        self._look(runner, time)

    def ended(self, runner: Runner, end: Ended) -> None:
        """Record the reason when the run did not end by its tree, and the last observation and picture."""
        if end.reason is not None and end.status not in ("success", "failure"):
            time = self._time if end.error else self._now(runner)  # a body that is gone has no clock
            fields = {"t": time, "node": end.reason.what, "feedback": end.reason.as_dict()}
            self.journal.write("feedback", fields)
        self._tell_view(runner.robot.observation(), runner.robot.name)
        self.picture_now()
        self._take_picture(self._now(runner))

    def picture_now(self) -> None:
        """Take a picture at this tick, whenever the last one was taken."""
        self._next_picture = 0.0

    def _now(self, runner: Runner) -> float:
        return round(runner.robot.clock.now(), MILLI)

    def _tree_changes(self, root: Behaviour) -> dict[str, Any]:
        """Return the changes of the tree; it is walked only when the tick has reached other nodes than the last one."""
        nodes = list(walk(root))
        if nodes != self._shape:
            self._shape = nodes
            for node in nodes:
                self._ids.setdefault(node, f"n{len(self._ids) + 1}")
            self.journal.write("tree", {"root": folded(root, self._told)})
        now = {self._ids[node]: str(node.status.value).lower() for node in nodes}
        changed = {key: status for key, status in now.items() if self._statuses.get(key, "invalid") != status}
        self._statuses = now
        fields: dict[str, Any] = {"status": changed} if changed else {}
        point = next(
            (node.point for node in nodes if isinstance(node, Execute) and node.status != Status.INVALID), None
        )
        if point != self._point:
            self._point = fields["resume"] = point
        return fields

    def _told(self, node: Behaviour) -> dict[str, Any]:
        return {"id": self._ids[node], "name": node.name, "kind": kind_of(node), "what": what_of(node)}

    def _fact_changes(self, atoms: frozenset[Atom]) -> dict[str, Any]:
        old, self._atoms = self._atoms, atoms
        if atoms == old:
            return {}
        return {"facts": {"+": sorted(map(str, atoms - old)), "-": sorted(map(str, old - atoms))}}

    def _look(self, runner: Runner, time: float) -> None:
        observation = runner.robot.observation()
        if time >= self._next_view - 1e-6:
            self._tell_view(observation, runner.robot.name)
        self._take_picture(time)

    def _tell_view(self, observation: Observation, robot: str) -> None:
        if observation.number == self._observation:
            return
        self._observation = observation.number
        view = _view(observation, robot)
        if view != self._view:
            self._view = view
            self._next_view = observation.time + VIEW_SECONDS
            self.journal.write("view", {"t": round(observation.time, MILLI), **view})

    def _take_picture(self, time: float) -> None:
        if self.camera is None or self.keep_picture is None or time < self._next_picture:
            return
        self._next_picture = time + self.camera_period
        picture = self.camera()
        if picture:
            self.keep_picture(picture, time)


def _view(observation: Observation, robot: str) -> dict[str, Any]:
    """Return the observed objects, in metres and radians rounded to a thousandth."""
    sightings = sorted(observation.sightings.items())
    agent = observation.agents.get(robot)
    pose = None if agent is None else agent.pose
    return {
        "things": {name: [round(x, MILLI) for x in (*seen.box.low, *seen.box.high)] for name, seen in sightings},
        **({} if pose is None else {"robot": [round(x, MILLI) for x in (pose.x, pose.y, pose.yaw)]}),
        "held": [] if agent is None else list(agent.held),
        "doors": {name: round(seen.opening, MILLI) for name, seen in sightings if seen.opening is not None},
    }


@dataclass(eq=False)
class Requests(Listener):
    """Writes a ``request`` event whenever a step of a person begins, once for each start.

    A motion that the body refuses at once causes no request.
    """

    journal: Journal  # the journal for the events
    persons: Collection[str]  # names of those whose steps are requests
    _told: set[tuple[Step, float]] = field(init=False, default_factory=set)

    def ticked(self, runner: Runner) -> None:
        """Report the steps of persons that this tick has begun."""
        for node in runner.visited:
            if isinstance(node, Step) and node.act in runner.visited:
                self._tell(node)

    def _tell(self, step: Step) -> None:
        command, key = step.operator.command, (step, step.act.began)
        asked = command is not None and command.agent in self.persons
        was_put = step.act.has_started and step.act.feedback is None
        if command is None or not asked or key in self._told or not was_put:
            return
        self._told.add(key)
        action = step.operator.action
        named = (name for name in action.args if name != command.agent)
        text = f"please: {' '.join((action.name, *named))}"
        fields = {"t": round(step.act.began, 3), "agent": command.agent, "step": str(action), "text": text}
        self.journal.write("request", fields)
