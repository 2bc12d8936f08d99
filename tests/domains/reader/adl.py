"""A domain and a scene as text that use every key of the language beyond the plain ones."""

DOMAIN = """\
name: rich
affordances:
  block: it can be stacked
  container: liquids can be put inside it
  level: it is a level of filling
  actor: it acts
classes:
  block: {affordances: [block], abstract: true}
  jug: {affordances: [container], abstract: true}
  level: {affordances: [level], abstract: true}
  robot: {affordances: [actor], abstract: true}
constants:
  level0: {class: level}
  level1: {class: level, affords: [block], lacks: [level]}
predicates:
  on: {parameters: [block, block], say: "{0} is on {1}"}
  clear: {parameters: [block], say: "{0} is clear"}
  has: {parameters: [container, level], say: "{0} is filled to {1}"}
  empty: {parameters: [], say: the hand is empty}
  above:
    parameters: {x: block, y: block}
    say: "{0} is above {1}"
    derived:
      - on: [x, y]
      - exists: {z: block}
        holds: {on: [x, z], above: [z, y]}
  lowest:
    parameters: {x: block}
    say: "{0} is lowest"
    derived: (forall (?y - block) (not (above ?x ?y)))
fluents:
  volume: {parameters: [container], say: "{0} holds {value} l", unit: l, default: 0, planned: false}
  distance: {parameters: [block, block]}
capabilities:
  stack:
    agent: none
    parameters: {o: block, to: block}
    precondition:
      - clear: o
      - not: {"=": [o, to]}
      - empty: []
      - or: [{clear: [to]}, {on: [o, to]}]
      - (not (on ?o ?to))
    effect:
      - on: [o, to]
      - not: {clear: to}
      - forall: {x: block}
        when: {on: [o, x]}
        then: [{clear: x}, {not: {on: [o, x]}}]
    cost: (distance ?o ?to)
  fill:
    parameters: {a: actor, c: container}
    precondition: (and (< (volume ?c) 1) (forall (?l - level) (not (has ?c ?l))))
    effect:
      - increase: {volume: [c]}
        by: {"*": [0.5, {volume: [c]}]}
      - has: [c, level0]
      - when: {has: [c, level0]}
        then: (not (has ?c level0))
    duration: 3.5
    resources: [c]
    say: "{a} fills {c}"
    aliases: [refill, top_up]
    cost: 3
agents:
  robot: {capabilities: [fill]}
rules:
  file: rules.pl
  no-circle:
    when: over(X, X), Culprits = [X]
    say: "{0} cannot be above itself"
repairs:
  clear-first:
    code: obstructed
    capability: stack
    when: {on: [x, to]}
    variables: {x: block, free: block}
    before: ["(stack ?x ?free)"]
    after: [stack: [x, to]]
    say: what is in the way goes elsewhere
"""

PACK = """\
% over(X, Y): by way of any number of others.
over(X, Y) :- path(X, Y, [X]).

path(X, Y, _) :- holds(on, [X, Y]).
path(X, Z, Seen) :-
    holds(on, [X, Y]),
    \\+ memberchk(Y, Seen),
    path(Y, Z, [Y | Seen]).
"""

SCENE = """\
domain: rich
things:
  robot0: {class: robot}
  b: {class: block, count: 2}
  top: {class: block, lacks: [block], affords: [container]}
  jug0: {class: jug}
facts:
  - (on b1 b2)
  - clear: [b1]
  - empty: []
numbers:
  (distance b1 b2): 4
  (distance b2 b1): 4
  (distance b1 b1): 0
  (distance b2 b2): 0
  (distance b1 level1): 2
  (distance b2 level1): 2
  (distance level1 b1): 2
  (distance level1 b2): 2
  (distance level1 level1): 0
  (volume jug0): 0.25
"""
