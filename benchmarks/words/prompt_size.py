"""How long the prompts of a language model are, and whether what a goal needs stands in them.

``python -m benchmarks.words.prompt_size`` prints the length of each part for the full kitchen and for kitchens of 70
and 300 things, in characters / 4 and, where the package ``bpe-openai`` is installed, in tokens of a real tokenizer; and
in how many of the household's sentences the prompt holds all names and details of the goals that are acceptable.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from affordances.scene import Scene
from affordances.watcher import Watcher
from benchmarks.planning.kitchens import kitchen_domain, make
from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.language.formal_goal import formal_goal
from graftwork.language.prompts import PromptRequest, opening_messages
from robots.fake import FakeRobot
from semantics.logic.atoms import literals
from semantics.logic.reply_form import FORMS

REQUEST_KINDS = [kind for kind in FORMS if kind != "lesson"]  # a first request is about nothing that was done before

__all__ = ["Coverage", "count_quarters", "measure_coverage", "measure_parts", "names_in", "request_among", "request_in"]

DATA = Path(__file__).parent
HALF_A = ("household_a1.yaml", "household_a2.yaml")
WORDS = "bring me the milk"
RANGE = re.compile(r"([a-z][\w-]*?)(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)(?![\w-])")


class Coverage(NamedTuple):
    """What the prompts for some sentences hold.

    Attributes:
        goals: How many acceptable goals there are.
        unnamed: The goals that have a thing in them that the prompt does not name.
        untold: Those that have a thing in them of which the world states values and the prompt tells none.
    """

    goals: int
    unnamed: tuple[str, ...]
    untold: tuple[str, ...]


def count_quarters(text: str) -> float:
    """Return the number of characters / 4, the usual guess at the number of tokens."""
    return len(text) / 4


def load_tokenizer() -> Callable[[str], float] | None:
    """Return what counts the tokens of a text for OpenAI's models, if its package is installed."""
    if find_spec("bpe_openai") is None:
        return None
    import bpe_openai

    encoding = bpe_openai.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


def request_in(scene: str, words: str) -> PromptRequest:
    """Return what is asked in a scene of the kitchen that a robot has looked at from where it begins."""
    return PromptRequest(words, *_looked_at(scene), viewer="human0")


@cache
def _looked_at(name: str) -> tuple[World, Any, Scene]:
    domain, path = load_domain("kitchen"), DATA / "scenes" / f"{name}.yaml"
    scene = load_scene(domain, str(path) if path.exists() else name)
    watcher = Watcher(FakeRobot(scene.arrangement), Scene.start(scene, domain))
    watcher.refresh()
    return watcher.world, watcher.state, watcher.scene


def request_among(count: int, words: str) -> PromptRequest:
    """Return what is asked in a kitchen of so many things, anywhere on, in and under each other."""
    kitchen = make(count, 0)
    return PromptRequest(words, World(kitchen_domain(), kitchen.things, speaker="human0"), kitchen.state)


def measure_parts(asked: PromptRequest, count: Callable[[str], float] = count_quarters) -> Mapping[str, float]:
    """Return how long each part of the opening is, and all of it."""
    system, user = (message.content for message in opening_messages(asked, REQUEST_KINDS))
    role, rules, world = system.split("\n\n")
    parts = {"role": role, "rules": rules, "world": world, "scene and request": user, "all": f"{system}\n\n{user}"}
    return {name: count(text) for name, text in parts.items()}


def names_in(text: str) -> Iterator[str]:
    """Yield the names with a number in a text, each of a range by itself."""
    for stem, numbers in RANGE.findall(text):
        for part in numbers.split(","):
            first, _, last = part.partition("-")
            yield from (f"{stem}{number}" for number in range(int(first), int(last or first) + 1))


def _entries(files: Iterable[str]) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    """Yield each entry with its acceptable goals."""
    for file in files:
        for entry in yaml.safe_load((DATA / file).read_text(encoding="utf-8")):
            orders = (goal for order in entry.get("order", ()) for goal in order)
            yield entry, [*entry.get("ends", ()), *entry.get("part", ()), *orders]


def measure_coverage(files: Iterable[str] = HALF_A) -> Coverage:
    """Return whether the prompts for the household's sentences hold what the acceptable goals need."""
    count, unnamed, untold = 0, list[str](), list[str]()
    for entry, goals in _entries(files):
        asked = request_in(entry["scene"], entry["sentence"])
        world, text = asked.world, opening_messages(asked, REQUEST_KINDS)[1].content
        named, more = {*names_in(text)}, text.partition("\nMore about some")[2].splitlines()[1:]
        told = {line.partition(":")[0] for line in takewhile(lambda line: ":" in line, more)}
        for goal in goals:
            formula = formal_goal(goal, world.domain, world.objects).formula
            needed = {name for literal in literals(formula) for name in literal.atom.args}
            count += 1
            unnamed += [f"{entry['id']} {goal}"] * (not needed <= named)
            untold += [f"{entry['id']} {goal}"] * any(world.objects[name].attributes for name in needed - told)
    return Coverage(count, tuple(unnamed), tuple(untold))


def _main() -> None:
    write = sys.stdout.write
    scenes = {"full": request_in("full", WORDS), "70": request_among(70, WORDS), "300": request_among(300, WORDS)}
    for title, count in (("characters / 4", count_quarters), ("o200k_base", load_tokenizer())):
        for name, asked in scenes.items() if count is not None else ():
            parts = ", ".join(f"{part} {length:.0f}" for part, length in measure_parts(asked, count).items())
            write(f"{title}, {name}: {parts}\n")
    covered = measure_coverage()
    write(f"{covered.goals} goals, without a name {len(covered.unnamed)}, without details {len(covered.untold)}\n")
    for goal in covered.unnamed + covered.untold:
        write(f"  {goal}\n")


if __name__ == "__main__":
    _main()
