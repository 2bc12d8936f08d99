"""How the families write their PDDL: sizes, names, distances and the text of a problem."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

__all__ = ["LAST", "SIZES", "Links", "Point", "Written", "apart", "grown", "linked", "names", "points", "written"]

SIZES = 20
"""How many sizes each family has."""
LAST = SIZES - 1
"""The index of the largest size."""
WIDTH = 100
"""Characters of a line that lists objects, at most."""

Point = tuple[int, int]
Links = list[tuple[str, str]]


class Written(NamedTuple):
    """A planning task as text.

    Attributes:
        domain: The PDDL domain.
        problem: The PDDL problem.
    """

    domain: str
    problem: str


def grown(first: int, last: int, size: int) -> int:
    """Return a number that grows geometrically from the smallest size to the largest.

    Args:
        first: The number at size 0, above zero.
        last: The number at the largest size.
        size: The index of the size.
    """
    return int(first * (last / first) ** (size / LAST) + 0.5)


def names(prefix: str, count: int) -> list[str]:
    """Return the names of objects: the prefix with the numbers from 0."""
    return [f"{prefix}{number}" for number in range(count)]


def points(things: Iterable[str], random: Random, side: int) -> dict[str, Point]:
    """Give each thing a point in a square."""
    return {thing: (random.randrange(side), random.randrange(side)) for thing in things}


def apart(one: Point, other: Point) -> int:
    """Return the distance of two points along the axes, at least 1."""
    return max(1, abs(one[0] - other[0]) + abs(one[1] - other[1]))


def linked(things: Sequence[str], extra: int, random: Random) -> Links:
    """Return links that join all things: a random tree, and further links that close cycles.

    Args:
        things: What is joined; each thing but the first is linked to one before it.
        extra: How many further links are tried; a link that exists already is left out.
        random: The source of chance.
    """
    links = [(things[random.randrange(index)], things[index]) for index in range(1, len(things))]
    known = {frozenset(link) for link in links}
    for _ in range(extra if len(things) > 1 else 0):
        one, other = random.sample(things, 2)
        if frozenset((one, other)) not in known:
            known.add(frozenset((one, other)))
            links.append((one, other))
    return links


def written(
    domain: str,
    name: str,
    objects: Mapping[str, Sequence[str]],
    facts: Sequence[str],
    goal: Sequence[str],
    costs: bool = False,
) -> Written:
    """Write a problem of a domain.

    Args:
        domain: The text of the domain.
        name: The name of the domain.
        objects: The names of the objects for each type; the type "" stands for no type.
        facts: What holds at the start, each fact in parentheses.
        goal: The conditions of the goal, each in parentheses; all have to hold.
        costs: Whether plans are judged by their total cost.

    Returns:
        The domain and the problem.
    """
    lines = [f"(define (problem {name}-problem)", f"  (:domain {name})", "  (:objects"]
    for kind, members in objects.items():
        if members:
            # The tilde keeps the type on the line of the last name.
            text = " ".join(members) + (f"~-~{kind}" if kind else "")
            rows = textwrap.wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False)
            lines += [row.replace("~", " ") for row in rows]
    lines += ["  )", "  (:init"]
    lines += [f"    {fact}" for fact in (["(= (total-cost) 0)", *facts] if costs else facts)]
    lines += ["  )", "  (:goal (and"]
    lines += [f"    {condition}" for condition in goal]
    lines += ["  ))"]
    lines += ["  (:metric minimize (total-cost))"] if costs else []
    lines += [")", ""]
    return Written(domain, "\n".join(lines))
