"""The steps of the story, as README.md describes them, and the functions of their right programs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from domains.model import SHIPPED
from semantics.logic.lesson import parts_of_program

__all__ = ["SCENE", "Step", "Story", "load_story"]

DATA = Path(__file__).parents[1] / "story.yaml"
SCENE = SHIPPED / "tabletop" / "scenes" / "tower.yaml"
"""The scene whose table, arm and regions are those of the story."""
CALL = re.compile(r"(?<!def )\b([a-z]\w*)\(")
PUT = re.compile(r"_(block|bowl)$")


@dataclass(frozen=True)
class Step:
    """A step.

    Attributes:
        id: Its name.
        say: What the person asks for.
        teach: What they say afterwards, in order.
        knows: Whether it can be done untaught.
        is_reset: Whether every block stands again where the scene has it.
        right: A program that does it, with functions of earlier steps.
        end: What the simulator has to show.
    """

    id: str
    say: str
    teach: tuple[str, ...]
    knows: bool
    is_reset: bool
    right: str
    end: tuple[Mapping[str, Any], ...]

    @cached_property
    def functions(self) -> Mapping[str, str]:
        """The functions that its program defines."""
        return parts_of_program(self.right)[0]


@dataclass(frozen=True)
class Story:
    """The story.

    Attributes:
        blocks: The blocks, with colours and places.
        steps: The steps in order.
        shuffled: The names of the steps in another order.
        house: What the simulator has to show of the house.
    """

    blocks: tuple[Mapping[str, Any], ...]
    steps: tuple[Step, ...]
    shuffled: tuple[str, ...]
    house: tuple[Mapping[str, Any], ...]

    @cached_property
    def defining(self) -> Mapping[str, Step]:
        """The step that defines each function."""
        return {name: step for step in reversed(self.steps) for name in step.functions}

    @cached_property
    def functions(self) -> Mapping[str, str]:
        """The text of each function."""
        return {name: step.functions[name] for name, step in self.defining.items()}

    def needed(self, step: Step, known: Collection[str]) -> list[str]:
        """Return the functions that a program needs, neither its own nor known ones; what one calls comes before it."""
        found: dict[str, None] = {}

        def add(text: str) -> None:
            for name in CALL.findall(text):
                if name in self.defining and name not in (*known, *step.functions, *found):
                    add(self.functions[name])
                    found[name] = None

        add(step.right)
        return list(found)

    def program(self, step: Step, known: Collection[str] = ()) -> str:
        """Return the right program of a step, with the functions that are not known."""
        functions = [self.functions[name] for name in self.needed(step, known)]
        return "\n\n\n".join((*functions, step.right))

    def stretch(self, step: Step) -> list[Step]:
        """Return the steps before a step from which it goes on, since the blocks were put back."""
        before = self.steps[: self.steps.index(step)]
        found: list[Step] = []
        if not step.is_reset:
            for each in reversed(before):
                found.insert(0, each)
                if each.is_reset:
                    break
        return found

    def in_order(self, *, shuffled: bool) -> list[Step]:
        """Return the steps in the order in which they are taught."""
        by_name = {step.id: step for step in self.steps}
        return [by_name[name] for name in self.shuffled] if shuffled else list(self.steps)

    def scene_text(self) -> str:
        """Return the scene as a file of the world."""
        document = yaml.safe_load(SCENE.read_text(encoding="utf-8"))
        things = {name: thing for name, thing in document["things"].items() if not PUT.search(name)}
        for block in self.blocks:
            place = {"class": "block", "on": "table0", "offset": list(block["at"])}
            things[block["name"]] = place | {"attributes": {"colour": block["colour"]}}
        facts = ["(hand_free robot0)", "(gripper_open robot0)", *(f"(clear {block['name']})" for block in self.blocks)]
        return str(yaml.safe_dump({**document, "things": things, "facts": facts}, sort_keys=False))


def load_story(path: Path = DATA) -> Story:
    """Read the story."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    steps = tuple(map(_step, document["steps"]))
    return Story(tuple(document["scene"]), steps, tuple(document["shuffles"]), tuple(document["house"]))


def _step(document: Mapping[str, Any]) -> Step:
    is_reset = bool((document.get("before") or {}).get("reset"))
    teach: Sequence[str] = document["teach"]
    return Step(
        document["id"],
        document["say"],
        tuple(teach),
        bool(document["knows"]),
        is_reset,
        document["right"].strip(),
        tuple(document["end"]),
    )
