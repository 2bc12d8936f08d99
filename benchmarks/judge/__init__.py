"""A judge of whole runs in PyBullet that shares no code with the robot.

It takes a physics client, the body of each name and the name of the robot, and learns everything else from PyBullet:
poses, contacts, joints, shapes by rays. It never steps the simulation and never changes its state. Units are metres,
seconds, radians and kilograms. A runner of a run writes::

    watch = Watch(client, names, "robot0")
    with CommandWatch(client, names["robot0"]) as commands:
        while running():            # about 60 looks a simulated second
            advance()
            watch.look(clock())
        watch.mark_end(clock())
        for _ in range(60):         # one simulated second more
            advance()
            watch.look(clock())
    track = watch.end()
    verdict = judge({"and": ["on(apple0, counter0)", "unmoved_except(apple0)"]}, track)
    deepest, worst = track.deepest(), commands.worst({"base_x": (0.75, 1.0, 5.0)})[0]

A thing that comes into the world while it goes on is watched from `Watch.join` on.

The vocabulary of conditions, as text in YAML; `a` and `b` are things that move, `f` is furniture:

======================================= =====================================================================
``on(a, place)``                        the place pushes a up at its underside, a's middle is over it, nobody
                                        holds a; ``board=1``: on this board, counted from 0, the lowest
``in(a, container)``                    a's middle is inside: below the rim, or enclosed; or on top of a pile
                                        (`predicates.check_in`)
``within(a, [[x0, y0, x1, y1], ...])``  a's middle is in one of the boxes, metres on the map
``upright(a)``                          its z axis is within 15 degrees of up
``has(person, a)``, ``held(a)``         the person, the robot has it
``open(f)``, ``shut(f)``                at least 70 %, at most 5 % of the range of a door or drawer
``left_of(a, b, heading)``,             for a viewer who looks along the heading (0 is along x, then counter-
``right_of``, ``in_front_of``,          clockwise): left is 90 degrees counter-clockwise from it, in front is
``behind``                              towards the viewer
``next_to(a, b, metres)``               gap of the outlines; 0.10 m when left out
``poured(a, b)``                        all that would leave a, half full, would land in b (`pours`)
``spilled(a)``, ``not_spilled(a, ...)`` some would run beside; without names: of all that is as deep as a cup
``wiped(f, a, share)``                  the share of the top, free at the start, that a touched in the robot's
                                        hand; 0.5 when left out; ``region=[[x0, y0, x1, y1], ...]``
``moved(a)``, ``unmoved(a, ...)``       5 cm or 15 degrees of tilt from the start; without names: all things
``unmoved_except(a, ...)``              all things but these
``dropped(a)``, ``not_dropped(a, ...)`` fell freely by more than 5 cm; without names: all things
======================================= =====================================================================

They combine as ``{and: [...]}``, ``{or: [...]}``, ``{not: ...}`` and ``{at_least: 2, of: [...]}``. What is said of the
end has to hold when the run ends and one simulated second later, with the things at rest in between. `not` is the plain
negation: "not on" is also true of a thing that still moves. Convex hulls have margins: 5 mm of penetration are allowed.
"""

from benchmarks.judge.bodies import JudgeError
from benchmarks.judge.commands import CommandWatch, Limits, Worst
from benchmarks.judge.conditions import Condition, ConditionError, Verdict, judge, read_condition
from benchmarks.judge.pours import Pour, find_pour
from benchmarks.judge.watch import Depth, Track, Watch

__all__ = [
    "CommandWatch",
    "Condition",
    "ConditionError",
    "Depth",
    "JudgeError",
    "Limits",
    "Pour",
    "Track",
    "Verdict",
    "Watch",
    "Worst",
    "find_pour",
    "judge",
    "read_condition",
]
