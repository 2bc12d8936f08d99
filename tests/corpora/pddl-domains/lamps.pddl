; Lamps on desks are switched on and off.
(define (domain lamps)
  (:requirements :strips :typing :negative-preconditions)
  (:types lamp desk - object)
  (:predicates (on ?l - lamp ?d - desk) (lit ?l - lamp))
  (:action switch-on
    :parameters (?l - lamp ?d - desk)
    :precondition (and (on ?l ?d) (not (lit ?l)))
    :effect (lit ?l)))
