"""The missions of Minigrid as formal goals: one after the other where the mission has an order.

===========================================  ==========================================================
mission                                      goals
===========================================  ==========================================================
go to a red ball                             the robot faces one of the red balls
pick up the box                              it holds one of the boxes
open the blue door                           one of the blue doors is open
put the red ball next to the blue key        one of the red balls is beside one of the blue keys
X, then Y                                    the goal of X; after it that of Y
X after you Y                                the goal of Y; after it that of X
X and Y                                      the goal of X; after it that of Y, since each is an event
===========================================  ==========================================================
"""

import re
from typing import NamedTuple

THING = r"(?:the|a|an) (?:(?P<colour{0}>red|green|blue|purple|yellow|grey) )?(?P<kind{0}>ball|box|key|door|object)"
CLAUSES = {
    "go": re.compile("go to " + THING.format(1)),
    "pick": re.compile("(?:pick up|get|go get|fetch) " + THING.format(1)),
    "open": re.compile("open " + THING.format(1)),
    "put": re.compile("put " + THING.format(1) + " (?:next to|near) " + THING.format(2)),
}
FACTS = {
    "go": "(facing {robot} {0})",
    "pick": "(inhand {0} {robot})",
    "open": "(opened {0})",
    "put": "(beside {0} {1})",
}
UNDONE = {"pick": "(not (inhand {0} {robot}))", "open": "(not (opened {0}))", "put": "(inhand {0} {robot})"}


class Clause(NamedTuple):
    """A clause of a mission.

    Attributes:
        words: Its words.
        facts: Facts in PDDL, any of which will do, each with the goal that undoes it; empty for what needs no undoing.
    """

    words: str
    facts: tuple[tuple[str, str], ...]

    @property
    def goal(self):
        """The goal in PDDL."""
        facts = [fact for fact, _ in self.facts]
        return facts[0] if len(facts) == 1 else f"(or {' '.join(facts)})"


def goals_of(mission, things, robot="robot0"):
    """Return the clauses of a mission in the order in which they have to be done.

    Raises:
        ValueError: A clause cannot be read.
    """
    first, after, second = mission.strip().partition(" after you ")
    if after:
        return goals_of(second, things, robot) + goals_of(first, things, robot)
    return [_clause(words, things, robot) for words in re.split(r", then | and ", first)]


def _clause(words, things, robot):
    for verb, pattern in CLAUSES.items():
        if match := pattern.fullmatch(words.strip()):
            found = match.groupdict()
            firsts = _fitting(found["colour1"], found["kind1"], things)
            seconds = _fitting(found["colour2"], found["kind2"], things) if "kind2" in found else [""]
            pairs = [(one, other) for one in firsts for other in seconds if one != other and _can(verb, one)]
            texts = FACTS[verb], UNDONE.get(verb, "")
            return Clause(words, tuple(tuple(text.format(*pair, robot=robot) for text in texts) for pair in pairs))
    raise ValueError(
        f"the mission {words!r} cannot be read; it is one of {', '.join(CLAUSES)} with a colour and a kind"
    )


def _can(verb, thing):
    return ("_door" in thing) == (verb == "open") or verb == "go"


def _fitting(colour, kind, things):
    suits = re.compile(rf"{colour or '[a-z]+'}_{'[a-z]+' if kind == 'object' else kind}\d+")
    return [name for name in things if suits.fullmatch(name)]
