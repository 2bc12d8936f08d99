holds(on, [A, B]), holds(on, [A, C]), B \== C, Culprits = [A, B, C]
