"""Small problems, one for each trait."""

MOVES = "(:action go :parameters (?a ?b - place) :precondition (at ?a) :effect (and (at ?b) (not (at ?a))))"


def domain(actions, predicates="(at ?a - place) (lit ?a - place)", extra="", requirements=":typing"):
    return (
        f"(define (domain d) (:requirements {requirements}) (:types place) (:predicates {predicates})"
        f" {extra} {actions})"
    )


def task(goal, start="(at x)", objects="x y z - place", extra=""):
    return f"(define (problem p) (:domain d) (:objects {objects}) (:init {start}) (:goal {goal}) {extra})"


PLAIN = domain(MOVES), task("(at z)")
NEGATIVE = domain(MOVES), task("(not (at x))")
ALTERNATIVES = domain(MOVES), task("(or (at y) (at z))")
EVERYWHERE = (
    domain(MOVES + "(:action light :parameters (?a - place) :precondition (at ?a) :effect (lit ?a))"),
    task("(forall (?p - place) (lit ?p))"),
)
CONDITIONAL = (
    domain("(:action go :parameters (?a ?b - place) :precondition (at ?a) :effect (and (at ?b) (not (at ?a))"
           " (when (lit ?b) (lit ?a))))"),
    task("(at z)"),
)  # fmt: skip
DERIVED = domain(MOVES, extra="(:derived (lit ?a - place) (at ?a))"), task("(lit z)")
COSTS = (
    domain(
        "(:action go :parameters (?a ?b - place) :precondition (at ?a)"
        " :effect (and (at ?b) (not (at ?a)) (increase (total-cost) 3)))",
        extra="(:functions (total-cost) - number)",
        requirements=":typing :action-costs",
    ),
    task("(at z)", start="(at x) (= (total-cost) 0)", extra="(:metric minimize (total-cost))"),
)
NUMERIC = (
    domain(
        "(:action pour :parameters () :precondition (< (water) 3) :effect (increase (water) 1))"
        " (:action serve :parameters (?a - place) :precondition (>= (water) 3) :effect (lit ?a))",
        extra="(:functions (water))",
        requirements=":typing :numeric-fluents",
    ),
    task("(lit z)", start="(at x) (= (water) 0)"),
)
LASTING = (
    domain(
        "(:durative-action go :parameters (?a ?b - place) :duration (= ?duration 3) :condition (at start (at ?a))"
        " :effect (and (at start (not (at ?a))) (at end (at ?b))))",
        requirements=":typing :durative-actions",
    ),
    task("(at z)"),
)
BROKEN = "(define (domain d", "(define"
