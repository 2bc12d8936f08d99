(define (problem two-rooms)
  (:domain parcel)
  (:objects
    rob - robot
    hall store - room
    box - packet
    gate - door
    rob - robot)
  (:init (at rob hall) (in box hall) (fre rob) (free rbo)
         (joins gate hall store) (joins gate store hall))
  (:goal (and (in box) (on box store) (at rob hall))))
