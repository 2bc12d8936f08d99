"""What came of a run, judged by the world's own state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.copal.judging import distance
from benchmarks.copal.recipes import Recipe
from semantics.logic.state import State

__all__ = ["Drink", "Outcome", "drink"]


@dataclass(frozen=True, slots=True)
class Drink:
    """What stands on the tray: CoPAL's distance from the key, and None when that is not exactly one thing."""

    distance: float | None

    @property
    def right(self) -> bool:
        """Whether it is what the key says."""
        return self.distance == 0.0


def drink(state: State, recipe: Recipe, tray: str = "tray") -> Drink:
    """Judge what stands on the tray."""
    served = [atom.args[0] for atom in state.atoms if atom.predicate == "on" and atom.args[1] == tray]
    if len(served) != 1:
        return Drink(None)
    held = {atom.args[1] for atom in state.atoms if atom.predicate == "contains" and atom.args[0] == served[0]}
    return Drink(distance(len(recipe.must - held), len(held - recipe.must - recipe.may)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run.

    Attributes:
        recipe: Its name.
        seed: Of the stand-in.
        planted: How many mistakes the first text had.
        answered: How many failures were met and answered, by the rung that did it; `none` for the one that ended a run.
        executable: Whether every step could be carried out in the end.
        drink: What stood on the tray then.
        seconds: On the clock of the wall.
        ahead: Whether the whole text was looked at before anything moved.
        reason: Why it ended, when it was not executable.
    """

    recipe: str
    seed: int
    planted: int
    answered: Mapping[str, int] = field(default_factory=Counter)
    executable: bool = False
    drink: Drink = field(default_factory=lambda: Drink(None))
    seconds: float = 0.0
    ahead: bool = False
    reason: str = ""

    @property
    def met(self) -> int:
        """How many mistakes were met; our rules mend several at once, so at least as many as the text had."""
        answers = sum(self.answered.values())
        return max(self.planted, answers) if self.ahead else answers

    @property
    def correct(self) -> bool:
        """Whether it was carried out, and the drink is what the key says."""
        return self.executable and self.drink.right
