"""Small worlds on disk whose cases can be written by a test."""

from pathlib import Path

DOMAIN = """
name: cupboard
affordances: {carry: it can be carried, support: things stand on it, location: one can be there, actor: it acts}
classes:
  robot: {affordances: [actor]}
  human: {affordances: [actor, location]}
  floor: {affordances: [support, location]}
  table: {affordances: [support, location], model: table}
  cup: {affordances: [carry], shape: {form: box, size: [0.05, 0.05, 0.05]}}
predicates:
  on: {parameters: [carry, support], say: "{0} is on {1}", sensed: on}
  at: {parameters: [actor, location], say: "{0} is at {1}", sensed: at}
  inhand: {parameters: [carry, actor], say: "{1} holds {0}", sensed: inhand}
  hand_occupied: {parameters: [actor], say: "{0} holds something", bookkeeping: true}
capabilities:
  move:
    parameters: {a: actor, start: location, end: location}
    distinct: [[start, end]]
    precondition: (at ?a ?start)
    effect: (and (at ?a ?end) (not (at ?a ?start)))
  grasp:
    parameters: {a: actor, o: carry, from: [support, location]}
    precondition: (and (at ?a ?from) (on ?o ?from) (not (hand_occupied ?a)))
    effect: (and (inhand ?o ?a) (hand_occupied ?a) (not (on ?o ?from)))
  place:
    parameters: {a: actor, o: carry, to: [support, location]}
    precondition: (and (at ?a ?to) (inhand ?o ?a))
    effect: (and (on ?o ?to) (not (inhand ?o ?a)) (not (hand_occupied ?a)))
agents:
  robot: {capabilities: all}
phrases:
  - {pattern: "put {thing} on {place}", goal: "(on {thing} {place})"}
rules:
  one-place:
    when: holds(on, [X, Y]), holds(on, [X, Z]), Y @< Z, Culprits = [X, Y, Z]
    say: "{0} cannot be on {1} and on {2} at once"
"""
SCENE = """
domain: cupboard
things:
  floor0: {class: floor}
  table0: {class: table, pose: [1.0, 0.0, 0.0], size: [1.0, 0.6, 0.7]}
  robot0: {class: robot, pose: [0.0, 0.0, 0.0], at: floor0}
  cup0: {class: cup, on: table0}
  cup1: {class: cup, on: table0, offset: [0.2, 0.0]}
"""


def make_world(folder: Path, cases: str, file: str = "first.yaml") -> Path:
    """Write the world with one file of cases, and return that file."""
    for name in ("scenes", "cases"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "domain.yaml").write_text(DOMAIN, encoding="utf-8")
    (folder / "scenes" / "room.yaml").write_text(SCENE, encoding="utf-8")
    (folder / "cases" / file).write_text(cases, encoding="utf-8")
    return folder / "cases" / file
