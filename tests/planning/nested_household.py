"""A household as PDDL: rooms, furniture with doors, boxes in boxes, and what is within reach as derived predicates."""

from random import Random

__all__ = ["nested_household"]

DOMAIN = """\
(define (domain nested-household)
  (:requirements :adl :derived-predicates)
  (:types
    room holder - object
    furniture item - holder
    table cupboard - furniture
    box cup book - item
  )
  (:predicates
    (robot-in ?r - room)
    (beside ?a ?b - room)
    (stands-in ?f - furniture ?r - room)
    (inside ?i - item ?h - holder)
    (opened ?h - holder)
    (held ?i - item)
    (hand-free)
    (accessible ?f - furniture)
    (reachable ?i - item)
    (within ?i - item ?f - furniture)
  )
  (:derived (accessible ?f - furniture)
    (and
      (exists (?r - room) (and (stands-in ?f ?r) (robot-in ?r)))
      (or (exists (?t - table) (= ?t ?f)) (opened ?f))
    )
  )
  (:derived (reachable ?i - item)
    (or
      (exists (?f - furniture) (and (inside ?i ?f) (accessible ?f)))
      (exists (?b - box) (and (inside ?i ?b) (opened ?b) (reachable ?b)))
    )
  )
  (:derived (within ?i - item ?f - furniture)
    (or (inside ?i ?f) (exists (?b - box) (and (inside ?i ?b) (within ?b ?f))))
  )
  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (robot-in ?from) (beside ?from ?to))
    :effect (and (not (robot-in ?from)) (robot-in ?to))
  )
  (:action open-door
    :parameters (?c - cupboard)
    :precondition (and (not (opened ?c)) (exists (?r - room) (and (stands-in ?c ?r) (robot-in ?r))))
    :effect (opened ?c)
  )
  (:action open-box
    :parameters (?b - box)
    :precondition (and (reachable ?b) (not (opened ?b)) (hand-free))
    :effect (opened ?b)
  )
  (:action take
    :parameters (?i - item ?h - holder)
    :precondition (and (inside ?i ?h) (reachable ?i) (hand-free))
    :effect (and (not (inside ?i ?h)) (not (hand-free)) (held ?i))
  )
  (:action put
    :parameters (?i - item ?f - furniture)
    :precondition (and (held ?i) (accessible ?f))
    :effect (and (not (held ?i)) (hand-free) (inside ?i ?f))
  )
  (:action pack
    :parameters (?i - item ?b - box)
    :precondition (and (held ?i) (reachable ?b) (opened ?b) (not (= ?i ?b)))
    :effect (and (not (held ?i)) (hand-free) (inside ?i ?b))
  )
)
"""


def nested_household(count: int, goal: str) -> tuple[str, str]:
    """Return a household of about `count` objects with a goal: the domain, and the problem.

    The cup ``cup0`` lies in the open box ``box1`` in the shut box ``box0`` on ``table0``, in the robot's room.
    """
    random = Random(f"household {count}")
    rooms = [f"room{number}" for number in range(max(2, count // 25))]
    tables = [f"table{number}" for number in range(max(2, count // 15))]
    cupboards = [f"cupboard{number}" for number in range(max(2, count // 15))]
    boxes = [f"box{number}" for number in range(max(3, count // 8))]
    rest = count - sum(map(len, (rooms, tables, cupboards, boxes)))
    cups, books = ([f"{kind}{number}" for number in range(rest // 2)] for kind in ("cup", "book"))
    facts = ["(robot-in room0)", "(hand-free)", "(stands-in table0 room0)", "(stands-in cupboard0 room0)"]
    for index, room in enumerate(rooms[1:], 1):
        other = rooms[random.randrange(index)]
        facts += [f"(beside {room} {other})", f"(beside {other} {room})"]
    facts += [f"(stands-in {one} {random.choice(rooms)})" for one in (*tables[1:], *cupboards[1:])]
    facts += ["(inside box0 table0)", "(inside box1 box0)", "(inside cup0 box1)", "(opened box1)"]
    for index, one in enumerate(boxes[2:], 2):
        facts.append(f"(inside {one} {random.choice([*tables, *cupboards, *boxes[1:index]])})")
        facts += [f"(opened {one})"] if random.random() < 0.3 else []
    for one in (*cups[1:], *books):
        facts.append(f"(inside {one} {random.choice([*tables, *cupboards, *boxes[2:]])})")
    objects = {"room": rooms, "table": tables, "cupboard": cupboards, "box": boxes, "cup": cups, "book": books}
    listed = " ".join(f"{' '.join(names)} - {kind}" for kind, names in objects.items())
    lines = ["(define (problem household)", "  (:domain nested-household)", f"  (:objects {listed})"]
    return DOMAIN, "\n".join([*lines, f"  (:init {' '.join(facts)})", f"  (:goal {goal})", ")", ""])
