"""Problems in which machines look at things from afar: rovers and satellites."""

from __future__ import annotations

from random import Random

from benchmarks.any.writing import Written, apart, grown, linked, names, points, written

__all__ = ["rovers", "satellites"]

ROVERS = """\
(define (domain rovers)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    rover waypoint store camera mode objective material - object
  )
  (:constants
    base - waypoint
    soil rock ice - material
  )
  (:predicates
    (stands ?r - rover ?w - waypoint)
    (passable ?r - rover ?from ?to - waypoint)
    (in-sight ?from ?to - waypoint)
    (shows ?w - waypoint ?o - objective)
    (deposit ?m - material ?w - waypoint)
    (equipped ?r - rover ?m - material)
    (analysed ?r - rover ?m - material ?w - waypoint)
    (reported ?m - material ?w - waypoint)
    (store-of ?s - store ?r - rover)
    (full ?s - store)
    (mounted ?c - camera ?r - rover)
    (supports ?c - camera ?m - mode)
    (target ?c - camera ?o - objective)
    (ready ?c - camera)
    (taken ?r - rover ?o - objective ?m - mode)
    (transmitted ?o - objective ?m - mode)
  )
  (:action drive
    :parameters (?r - rover ?from ?to - waypoint)
    :precondition (and (stands ?r ?from) (passable ?r ?from ?to) (in-sight ?from ?to))
    :effect (and (not (stands ?r ?from)) (stands ?r ?to))
  )
  (:action analyse
    :parameters (?r - rover ?s - store ?m - material ?w - waypoint)
    :precondition (and
      (stands ?r ?w)
      (deposit ?m ?w)
      (equipped ?r ?m)
      (store-of ?s ?r)
      (not (full ?s))
    )
    :effect (and (full ?s) (analysed ?r ?m ?w) (not (deposit ?m ?w)))
  )
  (:action empty-out
    :parameters (?r - rover ?s - store)
    :precondition (and (store-of ?s ?r) (full ?s))
    :effect (not (full ?s))
  )
  (:action calibrate
    :parameters (?r - rover ?c - camera ?o - objective ?w - waypoint)
    :precondition (and (stands ?r ?w) (mounted ?c ?r) (target ?c ?o) (shows ?w ?o) (not (ready ?c)))
    :effect (ready ?c)
  )
  (:action photograph
    :parameters (?r - rover ?c - camera ?m - mode ?o - objective ?w - waypoint)
    :precondition (and (stands ?r ?w) (mounted ?c ?r) (supports ?c ?m) (ready ?c) (shows ?w ?o))
    :effect (and (taken ?r ?o ?m) (not (ready ?c)))
  )
  (:action report
    :parameters (?r - rover ?m - material ?of ?w - waypoint)
    :precondition (and (stands ?r ?w) (analysed ?r ?m ?of) (in-sight ?w base))
    :effect (reported ?m ?of)
  )
  (:action transmit
    :parameters (?r - rover ?o - objective ?m - mode ?w - waypoint)
    :precondition (and (stands ?r ?w) (taken ?r ?o ?m) (in-sight ?w base))
    :effect (transmitted ?o ?m)
  )
)
"""

SATELLITES = """\
(define (domain satellites)
  (:requirements :strips :typing :equality :negative-preconditions :action-costs)
  (:types
    satellite instrument spectrum heading - object
  )
  (:predicates
    (carries ?s - satellite ?i - instrument)
    (sees ?i - instrument ?m - spectrum)
    (aimed ?s - satellite ?d - heading)
    (busy ?s - satellite)
    (switched-on ?i - instrument)
    (calibrated ?i - instrument)
    (reference ?i - instrument ?d - heading)
    (pictured ?d - heading ?m - spectrum)
  )
  (:functions
    (total-cost) - number
    (slew ?from ?to - heading) - number
  )
  (:action turn
    :parameters (?s - satellite ?from ?to - heading)
    :precondition (and (aimed ?s ?from) (not (= ?from ?to)))
    :effect (and (not (aimed ?s ?from)) (aimed ?s ?to) (increase (total-cost) (slew ?from ?to)))
  )
  (:action switch-on
    :parameters (?s - satellite ?i - instrument)
    :precondition (and (carries ?s ?i) (not (busy ?s)))
    :effect (and (busy ?s) (switched-on ?i) (not (calibrated ?i)) (increase (total-cost) 2))
  )
  (:action switch-off
    :parameters (?s - satellite ?i - instrument)
    :precondition (and (carries ?s ?i) (switched-on ?i))
    :effect (and (not (busy ?s)) (not (switched-on ?i)) (increase (total-cost) 1))
  )
  (:action calibrate
    :parameters (?s - satellite ?i - instrument ?d - heading)
    :precondition (and (carries ?s ?i) (switched-on ?i) (reference ?i ?d) (aimed ?s ?d))
    :effect (and (calibrated ?i) (increase (total-cost) 5))
  )
  (:action take-picture
    :parameters (?s - satellite ?i - instrument ?d - heading ?m - spectrum)
    :precondition (and (carries ?s ?i) (switched-on ?i) (calibrated ?i) (sees ?i ?m) (aimed ?s ?d))
    :effect (and (pictured ?d ?m) (increase (total-cost) 3))
  )
)
"""


def rovers(size: int, random: Random) -> Written:
    """Write a problem of rovers that analyse samples and take pictures, and tell the base of them.

    It is solvable: every rover passes a tree of roads that joins all waypoints, the base included. For each material
    some rover is equipped, for each mode some rover has a camera, and each objective shows from some waypoint. What a
    rover does takes nothing from what is left to do: a deposit is the matter of one goal, and a rover that took a
    sample or a picture reports it from the base.
    """
    vehicles = names("rover", grown(2, 12, size))
    waypoints = ["base", *names("waypoint", grown(8, 85, size))]
    modes = ["colour", "high-res", "low-res"]
    objectives = names("objective", grown(4, 38, size))
    cameras = names("camera", len(vehicles) + grown(1, 8, size))
    stores = [f"{rover}-store" for rover in vehicles]
    roads = linked(waypoints, 2 * len(waypoints), random)
    facts = [f"(in-sight {a} {b}) (in-sight {b} {a})" for a, b in roads] + ["(in-sight base base)"]
    for rover, store in zip(vehicles, stores, strict=True):
        facts.append(f"(stands {rover} {random.choice(waypoints)}) (store-of {store} {rover})")
        own = [road for index, road in enumerate(roads) if index < len(waypoints) - 1 or random.random() < 0.6]
        facts += [f"(passable {rover} {a} {b}) (passable {rover} {b} {a})" for a, b in own]
    materials = ["soil", "rock", "ice"]
    able = {(random.choice(vehicles), material) for material in materials}
    able |= {(rover, random.choice(materials)) for rover in vehicles}
    facts += [f"(equipped {rover} {material})" for rover, material in sorted(able)]
    for index, camera in enumerate(cameras):
        facts.append(f"(mounted {camera} {vehicles[index % len(vehicles)]})")
        facts.append(f"(target {camera} {random.choice(objectives)})")
    supports = {(random.choice(cameras), mode) for mode in modes} | {(one, random.choice(modes)) for one in cameras}
    facts += [f"(supports {camera} {mode})" for camera, mode in sorted(supports)]
    for objective in objectives:
        seen_from = random.sample(waypoints, random.randint(1, min(4, len(waypoints))))
        facts += [f"(shows {waypoint} {objective})" for waypoint in seen_from]
    spots = [(material, waypoint) for material in materials for waypoint in waypoints[1:]]
    deposits = random.sample(spots, len(spots) // 2)
    facts += [f"(deposit {material} {waypoint})" for material, waypoint in deposits]
    shots = random.sample([(one, mode) for one in objectives for mode in modes], grown(4, 55, size))
    goal = [f"(reported {m} {w})" for m, w in random.sample(deposits, grown(4, 60, size))]
    goal += [f"(transmitted {objective} {mode})" for objective, mode in shots]
    objects = {
        "rover": vehicles,
        "waypoint": waypoints[1:],
        "store": stores,
        "camera": cameras,
        "mode": modes,
        "objective": objectives,
    }
    return written(ROVERS, "rovers", objects, facts, goal)


def satellites(size: int, random: Random) -> Written:
    """Write a problem of satellites that turn to headings and take pictures of them.

    It is solvable: each kind of picture is seen by an instrument, each instrument has a heading to calibrate on, a
    satellite turns from every heading to every other, and an instrument that is in the way is switched off. Where
    satellites have to be aimed in the end, they turn last.
    """
    fleet = names("satellite", grown(2, 11, size))
    spectra = names("spectrum", grown(2, 6, size))
    headings = names("heading", grown(10, 105, size))
    instruments = names("instrument", len(fleet) + grown(1, 20, size))
    facts = []
    for index, instrument in enumerate(instruments):
        facts.append(f"(carries {fleet[index % len(fleet)]} {instrument})")
        facts.append(f"(reference {instrument} {random.choice(headings)})")
    sees = {(random.choice(instruments), spectrum) for spectrum in spectra}
    sees |= {(instrument, random.choice(spectra)) for instrument in instruments}
    facts += [f"(sees {instrument} {spectrum})" for instrument, spectrum in sorted(sees)]
    goal = []
    for satellite in fleet:
        facts.append(f"(aimed {satellite} {random.choice(headings)})")
        if random.random() < 0.4:
            goal.append(f"(aimed {satellite} {random.choice(headings)})")
    shots = random.sample([(one, spectrum) for one in headings for spectrum in spectra], grown(8, 140, size))
    goal += [f"(pictured {heading} {spectrum})" for heading, spectrum in shots]
    spots = points(headings, random, 90)
    facts += [f"(= (slew {a} {b}) {apart(spots[a], spots[b])})" for a in headings for b in headings if a != b]
    objects = {"satellite": fleet, "instrument": instruments, "spectrum": spectra, "heading": headings}
    return written(SATELLITES, "satellites", objects, facts, goal, costs=True)
