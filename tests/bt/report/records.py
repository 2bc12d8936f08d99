"""Writes a record event by event, as a run would write it."""

import math

from tests.bt.report.pictures import camera

ROBOT, MILK, FRIDGE, PERSON, FLOOR = "robot0", "milk0", "fridge0", "human0", "floor0"
FIRST_PLAN = [
    "(move robot0 floor0 fridge0)",
    "(open robot0 fridge0 fridge0)",
    "(take_out robot0 milk0 fridge0 fridge0)",
    "(move robot0 fridge0 human0)",
    "(handover robot0 human0 milk0)",
]
SECOND_PLAN = [
    "(move robot0 human0 floor0)",
    "(grasp robot0 milk0 floor0 floor0)",
    "(move robot0 floor0 human0)",
    "(handover robot0 human0 milk0)",
]
FURNITURE = {
    "fridge0": (-2.0, 1.2, 0.0, -1.4, 1.8, 1.5),
    "counter0": (-1.0, 1.2, 0.0, 0.6, 1.8, 0.9),
    "sink0": (0.7, 1.2, 0.0, 1.4, 1.8, 0.9),
    "table0": (-0.6, -1.6, 0.0, 0.8, -0.7, 0.72),
    "human0": (1.35, -1.75, 0.0, 1.75, -1.35, 1.75),
    "shelf0": (1.9, -0.6, 0.0, 2.3, 0.6, 1.6),
}
SMALL = {
    "apple0": (-0.2, -1.2, 0.76),
    "banana0": (0.1, -1.0, 0.75),
    "cup0": (0.5, -1.3, 0.77),
    "plate0": (0.2, -1.4, 0.73),
    "sponge0": (1.0, 1.4, 0.92),
    "bowl0": (-0.4, 1.5, 0.93),
    "juice0": (0.2, 1.4, 0.98),
    "book0": (2.1, 0.2, 1.2),
}
WAY = {"floor0": (0.2, 0.1, 0.0), "fridge0": (-1.7, 0.5, 1.57), "human0": (1.1, -0.9, -0.8), "drop": (-0.3, 0.0, 2.6)}


def box(x, y, z, half=0.04, height=0.1):
    return [round(value, 3) for value in (x - half, y - half, z - height / 2, x + half, y + half, z + height / 2)]


class Writer:
    """Collect events while a small story is told, at 20 ticks a second."""

    def __init__(self):
        self.events = []
        self.time = 0.0
        self.tick = 0
        self.pose = list(WAY["floor0"])
        self.milk = [-1.7, 1.5, 0.6]
        self.held = []
        self.door = 0.0
        self.mark = "a"
        self.resume = None
        self.pictures = []
        self.seen = False

    def say(self, kind, **rest):
        self.events.append({"v": 1, "e": kind, **rest})

    def at(self, kind, **rest):
        self.say(kind, t=round(self.time, 2), **rest)

    def view(self):
        things = {name: list(corners) for name, corners in FURNITURE.items()}
        things |= {name: box(*place) for name, place in SMALL.items()}
        if self.held:
            x, y, yaw = self.pose
            self.milk = [x + 0.45 * math.cos(yaw), y + 0.45 * math.sin(yaw), 0.9]
        if self.seen and (self.door > 0.3 or self.milk[1] < 1.2):
            things[MILK] = box(*self.milk, half=0.035, height=0.2)
        pose = [round(value, 3) for value in self.pose]
        self.at("view", things=things, robot=pose, held=list(self.held), doors={FRIDGE: round(self.door, 2)})

    def ticked(self, status=None, resume=..., facts=None):
        event = {"n": self.tick, "status": status or {}}
        if resume is not ... and resume != self.resume:
            event["resume"] = self.resume = resume
        if facts:
            event["facts"] = {"+": facts[0], "-": facts[1]}
        self.at("tick", **event)

    def pass_time(self, seconds, each=lambda share: None):
        count = max(1, int(seconds * 20))
        for index in range(count):
            each((index + 1) / count)
            self.time += 0.05
            self.tick += 1
            if index % 4 == 0:
                self.view()

    def picture(self):
        self.pictures.append(camera(min(1.0, self.time / 30)))
        self.at("picture", file=f"pictures/{len(self.pictures):04}.png")

    def begin(self, number):
        ident = f"{self.mark}{number}"
        self.ticked(
            {
                f"{self.mark}goal": "running",
                "replan": "running",
                f"{self.mark}resume": "running",
                ident: "running",
                f"{ident}.before": "success",
                f"{ident}.act": "running",
            },
            resume=number,
        )

    def end(self, number, state="success", facts=None):
        ident = f"{self.mark}{number}"
        self.ticked({f"{ident}.act": state, f"{ident}.after": state, ident: state}, facts=facts)

    def drive(self, where, seconds):
        x, y, yaw = self.pose
        goal = WAY[where]

        def each(share):
            soft = share * share * (3 - 2 * share)
            self.pose = [a + soft * (b - a) for a, b in zip((x, y, yaw), goal, strict=True)]

        self.pass_time(seconds, each)

    def swing(self, to, seconds):
        start = self.door

        def each(share):
            self.door = start + share * (to - start)

        self.pass_time(seconds, each)
