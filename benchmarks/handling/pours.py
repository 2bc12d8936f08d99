"""Pours of an amount that is said, on the body that lives in the model: what is in both vessels then, to a microlitre.

No other shipped body has amounts: the simulated ones move a liquid whole.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random

from benchmarks.handling.trials import Trial
from graftwork import Outcome, Session
from semantics.atoms import Atom

__all__ = ["poured"]

EXACT = 1e-6
"""The largest error, in millilitres."""
BOTTLES = {"soda_bottle": ("soda_water", 500.0), "apple_bottle": ("apple_juice", 700.0)}
"""What is in each bottle, and how much of it, in millilitres."""
GLASSES = {"tall_glass": "the tall glass", "mixing_cup": "the mixing cup"}
MOST = 250
"""The largest amount that is poured, in millilitres; both glasses hold more."""


def poured(seed: int) -> Trial:
    """Pour an amount by a sentence or a program, twice in a program, and look what is where then."""
    random, processor = Random(seed), time.process_time()
    bottle, glass = random.choice(sorted(BOTTLES)), random.choice(sorted(GLASSES))
    liquid, held = BOTTLES[bottle]
    first = random.randint(10, 10 * MOST) / 10
    second = random.randint(10, 400) / 10
    with Session("barman", "counter", robot="symbolic", memory=None) as session:
        if seed % 2:
            said = f"pour {first:g} ml of {liquid.replace('_', ' ')} into {GLASSES[glass]}"
            episode, total = session.handle(said), first
        else:
            pours = (f"pour(left_hand, {bottle}, {liquid}, {glass}, amount={ml})" for ml in (first, second))
            text = (f"get(left_hand, {bottle}, rack)", f"unscrew(left_hand, right_hand, {bottle})", *pours)
            episode, total = session.program("\n".join(text)).finish(), first + second
        numbers, seconds = session.stage.robot.observation().numbers, session.stage.robot.clock.now()
    wrong = "" if episode.outcome is Outcome.ACHIEVED else episode.message
    wrong = wrong or _wrong(numbers, {("level", glass): total, ("amount", glass, liquid): total})
    wrong = wrong or _wrong(numbers, {("level", bottle): held - total})
    return Trial("pour", seed, wrong, seconds, time.process_time() - processor)


def _wrong(numbers: Mapping[Atom, float], expected: Mapping[tuple[str, ...], float]) -> str:
    """Return which numbers of litres are not the expected millilitres, in words."""
    there = {key: 1000.0 * numbers[Atom(key[0], key[1:])] for key in expected}
    return ", ".join(
        f"({' '.join(key)}) is {there[key]:.7f} ml, not {amount:g}"
        for key, amount in expected.items()
        if abs(there[key] - amount) > EXACT
    )
