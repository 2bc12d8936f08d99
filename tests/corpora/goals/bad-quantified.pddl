(forall (?l - lamp) (imply (on ?l desk0) (lit ?l)))
