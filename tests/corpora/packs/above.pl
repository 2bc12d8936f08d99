% What stands on what, however many things lie between.
above(X, Y) :- holds(on, [X, Y]).
above(X, Z) :- holds(on, [X, Y]), above(Y, Z).

alone(X) :- thing(X, _), \+ holds(on, [_, X]), 'quoted name'(X).
'quoted name'(X) :- atom(X), X \== "text", member(X, [a, b | _]).
