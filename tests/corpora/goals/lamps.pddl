(and (or (on lamp0 shelf0) (on lamp0 desk0)) (not (lit lamp1))) ; two lamps
