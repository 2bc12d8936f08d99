"""Relevance: which things a cheapest plan may need."""

from __future__ import annotations

from collections.abc import Mapping

from domains.model import Domain
from semantics.atoms import Conjunct
from semantics.state import State
from semantics.vocabulary import Thing

__all__ = ["relevant"]


def relevant(conjunct: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain) -> dict[str, Thing]:
    """Return the things that a cheapest plan for `conjunct` may need."""
    return dict(things)
