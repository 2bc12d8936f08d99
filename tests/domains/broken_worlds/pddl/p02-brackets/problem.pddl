(define (problem two-rooms)
  (:domain parcels)
  (:objects
    rob - robot
    hall store - room
    box - parcel
    gate - door)
  (:init (at rob hall) (in box hall) (free rob)
         (joins gate hall store) (joins gate store hall))
  (:goal (and (in box store) (at rob hall)))))
