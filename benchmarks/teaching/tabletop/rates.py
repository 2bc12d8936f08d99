"""How often the scripted model errs: frozen tables, and what they give if nothing is learned, by calculation.

The published figures (Bärmann et al.) are n = 0.37, 0.10 and 0.55 corrections in a run for the three splits without
learning. There are two ways to spread so many errors over the templates:

- ``even``: the model errs with one probability on every template of a split. Then a learner that needs a single
  correction for each template still needs about one in ten runs of it, which is n = 0.10 and more, whatever it does.
- ``few``: some templates are misread nearly always and the others never. So it must be where learning comes down to
  n = 0.04: in eighty runs with a memory that starts empty these are three corrections, so no more than three of the
  eight templates are ever misread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "MOST_CORRECTIONS",
    "PUBLISHED",
    "SEEN",
    "SPREADS",
    "UNSEEN",
    "Rates",
    "expected_corrections",
    "expected_mean",
]

MOST_CORRECTIONS = 4
SEEN, UNSEEN = tuple(f"S{number}" for number in range(1, 9)), tuple(f"U{number}" for number in range(1, 7))
"""The seen and the unseen instructions, by their templates."""
PUBLISHED = {"SA-SI": 0.37, "UA-SI": 0.10, "UA-UI": 0.55}
"""Mean number of corrections of each split without learning, as published; the tables below give it within 0.05."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often the model errs.

    Attributes:
        first: Probability of a wrong program for each template, where nothing like it was taught.
        following: Probability of a wrong program where a taught one of the same template is shown.
        improved: Probability that the program is still wrong after a correction.
    """

    first: Mapping[str, float]
    following: float = 0.05
    improved: float = 0.15


# Frozen before the first run with learning. Which templates are misread was drawn by lot: random.Random("prone, seen")
# and random.Random("prone, unseen") drew a sample of three each; the single one of UA-SI is the first of those drawn.
_MISREAD_SEEN, _MISREAD_UNSEEN = ("S2", "S3", "S8"), ("U5", "U1", "U4")
SPREADS: Mapping[str, Mapping[str, Rates]] = {
    "few": {
        "SA-SI": Rates(dict.fromkeys(_MISREAD_SEEN, 0.84)),
        "UA-SI": Rates(dict.fromkeys(_MISREAD_SEEN[:1], 0.68)),
        "UA-UI": Rates(dict.fromkeys(_MISREAD_UNSEEN, 0.94)),
    },
    "even": {
        "SA-SI": Rates(dict.fromkeys(SEEN, 0.315)),
        "UA-SI": Rates(dict.fromkeys(SEEN, 0.085)),
        "UA-UI": Rates(dict.fromkeys(UNSEEN, 0.47)),
    },
}
"""The rates of each split. Templates that are not named are never misread."""


def expected_corrections(first: float, improved: float, most: int = MOST_CORRECTIONS) -> float:
    """Return the mean number of corrections of a run that succeeds, if nothing was taught before it.

    Args:
        first: Probability that the first program is wrong.
        improved: Probability that a corrected one is.
        most: After so many corrections a run ends.
    """
    after = [first * (1 - improved) * improved ** (number - 1) for number in range(1, most + 1)]
    succeeds = 1 - first + sum(after)
    return sum(number * share for number, share in enumerate(after, 1)) / succeeds


def expected_mean(split: str, rates: Rates) -> float:
    """Return the mean of that over the templates of a split."""
    templates = UNSEEN if split == "UA-UI" else SEEN
    return sum(expected_corrections(rates.first.get(name, 0.0), rates.improved) for name in templates) / len(templates)
