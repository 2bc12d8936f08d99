"""A small domain and scene as text, for tests that break them in one place."""

from pathlib import Path

DOMAIN = """\
name: toy
affordances:
  carry: it can be lifted
  support: things stand on it
  location: a robot can be there
  actor: it acts
  open: it opens
kinds:
  fruit: [piece of fruit]
  dishes: []
classes:
  apple:
    affordances: [carry]
    kinds: [fruit]
    words: [pippin]
    shape: {form: sphere, size: [0.06, 0.06, 0.06], mass: 0.1, colour: [1, 0, 0]}
  tray: {affordances: [carry, support], shape: {form: open-box, size: [0.3, 0.2, 0.04]}}
  table: {affordances: [support, location], model: table}
  chest: {affordances: [support, location, open], model: chest}
  floor: {affordances: [location]}
  robot: {affordances: [actor]}
  human: {affordances: [actor, location], words: [person]}
predicates:
  on: {parameters: [carry, support], say: "{0} is on {1}", sensed: on}
  at: {parameters: [actor, location], say: "{0} is at {1}"}
  inhand: {parameters: [carry, actor], say: "{0} is held by {1}"}
  free: {parameters: [object], say: "{0} has room", bookkeeping: true}
capabilities:
  move:
    parameters: {a: actor, start: location, end: location}
    distinct: [[start, end]]
    precondition: (at ?a ?start)
    effect: (and (at ?a ?end) (not (at ?a ?start)))
    primitive: drive
    roles: {to: end}
  grasp:
    parameters: {a: actor, o: carry, from: support, at: location}
    precondition: |
      (and (at ?a ?at) (on ?o ?from)
           (free ?o))
    effect:
      - (inhand ?o ?a)
      - (not (on ?o ?from))
    primitive: pick
    roles: {object: o, source: from, at: at}
agents:
  robot: {capabilities: all}
  human: {capabilities: [], cost: 100}
phrases:
  - {pattern: "put|place {thing} on [top of] {place}", goal: "(on {thing} {place})"}
  - {pattern: "bring me {thing}", goal: "(inhand {thing} {speaker})"}
rules:
  one-place:
    when: holds(on, [X, Y]), holds(on, [X, Z]), Y @< Z, Culprits = [X, Y, Z]
    say: "{0} cannot be on {1} and on {2}"
    hint: Keep one.
"""

SCENE = """\
domain: toy
speaker: human0
things:
  robot0: {class: robot, pose: [0, 0, 1.57], at: floor0}
  human0: {class: human, pose: [-1, -1, 0], at: table0}
  floor0: {class: floor}
  table0: {class: table, pose: [1, 0, 3.14], size: [1.2, 0.6, 0.7]}
  chest0: {class: chest, pose: [0, 2, -1.57], size: [0.8, 0.5, 0.5], opened: true}
  tray0: {class: tray, on: table0, offset: [0.2, 0.1], yaw: 0.3}
  apple0: {class: apple, on: tray0}
beliefs:
  (on apple0 tray0): last seen there
"""


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def changed(text: str, old: str, new: str) -> str:
    """Replace the only occurrence of `old`."""
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return text.replace(old, new)
