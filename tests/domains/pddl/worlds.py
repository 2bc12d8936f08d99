"""Small worlds in PDDL, one for each part of the language, with a problem and the cost of its cheapest plan."""

from dataclasses import dataclass
from pathlib import Path

from domains.model import Domain
from domains.pddl import ProblemFile, read_pddl_domain, read_pddl_problem


@dataclass(frozen=True)
class World:
    """A domain and a problem as text, the least cost of a plan, and the profiles that can say it."""

    domain: str
    problem: str
    cost: int
    profiles: tuple[str, ...] = ("adl-costs", "numeric")


LIGHTS = World(
    """(define (domain lights)
  (:requirements :adl)
  (:types lamp switch - thing dimmer - switch)
  (:constants main - switch)
  (:predicates (wired ?s - switch ?l - lamp) (on ?l - lamp) (broken ?l - lamp) (locked))
  (:action press
    :parameters (?s - switch)
    :precondition (and (not (locked)) (or (= ?s main) (exists (?l - lamp) (and (wired ?s ?l) (not (broken ?l))))))
    :effect (and (when (= ?s main) (forall (?l - lamp) (when (not (broken ?l)) (not (on ?l)))))
                 (forall (?l - lamp) (when (and (wired ?s ?l) (not (on ?l)) (not (broken ?l))) (on ?l)))
                 (forall (?l - lamp) (when (and (wired ?s ?l) (on ?l)) (not (on ?l))))))
  (:action repair
    :parameters (?l - lamp)
    :precondition (and (broken ?l) (forall (?other - lamp) (imply (not (= ?other ?l)) (not (on ?other)))))
    :effect (not (broken ?l))))""",
    """(define (problem evening) (:domain lights)
  (:objects a b c - lamp left - switch right - dimmer)
  (:init (wired left a) (wired left b) (wired right c) (wired right b) (broken c) (on a) (on b))
  (:goal (and (on c) (not (on a)) (forall (?l - lamp) (not (broken ?l))))))""",
    3,
)

TOWERS = World(
    """(define (domain towers)
  (:requirements :strips :typing :derived-predicates :negative-preconditions :equality :existential-preconditions)
  (:types block)
  (:predicates (on ?x ?y - block) (floor ?x - block) (above ?x ?y - block) (clear ?x - block))
  (:derived (above ?x ?y - block) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))
  (:derived (clear ?b - block) (not (exists (?z - block) (on ?z ?b))))
  (:action lift :parameters (?x ?from ?to - block)
    :precondition (and (clear ?x) (clear ?to) (on ?x ?from) (not (= ?x ?to)) (not (above ?to ?x)))
    :effect (and (on ?x ?to) (not (on ?x ?from))))
  (:action down :parameters (?x ?from - block)
    :precondition (and (clear ?x) (on ?x ?from)) :effect (and (floor ?x) (not (on ?x ?from))))
  (:action up :parameters (?x ?to - block)
    :precondition (and (floor ?x) (clear ?x) (clear ?to) (not (= ?x ?to)))
    :effect (and (on ?x ?to) (not (floor ?x)))))""",
    """(define (problem turn) (:domain towers)
  (:objects a b c - block)
  (:init (on a b) (on b c) (floor c))
  (:goal (above c a)))""",
    3,
)

ROADS = World(
    """(define (domain roads)
  (:requirements :typing :action-costs :negative-preconditions :equality)
  (:types place car - object)
  (:predicates (at ?c - car ?p - place) (road ?a ?b - place) (washed ?c - car))
  (:functions (total-cost) - number (length ?a ?b - place) - number)
  (:action drive :parameters (?c - car ?a ?b - place)
    :precondition (and (at ?c ?a) (road ?a ?b))
    :effect (and (at ?c ?b) (not (at ?c ?a)) (increase (total-cost) (length ?a ?b))))
  (:action wash :parameters (?c - car)
    :precondition (not (washed ?c)) :effect (and (washed ?c) (increase (total-cost) 7)))
  (:action honk :parameters (?c - car) :precondition () :effect (and)))""",
    """(define (problem trip) (:domain roads)
  (:objects a b c - place red - car)
  (:init (at red a) (road a b) (road b c) (road a c) (= (length a b) 2) (= (length b c) 3) (= (length a c) 9)
         (= (total-cost) 0))
  (:goal (and (at red c) (washed red)))
  (:metric minimize (total-cost)))""",
    12,
)

JUGS = World(
    """(define (domain jugs)
  (:requirements :typing :numeric-fluents :equality)
  (:types jug)
  (:functions (level ?j - jug) (room ?j - jug))
  (:predicates (done))
  (:action fill :parameters (?j - jug) :precondition (< (level ?j) (room ?j)) :effect (assign (level ?j) (room ?j)))
  (:action empty :parameters (?j - jug) :precondition (> (level ?j) 0) :effect (assign (level ?j) 0))
  (:action pour-all :parameters (?a ?b - jug)
    :precondition (and (not (= ?a ?b)) (> (level ?a) 0) (<= (+ (level ?a) (level ?b)) (room ?b)))
    :effect (and (increase (level ?b) (level ?a)) (assign (level ?a) 0)))
  (:action pour-some :parameters (?a ?b - jug)
    :precondition (and (not (= ?a ?b)) (> (+ (level ?a) (level ?b)) (room ?b)) (< (level ?b) (room ?b)))
    :effect (and (decrease (level ?a) (- (room ?b) (level ?b))) (assign (level ?b) (room ?b)))))""",
    """(define (problem four) (:domain jugs)
  (:objects small big - jug)
  (:init (= (level small) 0) (= (level big) 0) (= (room small) 3) (= (room big) 5))
  (:goal (= (level big) 4)))""",
    6,
    ("numeric",),
)

SHELVES = World(
    """(define (domain shelves)
  (:requirements :strips :typing :negative-preconditions)
  (:types spot box piece)
  (:predicates (in ?p - piece ?s - (either spot box)) (full ?s - (either spot box)))
  (:action move :parameters (?p - piece ?from ?to - (either spot box))
    :precondition (and (in ?p ?from) (not (full ?to)))
    :effect (and (in ?p ?to) (full ?to) (not (in ?p ?from)) (not (full ?from)))))""",
    """(define (problem change) (:domain shelves)
  (:objects one two - piece s1 s2 - spot b1 - box)
  (:init (in one s1) (in two b1) (full s1) (full b1))
  (:goal (and (in one b1) (in two s1) (not (full s2)))))""",
    3,
    ("strips", "adl-costs", "numeric"),
)

# Whoever moves from a place to the same place is still there: what is added wins, for its denial too.
STAYING = World(
    """(define (domain staying)
  (:requirements :strips :negative-preconditions)
  (:predicates (at ?x) (seen ?x) (left ?x))
  (:action go :parameters (?x ?y) :precondition (at ?x) :effect (and (at ?y) (not (at ?x)) (seen ?y)))
  (:action leave :parameters (?x) :precondition (and (seen ?x) (not (at ?x))) :effect (left ?x)))""",
    """(define (problem walk) (:domain staying) (:objects here there) (:init (at here)) (:goal (left here)))""",
    3,
    ("strips", "adl-costs", "numeric"),
)

WORLDS = {"lights": LIGHTS, "towers": TOWERS, "roads": ROADS, "jugs": JUGS, "shelves": SHELVES, "staying": STAYING}


def read(domain: str, problem: str, folder: Path) -> tuple[Domain, ProblemFile]:
    """Read two texts through files in a folder, which is made."""
    folder.mkdir(exist_ok=True)
    (folder / "domain.pddl").write_text(domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(problem, encoding="utf-8")
    found = read_pddl_domain(folder / "domain.pddl")
    return found, read_pddl_problem(found, folder / "problem.pddl")
