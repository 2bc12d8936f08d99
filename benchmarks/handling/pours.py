"""Pours of an amount that is said, judged to a nanolitre: what is in each vessel then, by decimal arithmetic.

On the body that lives in the model, in the world barman; and on the fake, which keeps amounts beside its geometry, in
the world of ``examples/juice``. There a fifth of the trials ask for more than there is: nothing may move then, and the
answer has to name the largest amount that can be had.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from random import Random

from benchmarks.handling.trials import Trial
from domains import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.setup.model_body import numeric_model
from robots.fake import FakeRobot
from semantics.logic.atoms import Atom

__all__ = ["poured", "poured_by_fake"]

EXACT = 1e-6
"""The largest error, in millilitres."""
BOTTLES = {"soda_bottle": ("soda_water", 500.0), "apple_bottle": ("apple_juice", 700.0)}
"""What is in each bottle, and how much of it, in millilitres."""
GLASSES = {"tall_glass": "the tall glass", "mixing_cup": "the mixing cup"}
MOST = 250
"""The largest amount that is poured, in millilitres; both glasses hold more."""
JUICE = Path(__file__).resolve().parents[2] / "examples" / "juice"
ROOM = Decimal(250)
"""How much the glass of this world holds, in millilitres."""


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
        numbers, seconds = session.environment.robot.observation().numbers, session.environment.robot.clock.now()
    wrong = "" if episode.outcome is Outcome.ACHIEVED else episode.message
    wrong = wrong or _wrong(numbers, {("level", glass): total, ("amount", glass, liquid): total}, 1000.0)
    wrong = wrong or _wrong(numbers, {("level", bottle): held - total}, 1000.0)
    return Trial("pour, symbolic", seed, wrong, seconds, time.process_time() - processor)


def poured_by_fake(seed: int) -> Trial:
    """Pour out of a bottle with a random amount in it, and look at the truth of the body and at what it senses."""
    random, processor = Random(seed), time.process_time()
    held = Decimal(random.randint(600, 3000)) / 10
    domain = load_domain(str(JUICE))
    scene = load_scene(domain, "table")
    robot = FakeRobot(scene.arrangement, numeric=numeric_model(domain, scene))
    robot.set_number(Atom("level", ("bottle0",)), float(held))
    with Session(str(JUICE), "table", robot=robot, memory=None) as session:
        wrong, total = _too_much(session, random, held) if seed % 5 == 0 else _enough(session, random, held)
        sensed, truth, seconds = robot.observation().numbers, robot.world.numbers, robot.clock.now()
    expected = {("level", "bottle0"): float(held - total), ("level", "glass0"): float(total)}
    wrong = wrong or _wrong(truth, expected, 1.0) or _wrong(sensed, expected, 1.0)
    return Trial("pour, fake", seed, wrong, seconds, time.process_time() - processor)


def _enough(session: Session, random: Random, held: Decimal) -> tuple[str, Decimal]:
    """Pour by a sentence, or one to four times by a program; return what went wrong, and how much was poured."""
    count = random.randint(1, 4)
    most = int(10 * min(held, ROOM)) // count
    amounts = [Decimal(random.randint(10, most)) / 10 for _ in range(count)]
    if count == 1:
        episode = session.handle(f"pour {amounts[0]} ml of juice into the glass")
    else:
        pours = (f"pour(juice0, bottle0, glass0, table0, amount={amount})" for amount in amounts)
        text = ("drive(floor0, table0)", "take(bottle0, table0)", *pours)
        episode = session.program("\n".join(text)).finish()
    return "" if episode.outcome is Outcome.ACHIEVED else episode.message, sum(amounts, Decimal(0))


def _too_much(session: Session, random: Random, held: Decimal) -> tuple[str, Decimal]:
    """Ask for more than there is or fits; return what went wrong, and that nothing was poured."""
    there = min(held, ROOM)
    asked = there + Decimal(random.randint(1, 1000)) / 10
    episode = session.handle(f"pour {asked} ml of juice into the glass")
    if episode.outcome is not Outcome.REFUSED or session.environment.robot.clock.now() > 0.0:
        return f"{asked} ml of {there} ml: {episode.outcome}", Decimal(0)
    named = f"At most {float(there):g}ml."
    return "" if named in episode.message else f"'{named}' is not in: {episode.message}", Decimal(0)


def _wrong(numbers: Mapping[Atom, float], expected: Mapping[tuple[str, ...], float], scale: float) -> str:
    """Return which numbers are not the expected millilitres, in words; `scale` are in one unit of the numbers."""
    there = {key: scale * numbers[Atom(key[0], key[1:])] for key in expected}
    return ", ".join(
        f"({' '.join(key)}) is {there[key]:.7f} ml, not {amount:g}"
        for key, amount in expected.items()
        if abs(there[key] - amount) > EXACT
    )
