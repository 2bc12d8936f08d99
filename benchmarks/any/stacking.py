"""Problems in which things are put on each other: depots, hanoi, and blocks with a derived predicate."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from benchmarks.any.writing import Written, apart, grown, names, points, written

__all__ = ["above", "depots", "hanoi"]

DEPOTS = """\
(define (domain depots)
  (:requirements :strips :typing :equality :negative-preconditions :action-costs)
  (:types
    place locatable - object
    depot market - place
    truck hoist surface - locatable
    pallet crate - surface
  )
  (:predicates
    (at ?x - locatable ?p - place)
    (on ?c - crate ?s - surface)
    (aboard ?c - crate ?t - truck)
    (lifting ?h - hoist ?c - crate)
    (idle ?h - hoist)
    (clear ?s - surface)
  )
  (:functions
    (total-cost) - number
    (distance ?from ?to - place) - number
  )
  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (at ?t ?from) (not (= ?from ?to)))
    :effect (and (not (at ?t ?from)) (at ?t ?to) (increase (total-cost) (distance ?from ?to)))
  )
  (:action lift
    :parameters (?h - hoist ?c - crate ?s - surface ?p - place)
    :precondition (and (at ?h ?p) (idle ?h) (at ?c ?p) (on ?c ?s) (clear ?c))
    :effect (and
      (not (at ?c ?p))
      (not (on ?c ?s))
      (not (clear ?c))
      (not (idle ?h))
      (lifting ?h ?c)
      (clear ?s)
      (increase (total-cost) 3)
    )
  )
  (:action lower
    :parameters (?h - hoist ?c - crate ?s - surface ?p - place)
    :precondition (and (at ?h ?p) (lifting ?h ?c) (at ?s ?p) (clear ?s))
    :effect (and
      (not (lifting ?h ?c))
      (not (clear ?s))
      (idle ?h)
      (at ?c ?p)
      (on ?c ?s)
      (clear ?c)
      (increase (total-cost) 3)
    )
  )
  (:action stow
    :parameters (?h - hoist ?c - crate ?t - truck ?p - place)
    :precondition (and (at ?h ?p) (lifting ?h ?c) (at ?t ?p))
    :effect (and (not (lifting ?h ?c)) (idle ?h) (aboard ?c ?t) (increase (total-cost) 2))
  )
  (:action fetch
    :parameters (?h - hoist ?c - crate ?t - truck ?p - place)
    :precondition (and (at ?h ?p) (idle ?h) (at ?t ?p) (aboard ?c ?t))
    :effect (and (not (aboard ?c ?t)) (not (idle ?h)) (lifting ?h ?c) (increase (total-cost) 2))
  )
)
"""

HANOI = """\
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types
    disc peg - support
  )
  (:predicates
    (on ?d - disc ?s - support)
    (clear ?s - support)
    (smaller ?d - disc ?s - support)
  )
  (:action shift
    :parameters (?d - disc ?from ?to - support)
    :precondition (and (smaller ?d ?to) (on ?d ?from) (clear ?d) (clear ?to))
    :effect (and (not (on ?d ?from)) (not (clear ?to)) (on ?d ?to) (clear ?from))
  )
)
"""

ABOVE = """\
(define (domain above)
  (:requirements :adl :derived-predicates)
  (:types
    block table - object
    fragile - block
  )
  (:predicates
    (on ?b ?c - block)
    (on-table ?b - block)
    (clear ?x - (either block table))
    (holding ?b - block)
    (hand-empty)
    (above ?b ?c - block)
  )
  (:derived (above ?b ?c - block)
    (or
      (on ?b ?c)
      (exists (?d - block) (and (on ?b ?d) (above ?d ?c)))
    )
  )
  (:action pick-up
    :parameters (?b - block)
    :precondition (and (on-table ?b) (clear ?b) (hand-empty))
    :effect (and (not (on-table ?b)) (not (clear ?b)) (not (hand-empty)) (holding ?b))
  )
  (:action put-down
    :parameters (?b - block ?t - table)
    :precondition (and (holding ?b) (clear ?t))
    :effect (and (not (holding ?b)) (on-table ?b) (clear ?b) (hand-empty))
  )
  (:action unstack
    :parameters (?b ?c - block)
    :precondition (and (on ?b ?c) (clear ?b) (hand-empty))
    :effect (and (not (on ?b ?c)) (not (clear ?b)) (not (hand-empty)) (holding ?b) (clear ?c))
  )
  (:action stack
    :parameters (?b ?c - block)
    :precondition (and
      (holding ?b)
      (clear ?c)
      (not (exists (?f - fragile) (or (= ?f ?c) (above ?c ?f))))
    )
    :effect (and (not (holding ?b)) (not (clear ?c)) (on ?b ?c) (clear ?b) (hand-empty))
  )
)
"""


def depots(size: int, random: Random) -> Written:
    """Write a problem of crates that hoists stack on pallets and trucks bring to other places.

    It is solvable: each place has a hoist and pallets, and a truck goes everywhere and holds any number of crates.
    So all crates go aboard, highest first, and then to the piles of the goal, lowest first. The goal says what lies
    on what in piles that differ from those of the start.
    """
    depots = names("depot", grown(1, 4, size))
    markets = names("market", grown(2, 7, size))
    places = [*depots, *markets]
    trucks = names("truck", grown(1, 4, size))
    crates = names("crate", grown(4, 28, size))
    hoists = [f"hoist-{place}" for place in places]
    pallets = {f"pallet-{place}-{number}": place for place in places for number in range(2)}
    facts = [f"(at {hoist} {place}) (idle {hoist})" for hoist, place in zip(hoists, places, strict=True)]
    facts += [f"(at {truck} {random.choice(places)})" for truck in trucks]
    facts += [f"(at {pallet} {place})" for pallet, place in pallets.items()]
    start, end = _piles(crates, list(pallets), random), _piles(crates, list(pallets), random)
    while all(end[crate] == start[crate] for crate in crates):
        end = _piles(crates, list(pallets), random)
    for crate in crates:
        below = start[crate]
        while below in start:
            below = start[below]
        facts.append(f"(at {crate} {pallets[below]}) (on {crate} {start[crate]})")
    facts += [f"(clear {one})" for one in (*pallets, *crates) if one not in start.values()]
    spots = points(places, random, 50)
    facts += [f"(= (distance {a} {b}) {apart(spots[a], spots[b])})" for a in places for b in places if a != b]
    objects = {
        "depot": depots,
        "market": markets,
        "truck": trucks,
        "hoist": hoists,
        "pallet": list(pallets),
        "crate": crates,
    }
    goal = [f"(on {crate} {end[crate]})" for crate in crates]
    return written(DEPOTS, "depots", objects, facts, goal, costs=True)


def _piles(things: list[str], grounds: list[str], random: Random) -> dict[str, str]:
    """Return for each thing what it lies on, in random piles: each lies on a ground or on a thing placed before."""
    tops = {ground: ground for ground in grounds}
    below = {}
    for thing in random.sample(things, len(things)):
        ground = random.choice(grounds)
        below[thing] = tops[ground]
        tops[ground] = thing
    return below


def hanoi(size: int, random: Random) -> Written:
    """Write a problem of a tower on three pegs that is moved by one disc at a time.

    It is solvable: on three pegs every legal arrangement of discs reaches every other. The largest disc starts on the
    first peg and ends on the last, the others lie in any legal arrangement at the start; at the end the tower is whole.
    """
    pegs = names("peg", 3)
    discs = names("disc", 3 + size * 11 // 19)
    heaps: dict[str, list[str]] = {peg: [peg] for peg in pegs}
    facts = [f"(smaller {disc} {peg})" for disc in discs for peg in pegs]
    facts += [f"(smaller {small} {large})" for index, large in enumerate(discs) for small in discs[index + 1 :]]
    for disc in discs:  # the largest first
        heap = heaps[pegs[0]] if disc == discs[0] else heaps[random.choice(pegs)]
        facts.append(f"(on {disc} {heap[-1]})")
        heap.append(disc)
    facts += [f"(clear {heap[-1]})" for heap in heaps.values()]
    goal = [f"(on {above} {below})" for below, above in zip([pegs[-1], *discs], discs, strict=False)]
    return written(HANOI, "hanoi", {"peg": pegs, "disc": discs}, facts, goal)


def above(size: int, random: Random) -> Written:
    """Write a problem of blocks whose goal tells what is above what, however many blocks lie between.

    No block may be stacked on a tower that has a fragile block in it. It is solvable: every block can be put on the
    table, which is always clear, and the towers that the goal is read from have fragile blocks at their tops only. The
    first condition of the goal does not hold at the start: its lower block is a tower's top there.
    """
    count = grown(6, 22, size)
    blocks = names("block", count)
    fragile = blocks[: max(1, count // 8)]
    plain = blocks[len(fragile) :]
    start = _towers(random.sample(blocks, count), random)
    while all(tower[-1] in fragile for tower in start):
        start = _towers(random.sample(blocks, count), random)
    base = random.choice([tower[-1] for tower in start if tower[-1] in plain])
    end = _towers([block for block in random.sample(plain, len(plain)) if block != base], random)
    end[0].insert(0, base)
    end += [[] for _ in fragile[len(end) :]]
    for tower, block in zip(end, fragile, strict=False):
        tower.append(block)
    facts = ["(hand-empty)", "(clear table0)"]
    for tower in start:
        facts.append(f"(on-table {tower[0]})")
        facts += [f"(on {high} {low})" for low, high in pairwise(tower)]
        facts.append(f"(clear {tower[-1]})")
    goal = [f"(above {end[0][1]} {base})"]
    for index, tower in enumerate(end):
        goal.append(f"(on-table {tower[0]})")
        if len(tower) > 1:
            lower, higher = sorted(random.sample(range(len(tower)), 2))
            goal += [f"(above {tower[higher]} {tower[lower]})", f"(above {tower[-1]} {tower[0]})"]
        if len(end) > 1:
            goal.append(f"(not (above {random.choice(tower)} {random.choice(end[index - 1])}))")
    return written(
        ABOVE, "above", {"table": ["table0"], "block": plain, "fragile": fragile}, facts, list(dict.fromkeys(goal))
    )


def _towers(blocks: list[str], random: Random) -> list[list[str]]:
    """Cut a row of blocks into towers of two to six, lowest block first."""
    towers = []
    while blocks:
        height = random.randint(2, 6)
        towers.append(blocks[:height])
        blocks = blocks[height:]
    return towers
