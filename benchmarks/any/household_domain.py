"""The domain of the household, with costs of actions and without."""

from __future__ import annotations

__all__ = ["COSTLY", "FREE"]

COSTLY = """\
(define (domain household)
  (:requirements :adl :action-costs)
  (:types
    level room kind hand spot portable - object
    surface closet - spot
    rug table shelf bed - surface
    cupboard fridge dishwasher wardrobe chest - closet
    handy bulky - portable
    box flat cup bottle shirt toy - handy
    basket tin - box
    plate book - flat
  )
  (:constants
    left right - hand
  )
  (:predicates
    (on-level ?r - room ?l - level)
    (joined ?a ?b - room)
    (stairs ?a ?b - room)
    (has-lift ?r - room)
    (lift-at ?l - level)
    (stands-in ?s - spot ?r - room)
    (of-kind ?p - portable ?k - kind)
    (accepts ?s - spot ?k - kind)
    (packs ?b - box ?k - kind)
    (fits-upon ?p ?q - flat)
    (chosen ?p - portable)
    (robot-in ?r - room)
    (robot-at ?s - spot)
    (free ?h - hand)
    (held ?p - handy ?h - hand)
    (hugged ?p - bulky)
    (opened ?c - closet)
    (unsealed ?b - box)
    (on ?p - portable ?s - surface)
    (in ?p - portable ?c - closet)
    (packed ?p - handy ?b - box)
    (lies-on ?p ?q - handy)
    (dirty ?p - handy)
  )
  (:functions
    (total-cost) - number
    (distance ?from ?to - room) - number
    (travel ?from ?to - level) - number
    (reach ?s - spot) - number
  )
  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (robot-in ?from) (joined ?from ?to))
    :effect (and
      (increase (total-cost) (distance ?from ?to))
      (not (robot-in ?from))
      (robot-in ?to)
      (forall (?s - spot) (when (and (stands-in ?s ?from) (robot-at ?s)) (not (robot-at ?s))))
    )
  )
  (:action climb
    :parameters (?from ?to - room)
    :precondition (and
      (robot-in ?from)
      (stairs ?from ?to)
      (forall (?p - bulky) (not (hugged ?p)))
    )
    :effect (and
      (increase (total-cost) (distance ?from ?to))
      (not (robot-in ?from))
      (robot-in ?to)
      (forall (?s - spot) (when (and (stands-in ?s ?from) (robot-at ?s)) (not (robot-at ?s))))
    )
  )
  (:action call-lift
    :parameters (?r - room ?from ?to - level)
    :precondition (and (robot-in ?r) (has-lift ?r) (on-level ?r ?to) (lift-at ?from) (not (lift-at ?to)))
    :effect (and
      (increase (total-cost) (travel ?from ?to))
      (not (lift-at ?from))
      (lift-at ?to)
    )
  )
  (:action ride
    :parameters (?from ?to - room ?low ?high - level)
    :precondition (and
      (robot-in ?from)
      (has-lift ?from)
      (has-lift ?to)
      (on-level ?from ?low)
      (on-level ?to ?high)
      (not (= ?low ?high))
      (lift-at ?low)
    )
    :effect (and
      (increase (total-cost) (travel ?low ?high))
      (not (lift-at ?low))
      (lift-at ?high)
      (not (robot-in ?from))
      (robot-in ?to)
      (forall (?s - spot) (when (and (stands-in ?s ?from) (robot-at ?s)) (not (robot-at ?s))))
    )
  )
  (:action approach
    :parameters (?s - spot ?r - room)
    :precondition (and (robot-in ?r) (stands-in ?s ?r) (not (robot-at ?s)))
    :effect (and
      (increase (total-cost) (reach ?s))
      (robot-at ?s)
      (forall (?o - spot)
        (when (and (stands-in ?o ?r) (robot-at ?o) (not (= ?o ?s))) (not (robot-at ?o)))
      )
    )
  )
  (:action open-up
    :parameters (?c - closet)
    :precondition (and (robot-at ?c) (not (opened ?c)) (exists (?h - hand) (free ?h)))
    :effect (and
      (increase (total-cost) 2)
      (opened ?c)
    )
  )
  (:action shut
    :parameters (?c - closet)
    :precondition (and (robot-at ?c) (opened ?c))
    :effect (and
      (increase (total-cost) 1)
      (not (opened ?c))
    )
  )
  (:action unseal
    :parameters (?b - box ?h - hand)
    :precondition (and (held ?b ?h) (not (unsealed ?b)) (or (free left) (free right)))
    :effect (and
      (increase (total-cost) 2)
      (unsealed ?b)
    )
  )
  (:action seal
    :parameters (?b - box ?h - hand)
    :precondition (and (held ?b ?h) (unsealed ?b) (or (free left) (free right)))
    :effect (and
      (increase (total-cost) 1)
      (not (unsealed ?b))
    )
  )
  (:action take-off
    :parameters (?p - handy ?s - surface ?h - hand)
    :precondition (and
      (robot-at ?s)
      (on ?p ?s)
      (free ?h)
      (not (exists (?o - flat) (lies-on ?o ?p)))
    )
    :effect (and
      (increase (total-cost) 1)
      (not (on ?p ?s))
      (not (free ?h))
      (held ?p ?h)
      (forall (?q - flat) (when (lies-on ?p ?q) (not (lies-on ?p ?q))))
    )
  )
  (:action put-down
    :parameters (?p - handy ?k - kind ?s - surface ?h - hand)
    :precondition (and (robot-at ?s) (held ?p ?h) (of-kind ?p ?k) (accepts ?s ?k))
    :effect (and
      (increase (total-cost) 1)
      (not (held ?p ?h))
      (free ?h)
      (on ?p ?s)
    )
  )
  (:action put-upon
    :parameters (?p ?q - flat ?s - surface ?h - hand)
    :precondition (and
      (robot-at ?s)
      (held ?p ?h)
      (fits-upon ?p ?q)
      (on ?q ?s)
      (not (exists (?o - flat) (lies-on ?o ?q)))
    )
    :effect (and
      (increase (total-cost) 1)
      (not (held ?p ?h))
      (free ?h)
      (on ?p ?s)
      (lies-on ?p ?q)
    )
  )
  (:action take-out
    :parameters (?p - handy ?c - closet ?h - hand)
    :precondition (and (robot-at ?c) (opened ?c) (in ?p ?c) (free ?h))
    :effect (and
      (increase (total-cost) 1)
      (not (in ?p ?c))
      (not (free ?h))
      (held ?p ?h)
    )
  )
  (:action put-in
    :parameters (?p - handy ?k - kind ?c - closet ?h - hand)
    :precondition (and (robot-at ?c) (opened ?c) (held ?p ?h) (of-kind ?p ?k) (accepts ?c ?k))
    :effect (and
      (increase (total-cost) 1)
      (not (held ?p ?h))
      (free ?h)
      (in ?p ?c)
    )
  )
  (:action unpack
    :parameters (?p - handy ?b - box ?of ?h - hand)
    :precondition (and (held ?b ?of) (unsealed ?b) (packed ?p ?b) (free ?h) (not (= ?of ?h)))
    :effect (and
      (increase (total-cost) 1)
      (not (packed ?p ?b))
      (not (free ?h))
      (held ?p ?h)
    )
  )
  (:action pack
    :parameters (?p - handy ?k - kind ?b - box ?of ?h - hand)
    :precondition (and
      (held ?b ?of)
      (unsealed ?b)
      (held ?p ?h)
      (of-kind ?p ?k)
      (packs ?b ?k)
    )
    :effect (and
      (increase (total-cost) 1)
      (not (held ?p ?h))
      (free ?h)
      (packed ?p ?b)
    )
  )
  (:action heave
    :parameters (?p - bulky ?s - surface)
    :precondition (and (robot-at ?s) (on ?p ?s) (free left) (free right))
    :effect (and
      (increase (total-cost) 4)
      (not (on ?p ?s))
      (not (free left))
      (not (free right))
      (hugged ?p)
    )
  )
  (:action set-down
    :parameters (?p - bulky ?k - kind ?s - surface)
    :precondition (and (robot-at ?s) (hugged ?p) (of-kind ?p ?k) (accepts ?s ?k))
    :effect (and
      (increase (total-cost) 4)
      (not (hugged ?p))
      (free left)
      (free right)
      (on ?p ?s)
    )
  )
  (:action run
    :parameters (?d - dishwasher)
    :precondition (and (robot-at ?d) (not (opened ?d)))
    :effect (and
      (increase (total-cost) 10)
      (forall (?p - handy) (when (and (in ?p ?d) (dirty ?p)) (not (dirty ?p))))
    )
  )
)
"""
"""The household with costs of distances and of work."""


def _without_costs(domain: str) -> str:
    """Leave out the functions, the lines that increase the cost, and the requirement."""
    start = domain.index("  (:functions")
    end = domain.index("  (:action")
    lines = (domain[:start] + domain[end:]).replace(" :action-costs", "").splitlines(keepends=True)
    return "".join(line for line in lines if "(increase " not in line)


FREE = _without_costs(COSTLY)
"""The household without costs."""
