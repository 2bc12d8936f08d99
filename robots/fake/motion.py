"""A motion of the fake robot: the clock determines its progress, and it acts when the hand closes or opens."""

from __future__ import annotations

from collections.abc import Callable

from robots.fake.checks import CHECKS
from robots.fake.deeds import DEEDS, before, seconds_of
from robots.fake.hand import STAYING
from robots.fake.world import FakeWorld
from robots.motion import InjectedFault, VirtualMotion
from semantics.body.observation import Observation
from semantics.logic.feedback import Feedback
from semantics.logic.state import Command


def reason_against(world: FakeWorld, command: Command) -> Feedback | None:
    """Return why a command is impossible now, or None if it is possible."""
    refusals = (check(world, command) for check in CHECKS[command.primitive])
    return next((refusal for refusal in refusals if refusal is not None), None)


class FakeMotion(VirtualMotion):
    """A running motion, which changes `world`; see `robots.motion.VirtualMotion`.

    `seen` is what the body senses at the start of the motion.
    """

    def __init__(
        self,
        world: FakeWorld,
        command: Command,
        now: float,
        fault: InjectedFault | None,
        catch_up: Callable[[], None],
        seen: Observation,
    ) -> None:
        self._world = world
        self._seen = seen
        self._primitive = DEEDS[command.primitive]
        if command.primitive not in STAYING:
            world.fold()
        self._before = before(world, command)
        self._acted = False
        super().__init__(command, now, seconds_of(command, self._before), fault, catch_up)

    def advance(self, now: float) -> None:
        """Advance the motion to the time `now`."""
        fraction = min(1.0, (now - self.started) / self.seconds)
        fault = self.fault if self.fault is not None and fraction >= self.fault.fraction else None
        self.reach(fraction if fault is None else fault.fraction)
        self._primitive.along(self._world, self.command, self._before, self.progress.fraction)
        if fault is not None:
            self.fail(fault.feedback(self.command))
            return
        if fraction >= self._primitive.moment and not self._acted:
            # The world may have changed since the start, so the preconditions are checked again before the hand acts.
            refusal = reason_against(self._world, self.command) or self._act()
            if refusal is not None:
                self.fail(refusal)
                return
            self._acted = True
        if fraction >= 1.0:
            self.succeed()

    def _act(self) -> Feedback | None:
        """Change the world, with its numbers; return why there is too little of something."""
        change = self._world.change_of(self.command, self._seen)
        if isinstance(change, Feedback):
            return change
        before = frozenset(self._world.states)
        self._primitive.act(self._world, self.command)
        if change is not None:
            self._world.count(before, change)
        return None
