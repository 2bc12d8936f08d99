"""A body for Minigrid. It knows what its view of 7x7 cells has shown, and moves by the actions of the environment.

It plans nothing: it walks over seen free cells, picks up, drops, toggles, and looks at the nearest unknown. It tells
what it has found, what is in the way to it, and what it holds. What to do about a locked door is for a planner.
"""

from known_map import EMPTY, KINDS, LOCKED, OPEN, KnownMap, ahead, neighbours, seen_in

from robots.motion import FailedMotion, VirtualClock
from semantics import Atom, Code, Feedback
from semantics.body.observation import Observation
from semantics.body.primitive import Primitive
from semantics.body.protocols import MotionProgress, MotionStatus

STEP = 0.05  # seconds of the body's clock that an action of the environment takes
UNKNOWN = "unknown0"
ACTIONS = ("left", "right", "forward", "pickup", "drop", "toggle", "done")
DROPS_TRIED = 80
TOLD = frozenset({"found", "accessible", "behind", "facing", "inhand", "empty_handed", "beside", "opened", "locked"})


class Facts(dict):
    """The truth of facts. What the body tells of, and does not list, is false; of anything else it says nothing."""

    def get(self, atom, default=None):
        return super().get(atom, False if atom.predicate in TOLD else default)


class Motion:
    """A motion: an iterator over actions of the environment, which ends, or returns why it failed."""

    def __init__(self, body, command, actions):
        self.body, self.command, self.actions = body, command, actions
        self.progress = MotionProgress(MotionStatus.RUNNING)
        self.next = body.clock.now() + STEP

    @property
    def running(self):
        return self.progress.stage is MotionStatus.RUNNING

    def poll(self):
        while self.running and self.body.clock.now() >= self.next - 1e-9:
            self.next += STEP
            try:
                self.body.act(next(self.actions))
            except StopIteration as end:
                self.end(end.value)
            if self.running and self.body.over:
                self.end(None)
        return self.progress

    def end(self, feedback):
        stage = MotionStatus.DONE if feedback is None else MotionStatus.FAILED
        self.progress = MotionProgress(stage, 1.0, feedback)

    def cancel(self):
        if self.running:
            self.end(Feedback(Code.CANCELLED, str(self.command), "it was stopped"))


class MinigridBody:
    """The agent of a Minigrid environment; implements `semantics.body.protocols.Robot`.

    Args:
        environment: The environment; only `reset` and `step` are called, so only the view is known.
        seed: The seed of the episode.
        things: The names that things can get, such as ``red_ball1``, in the order in which they are given.

    Attributes:
        mission: The words of the environment.
        steps, reward, over: What the environment has answered.
    """

    name = "robot0"
    exact_within = STEP

    def __init__(self, environment, seed, things):
        self.environment = environment
        self.clock = VirtualClock()
        self.primitives = {
            "go": Primitive("Go next to a thing and face it, over free cells that were seen.", {"to": "the thing"}),
            "take": Primitive("Go to a thing and pick it up.", {"object": "the thing"}),
            "drop": Primitive("Put down what is held where it is not in the way.", {"object": "what is held"}),
            "drop_beside": Primitive(
                "Put down what is held next to a thing.", {"object": "what is held", "target": "the thing"}
            ),
            "toggle": Primitive("Go to a door or box and open it, or shut it.", {"object": "the door or box"}),
            "look": Primitive("Stay, and tell what is seen."),
            "explore": Primitive("Look at the nearest cells that were not seen, until such a thing is.", {"for": "it"}),
        }
        self.map, self.things = KnownMap(), list(things)
        self.names, self.held = {}, None  # things by position, and the one in the hand
        self.position, self.steps, self.reward, self.over = (0, 0), 0, 0.0, False
        self.motion, self.latest, self.past, self.told = None, Observation(), set(), None
        seen, _ = environment.reset(seed=seed)
        self.mission = seen["mission"]
        self.take_in(seen)

    # --- what the environment answers

    def act(self, action):
        front = ahead(self.position, self.direction)
        if action == "forward" and self.map.free(front):
            self.position = front
        seen, self.reward, ended, cut, _ = self.environment.step(ACTIONS.index(action))
        self.steps, self.over = self.steps + 1, ended or cut
        self.take_in(seen, front)

    def take_in(self, seen, front=None):
        """Keep what a view shows. A thing keeps its name as long as it stays where it is, and in the hand."""
        self.direction, self.told = int(seen["direction"]), None
        cells, held = seen_in(seen["image"], self.position, self.direction)
        if held is not None and self.held is None:
            self.held = self.names.pop(front, None)
        elif held is None and self.held is not None:
            self.names[front], self.held = self.held, None
        self.map.take_in(cells, self.pose)
        for position, cell in cells.items():
            known = self.names.get(position)
            if known is not None and self.kind_of(known) != (cell.colour, cell.kind):
                del self.names[position]
            if cell.kind in KINDS and position not in self.names:
                self.give_name(position, cell)

    def give_name(self, position, cell):
        taken = {*self.names.values(), self.held}
        fitting = (name for name in self.things if self.kind_of(name) == (cell.colour, cell.kind))
        name = next((name for name in fitting if name not in taken), None)
        if name is not None:  # what has no name any more is only in the way
            self.names[position] = name

    @staticmethod
    def kind_of(name):
        colour, _, kind = name.rstrip("0123456789").partition("_")
        return colour, kind

    # --- what it tells

    def observation(self):
        if self.motion is not None:
            self.motion.poll()
        if self.told is None:
            self.told = self.facts()
            self.past |= self.told
            told = Facts({atom: atom in self.told for atom in sorted(self.past)})
            self.latest = Observation(self.clock.now(), self.latest.number + 1, told=told)
        elif self.clock.now() > self.latest.time:
            self.latest = Observation(self.clock.now(), self.latest.number + 1, told=self.latest.told)
        return self.latest

    def facts(self):
        last, costs = self.map.in_the_way(self.position)
        told = set()
        for position, name in self.names.items():
            told |= {Atom("found", (name,)), *self.way(name, last.get(position, "unseen"))}
            cell = self.map.cells[position]
            if cell.kind == "door" and cell.state == OPEN:
                told.add(Atom("opened", (name,)))
            if cell.kind == "door" and cell.state == LOCKED:
                told.add(Atom("locked", (name,)))
            if cell.kind != "door":
                near = (self.names.get(beside) for beside in neighbours(position))
                told |= {Atom("beside", (name, other)) for other in near if other}
        if self.held is None:
            told.add(Atom("empty_handed", (self.name,)))
        else:
            told |= {Atom("found", (self.held,)), Atom("inhand", (self.held, self.name))}
        if front := self.names.get(ahead(self.position, self.direction)):
            told.add(Atom("facing", (self.name, front)))
        return told | self.unknown(last, costs)

    def way(self, name, obstacle):
        if obstacle is None:
            return {Atom("accessible", (name,))}
        blocking = UNKNOWN if obstacle == "unseen" else self.names.get(obstacle)
        return set() if blocking is None else {Atom("behind", (name, blocking))}

    def unknown(self, last, costs):
        """Return how the nearest unknown is reached: freely, or past a door or thing, or past a locked door."""
        pose = (self.position, self.direction)
        if self.map.next_look(pose) is not None:
            return {Atom("accessible", (UNKNOWN,))}
        told, nearest = set(), []
        for position, name in self.names.items():
            cell = self.map.cells[position]
            leads_on = any(beside not in self.map.cells for beside in neighbours(position))
            if cell.free or not leads_on:
                continue
            if cell.kind == "door" and cell.state == LOCKED:
                told.add(Atom("behind", (UNKNOWN, name)))
            else:
                nearest.append((cell.kind != "door", costs.get(position, 1e9), name))
        return told | {Atom("behind", (UNKNOWN, name)) for *_, name in sorted(nearest)[:1]}

    # --- what it does

    def start(self, command):
        if self.over:
            return self.refused(command, "the episode is over", recoverable=False)
        if self.motion is not None and self.motion.running:
            return self.refused(command, f"{self.motion.command} is still under way")
        if command.primitive not in self.primitives:
            return self.refused(command, f"there is no such primitive; there are {', '.join(self.primitives)}")
        if missing := [role for role in self.primitives[command.primitive].roles if role not in command.roles]:
            return self.refused(command, f"the role {', '.join(missing)} is missing")
        if unknown := [name for name in command.roles.values() if name not in self.things]:
            return self.refused(command, f"there is no {', '.join(unknown)}")
        roles = {"sought" if role == "for" else role: name for role, name in command.roles.items()}
        self.motion = Motion(self, command, getattr(self, command.primitive)(**roles))
        return self.motion

    @staticmethod
    def refused(command, why, recoverable=True):
        return FailedMotion(Feedback(Code.REFUSED_BY_BODY, str(command), why, recoverable=recoverable))

    def place_of(self, name):
        return next((position for position, known in self.names.items() if known == name), None)

    def walk(self, suits):
        """Walk to the nearest pose that suits, one action a time; return whether there is one."""
        while True:
            first = next(((first, pose) for pose, first, _ in self.map.poses_from(self.pose) if suits(pose)), None)
            if first is None:
                return False
            if first[0] is None:
                return True
            yield first[0]

    @property
    def pose(self):
        return self.position, self.direction

    def go(self, to):
        if not (yield from self.walk(lambda pose: ahead(*pose) == self.place_of(to))):
            return Feedback(Code.OUT_OF_REACH, f"go to {to}", "no way over free cells leads there")
        return None

    def take(self, object):
        if why := (yield from self.go(object)):
            return why
        yield "pickup"
        return None if self.held == object else Feedback(Code.NOT_GRASPED, f"take {object}", "it is not in the hand")

    def toggle(self, object):
        if why := (yield from self.go(object)):
            return why
        yield "toggle"
        return None

    def look(self):
        return None
        yield

    def explore(self, sought):
        kind = self.kind_of(sought)
        before = self.alike(kind)
        while self.alike(kind) == before and not self.is_free(sought):
            action = self.map.next_look(self.pose)
            if action is None:
                return Feedback(Code.NOT_VISIBLE, f"look for {sought}", "nothing more can be seen from here")
            yield action
        return None

    def is_free(self, name):
        place = self.place_of(name)
        return place is not None and self.map.in_the_way(self.position)[0].get(place, "unseen") is None

    def alike(self, kind):
        return {name for name in self.names.values() if self.kind_of(name) == kind}

    def drop(self, object):
        spots = {}
        for pose, _, steps in self.map.poses_from(self.pose):
            spot = ahead(*pose)
            if spot not in spots and self.map.cells.get(spot) == EMPTY:
                spots[spot] = steps + self.map.loss(pose, spot)
            if len(spots) == DROPS_TRIED:
                break
        yield from self.drop_at({min(spots, key=spots.get)} if spots else set())
        return self.why_held(object)

    def drop_beside(self, object, target):
        place = self.place_of(target)
        around = () if place is None else neighbours(place)
        yield from self.drop_at({spot for spot in around if self.map.cells.get(spot) == EMPTY})
        return self.why_held(object)

    def drop_at(self, spots):
        if (yield from self.walk(lambda pose: ahead(*pose) in spots)):
            yield "drop"

    def why_held(self, name):
        if self.held is None:
            return None
        return Feedback(Code.NO_ROOM, f"put {name} down", "no free cell can be reached")

    def wait(self):
        """Let an action of the environment pass, outside of any motion."""
        if not self.over:
            self.act("done")

    def stop(self):
        if self.motion is not None:
            self.motion.cancel()

    def close(self):
        self.stop()
