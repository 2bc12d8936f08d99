; A robot carries parcels between rooms; its door must be open.
(define (domain parcels)
  (:requirements :strips :typing :negative-preconditions)
  (:types robot room parcel door)
  (:predicates
    (at ?r - robot ?x - room)
    (in ?p - parcel ?x - room)
    (holds ?r - robot ?p - parcel)
    (free ?r - robot)
    (joins ?d - door ?x ?y - room)
    (opened ?d - door))
  (:action go
    :parameters (?r - robot ?x ?y - room ?d - door)
    :precondition (and (at ?r ?x) (not (at ?r ?y)) (joins ?d ?x ?y) (opened ?d))
    :effect (and (at ?r ?y) (not (at ?r ?x))))
  (:durative-action open
    :parameters (?r - robot ?x ?y - room ?d - door)
    :duration (<= ?duration 5)
    :condition (at start (at ?r ?x))
    :effect (at end (opened ?d)))
  (:action take
    :parameters (?r - robot ?p - parcel ?x - room)
    :precondition (and (at ?r ?x) (in ?p ?x) (free ?r))
    :effect (and (holds ?r ?p) (not (in ?p ?x)) (not (free ?r))))
  (:action leave
    :parameters (?r - robot ?p - parcel ?x - room)
    :precondition (and (at ?r ?x) (holds ?r ?p))
    :effect (and (in ?p ?x) (free ?r) (not (holds ?r ?p)))))
