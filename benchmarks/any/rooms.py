"""Problems of rooms whose doors are locked, and of a robot that carries keys and other things."""

from __future__ import annotations

from random import Random

from benchmarks.any.writing import Written, grown, linked, names, written

__all__ = ["rooms"]

ROOMS = """\
(define (domain rooms)
  (:requirements
    :strips :typing :negative-preconditions :disjunctive-preconditions :existential-preconditions
    :universal-preconditions :conditional-effects
  )
  (:types
    room door item - object
    key book chair crate - item
  )
  (:predicates
    (robot-in ?r - room)
    (in ?i - item ?r - room)
    (carried ?i - item)
    (small ?i - item)
    (joins ?d - door ?a ?b - room)
    (opened ?d - door)
    (locked ?d - door)
    (stiff ?d - door)
    (guarded ?d - door)
    (fits ?k - key ?d - door)
    (quiet ?r - room)
  )
  (:action walk
    :parameters (?d - door ?from ?to - room)
    :precondition (and (robot-in ?from) (joins ?d ?from ?to) (opened ?d))
    :effect (and
      (not (robot-in ?from))
      (robot-in ?to)
      (forall (?i - item) (when (carried ?i) (and (not (in ?i ?from)) (in ?i ?to))))
    )
  )
  (:action unlock
    :parameters (?d - door ?r - room)
    :precondition (and
      (robot-in ?r)
      (exists (?other - room) (joins ?d ?r ?other))
      (locked ?d)
      (exists (?k - key) (and (carried ?k) (fits ?k ?d)))
    )
    :effect (not (locked ?d))
  )
  (:action lock
    :parameters (?d - door ?r - room)
    :precondition (and
      (robot-in ?r)
      (exists (?other - room) (joins ?d ?r ?other))
      (not (opened ?d))
      (not (locked ?d))
      (exists (?k - key) (and (carried ?k) (fits ?k ?d)))
    )
    :effect (locked ?d)
  )
  (:action open-door
    :parameters (?d - door ?r - room)
    :precondition (and
      (robot-in ?r)
      (exists (?other - room) (joins ?d ?r ?other))
      (not (opened ?d))
      (not (locked ?d))
      (or (not (stiff ?d)) (not (exists (?i - item) (carried ?i))))
    )
    :effect (opened ?d)
  )
  (:action close-door
    :parameters (?d - door ?r - room)
    :precondition (and (robot-in ?r) (exists (?other - room) (joins ?d ?r ?other)) (opened ?d))
    :effect (not (opened ?d))
  )
  (:action pick
    :parameters (?i - item ?r - room)
    :precondition (and
      (robot-in ?r)
      (in ?i ?r)
      (not (carried ?i))
      (or
        (forall (?j - item) (not (carried ?j)))
        (and (small ?i) (not (exists (?j - item) (and (carried ?j) (not (small ?j))))))
      )
    )
    :effect (carried ?i)
  )
  (:action drop
    :parameters (?i - item)
    :precondition (carried ?i)
    :effect (not (carried ?i))
  )
)
"""


def rooms(size: int, random: Random) -> Written:
    """Write a problem of things to be brought to rooms, behind doors that are locked.

    It is solvable: the rooms form a tree of doors with further doors between them, and the key of each door of the tree
    lies in a room that is reached before that door. The robot drops what it carries where that is in the way, so all
    doors of the tree are opened and each thing is brought to its room. At the end the robot takes all keys at once,
    which are small, and locks the guarded doors, those farthest in the tree first.
    """
    places = names("room", grown(4, 22, size))
    links = linked(places, grown(1, 10, size), random)
    count = len(places) - 1 + grown(1, 10, size)
    doors = names("door", count)
    # A link that exists twice was left out: the door that is over joins the first two rooms once more.
    links += [links[0]] * (count - len(links))
    keys = names("key", grown(2, 10, size))
    books, chairs = names("book", grown(4, 26, size)), names("chair", grown(2, 10, size))
    crates = names("crate", grown(2, 7, size))
    locked = sorted(random.sample(range(count), len(keys)))
    facts = [f"(robot-in {places[0]})"]
    for number, (door, (a, b)) in enumerate(zip(doors, links, strict=True)):
        facts.append(f"(joins {door} {a} {b}) (joins {door} {b} {a})")
        facts += [f"(stiff {door})"] if random.random() < 0.3 else []
        facts += [f"(opened {door})"] if number not in locked and random.random() < 0.4 else []
    for key, number in zip(keys, locked, strict=True):
        # The door with this number leads to the room after it, and all rooms up to there are reached before.
        before = places[: min(number, len(places) - 1) + 1]
        facts.append(f"(fits {key} {doors[number]}) (locked {doors[number]}) (in {key} {random.choice(before)})")
    guarded = random.sample(locked, (len(locked) + 1) // 2)
    facts += [f"(guarded {doors[number]})" for number in sorted(guarded)]
    shelf, quiet = random.choice(places), random.sample(places, max(1, len(places) // 4))
    facts += [f"(quiet {room})" for room in quiet]
    homes = {one: random.choice(places) for one in (*books, *chairs, *crates)}
    homes[books[0]] = random.choice([room for room in places if room != shelf])
    facts += [f"(small {one})" for one in (*keys, *books)]
    facts += [f"(in {one} {room})" for one, room in homes.items()]
    goal = [f"(forall (?b - book) (in ?b {shelf}))"]
    goal += [f"(in {crate} {random.choice(places)})" for crate in crates]
    goal.append("(exists (?r - room) (and (quiet ?r) (forall (?c - chair) (in ?c ?r))))")
    goal.append("(forall (?d - door) (or (not (guarded ?d)) (locked ?d)))")
    objects = {"room": places, "door": doors, "key": keys, "book": books, "chair": chairs, "crate": crates}
    return written(ROOMS, "rooms", objects, facts, goal)
