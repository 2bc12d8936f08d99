"""Problems of a lift in which all who wait at a level board together, and some may not go everywhere."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from benchmarks.any.writing import Written, grown, names, written

__all__ = ["miconic"]

MICONIC = """\
(define (domain miconic)
  (:requirements :adl)
  (:types
    passenger level - object
    attendant - passenger
  )
  (:predicates
    (higher ?a ?b - level)
    (lift-at ?l - level)
    (waits ?p - passenger ?l - level)
    (wants ?p - passenger ?l - level)
    (barred ?p - passenger ?l - level)
    (accompanied ?p - passenger)
    (hostile ?p ?q - passenger)
    (boarded ?p - passenger)
    (served ?p - passenger)
  )
  (:action go-up
    :parameters (?from ?to - level)
    :precondition (and (lift-at ?from) (higher ?to ?from))
    :effect (and (not (lift-at ?from)) (lift-at ?to))
  )
  (:action go-down
    :parameters (?from ?to - level)
    :precondition (and (lift-at ?from) (higher ?from ?to))
    :effect (and (not (lift-at ?from)) (lift-at ?to))
  )
  (:action halt
    :parameters (?l - level)
    :precondition (and
      (lift-at ?l)
      (forall (?p - passenger) (imply (boarded ?p) (not (barred ?p ?l))))
      (forall (?p - passenger)
        (imply
          (and (boarded ?p) (accompanied ?p))
          (exists (?a - attendant) (boarded ?a))
        )
      )
      (forall (?p ?q - passenger) (not (and (hostile ?p ?q) (boarded ?p) (boarded ?q))))
    )
    :effect (and
      (forall (?p - passenger)
        (when (and (waits ?p ?l) (not (served ?p))) (boarded ?p))
      )
      (forall (?p - passenger)
        (when (and (wants ?p ?l) (boarded ?p)) (and (not (boarded ?p)) (served ?p)))
      )
    )
  )
)
"""


class Ride(NamedTuple):
    """A passenger's way in a tour of the lift.

    Attributes:
        boards: The index of the stop at which the passenger boards.
        leaves: The index of the stop at which the passenger leaves.
    """

    boards: int
    leaves: int

    def stops(self) -> set[int]:
        """Return the stops that the lift makes with the passenger on board before."""
        return set(range(self.boards + 1, self.leaves + 1))


def miconic(size: int, random: Random) -> Written:
    """Write a problem of a lift and its passengers.

    It is solvable, because a tour of the lift is made first, and the passengers for it: each boards at the tour's first
    stop where it waits, and leaves at the next where it wants to be. A level is barred to a passenger only if the tour
    makes no stop there with it on board; it needs an attendant only if one is on board at every stop of its way; two
    are hostile only if they are never on board together.
    """
    levels = names("level", grown(8, 75, size))
    attendants = names("attendant", grown(2, 10, size))
    passengers = [*names("passenger", grown(8, 130, size)), *attendants]
    tour = _tour(levels, random)
    rides = {one: _ride(tour, random) for one in passengers}
    facts = [f"(higher {b} {a})" for index, a in enumerate(levels) for b in levels[index + 1 :]]
    facts.append(f"(lift-at {random.choice(levels)})")
    for one, ride in rides.items():
        facts.append(f"(waits {one} {tour[ride.boards]}) (wants {one} {tour[ride.leaves]})")
    facts += _rules(passengers, levels, tour, rides, random)
    attended = {stop for attendant in attendants for stop in rides[attendant].stops()}
    children = [one for one in passengers if one not in attendants and rides[one].stops() <= attended]
    facts += [f"(accompanied {one})" for one in children if random.random() < 0.2]
    objects = {"level": levels, "passenger": passengers[: -len(attendants)], "attendant": attendants}
    return written(MICONIC, "miconic", objects, facts, ["(forall (?p - passenger) (served ?p))"])


def _tour(levels: list[str], random: Random) -> list[str]:
    """Return stops of which no two neighbours are the same, each level at least once."""
    tour: list[str] = []
    for _ in range(2):
        part = random.sample(levels, len(levels))
        while tour and part[0] == tour[-1]:
            part = random.sample(levels, len(levels))
        tour += part
    return tour


def _ride(tour: list[str], random: Random) -> Ride:
    """Choose a way of one to four stops, as the rules of boarding and leaving make it."""
    boards = tour.index(tour[random.randrange(len(tour) - 1)])
    leaves = min(boards + random.randint(1, 4), len(tour) - 1)
    leaves -= tour[leaves] == tour[boards]
    return Ride(boards, tour.index(tour[leaves], boards))


def _rules(
    passengers: list[str], levels: list[str], tour: list[str], rides: dict[str, Ride], random: Random
) -> list[str]:
    """Return who may not stop where, and who may not ride with whom: a few rules that the tour keeps to."""
    rules = []
    for one in passengers:
        visited = {tour[stop] for stop in rides[one].stops()}
        closed = [level for level in levels if level not in visited]
        if closed and random.random() < 0.4:
            rules += [f"(barred {one} {level})" for level in random.sample(closed, max(1, len(closed) // 12))]
    for _ in range(len(passengers) // 4):
        one, other = random.sample(passengers, 2)
        if not rides[one].stops() & rides[other].stops():
            rules.append(f"(hostile {one} {other})")
    return list(dict.fromkeys(rules))
