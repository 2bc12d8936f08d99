"""Problems in which vehicles or robots carry things: logistics, gripper and ferry."""

from __future__ import annotations

from random import Random

from benchmarks.any.writing import Written, apart, grown, names, points, written

__all__ = ["ferry", "gripper", "logistics"]

LOGISTICS = """\
(define (domain logistics)
  (:requirements :strips :typing :equality :negative-preconditions :action-costs)
  (:types
    city place thing - object
    airport - place
    package vehicle - thing
    truck aeroplane - vehicle
  )
  (:predicates
    (at ?t - thing ?p - place)
    (loaded ?p - package ?v - vehicle)
    (part-of ?p - place ?c - city)
  )
  (:functions
    (total-cost) - number
    (road ?from ?to - place) - number
    (air-route ?from ?to - airport) - number
  )
  (:action load
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (at ?p ?l) (at ?v ?l))
    :effect (and (not (at ?p ?l)) (loaded ?p ?v) (increase (total-cost) 1))
  )
  (:action unload
    :parameters (?p - package ?v - vehicle ?l - place)
    :precondition (and (loaded ?p ?v) (at ?v ?l))
    :effect (and (not (loaded ?p ?v)) (at ?p ?l) (increase (total-cost) 1))
  )
  (:action drive
    :parameters (?v - truck ?from ?to - place ?c - city)
    :precondition (and (at ?v ?from) (part-of ?from ?c) (part-of ?to ?c) (not (= ?from ?to)))
    :effect (and (not (at ?v ?from)) (at ?v ?to) (increase (total-cost) (road ?from ?to)))
  )
  (:action fly
    :parameters (?v - aeroplane ?from ?to - airport)
    :precondition (and (at ?v ?from) (not (= ?from ?to)))
    :effect (and (not (at ?v ?from)) (at ?v ?to) (increase (total-cost) (air-route ?from ?to)))
  )
)
"""

GRIPPER = """\
(define (domain gripper)
  (:requirements :strips)
  (:predicates
    (room ?r)
    (ball ?b)
    (gripper ?g)
    (robot-in ?r)
    (lies-in ?b ?r)
    (free ?g)
    (holds ?g ?b)
  )
  (:action move
    :parameters (?from ?to)
    :precondition (and (room ?from) (room ?to) (robot-in ?from))
    :effect (and (not (robot-in ?from)) (robot-in ?to))
  )
  (:action grasp
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (lies-in ?b ?r) (robot-in ?r) (free ?g))
    :effect (and (not (lies-in ?b ?r)) (not (free ?g)) (holds ?g ?b))
  )
  (:action release
    :parameters (?b ?r ?g)
    :precondition (and (ball ?b) (room ?r) (gripper ?g) (holds ?g ?b) (robot-in ?r))
    :effect (and (not (holds ?g ?b)) (free ?g) (lies-in ?b ?r))
  )
)
"""

FERRY = """\
(define (domain ferry)
  (:requirements :strips :typing :equality :negative-preconditions :action-costs)
  (:types
    car harbour - object
  )
  (:predicates
    (parked ?c - car ?h - harbour)
    (on-board ?c - car)
    (moored ?h - harbour)
    (taken)
  )
  (:functions
    (total-cost) - number
    (crossing ?from ?to - harbour) - number
  )
  (:action sail
    :parameters (?from ?to - harbour)
    :precondition (and (moored ?from) (not (= ?from ?to)))
    :effect (and (not (moored ?from)) (moored ?to) (increase (total-cost) (crossing ?from ?to)))
  )
  (:action embark
    :parameters (?c - car ?h - harbour)
    :precondition (and (parked ?c ?h) (moored ?h) (not (taken)))
    :effect (and (not (parked ?c ?h)) (on-board ?c) (taken) (increase (total-cost) 2))
  )
  (:action debark
    :parameters (?c - car ?h - harbour)
    :precondition (and (on-board ?c) (moored ?h))
    :effect (and (not (on-board ?c)) (not (taken)) (parked ?c ?h) (increase (total-cost) 2))
  )
)
"""


def logistics(size: int, random: Random) -> Written:
    """Write a problem of packages, trucks within cities and aeroplanes between them.

    It is solvable: each city has a truck and an airport, a truck reaches every place of its city, an aeroplane reaches
    every airport, and vehicles hold any number of packages. Each package starts away from its destination.
    """
    cities = names("city", grown(4, 30, size))
    planes = names("plane", grown(1, 5, size))
    packages = names("package", grown(10, 110, size))
    inner = {city: [f"{city}-p{number}" for number in range(grown(2, 4, size))] for city in cities}
    airports = {city: f"{city}-airport" for city in cities}
    trucks = {city: f"{city}-truck" for city in cities}
    places = [place for city in cities for place in (airports[city], *inner[city])]
    facts = [f"(part-of {place} {city})" for city in cities for place in (airports[city], *inner[city])]
    facts += [f"(at {trucks[city]} {random.choice([airports[city], *inner[city]])})" for city in cities]
    facts += [f"(at {plane} {random.choice(list(airports.values()))})" for plane in planes]
    goal = []
    for package in packages:
        start, end = random.sample(places, 2)
        facts.append(f"(at {package} {start})")
        goal.append(f"(at {package} {end})")
    for city in cities:
        spots = points([airports[city], *inner[city]], random, 20)
        facts += [f"(= (road {a} {b}) {apart(spots[a], spots[b])})" for a in spots for b in spots if a != b]
    spots = points(airports.values(), random, 300)
    facts += [f"(= (air-route {a} {b}) {40 + apart(spots[a], spots[b])})" for a in spots for b in spots if a != b]
    objects = {
        "city": cities,
        "airport": list(airports.values()),
        "place": [place for city in cities for place in inner[city]],
        "truck": list(trucks.values()),
        "aeroplane": planes,
        "package": packages,
    }
    return written(LOGISTICS, "logistics", objects, facts, goal, costs=True)


def gripper(size: int, random: Random) -> Written:
    """Write a problem of a robot with two grippers that carries balls between rooms, without types.

    It is solvable: the robot goes from every room to every other, and brings one ball after the other. Each ball
    starts away from its room.
    """
    rooms = names("room", grown(2, 12, size))
    balls = names("ball", grown(16, 430, size))
    grippers = ["left", "right"]
    facts = [f"(room {room})" for room in rooms]
    facts += [f"(ball {ball})" for ball in balls]
    facts += [f"(gripper {gripper}) (free {gripper})" for gripper in grippers]
    facts.append(f"(robot-in {random.choice(rooms)})")
    goal = []
    for ball in balls:
        start, end = random.sample(rooms, 2)
        facts.append(f"(lies-in {ball} {start})")
        goal.append(f"(lies-in {ball} {end})")
    return written(GRIPPER, "gripper", {"": [*rooms, *balls, *grippers]}, facts, goal)


def ferry(size: int, random: Random) -> Written:
    """Write a problem of a ferry that takes one car at a time across the water.

    It is solvable: the ferry sails from every harbour to every other, and brings one car after the other. Each car
    starts away from its harbour.
    """
    harbours = names("harbour", grown(6, 56, size))
    cars = names("car", grown(12, 180, size))
    spots = points(harbours, random, 60)
    facts = [f"(moored {random.choice(harbours)})"]
    goal = []
    for car in cars:
        start, end = random.sample(harbours, 2)
        facts.append(f"(parked {car} {start})")
        goal.append(f"(parked {car} {end})")
    facts += [f"(= (crossing {a} {b}) {3 + apart(spots[a], spots[b])})" for a in harbours for b in harbours if a != b]
    return written(FERRY, "ferry", {"harbour": harbours, "car": cars}, facts, goal, costs=True)
