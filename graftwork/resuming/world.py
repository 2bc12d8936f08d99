"""What a record keeps of the place of its run: with which settings, and which files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from domains.model import Domain
from domains.reading import scene_path
from graftwork.means import Limits
from graftwork.pricing.weights import Weights

__all__ = ["settings_told", "world_digest"]


def world_digest(domain: Domain, scene: str) -> str:
    """Return the SHA-256 of the files of a world and of one of its scenes; empty where one cannot be read."""
    digest = hashlib.sha256()
    try:
        for file in (Path(domain.source or ""), scene_path(domain, scene)):
            digest.update(file.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()


def settings_told(given: Mapping[str, object], limits: Limits, weights: Weights) -> dict[str, Any]:
    """Return the settings of a session as plain data, by the names of `graftwork.settings.Settings`.

    What a program gave as an object of its own is None; a path is written so that it can be followed from anywhere.
    """
    told: dict[str, Any] = {name: _lasting(one) if isinstance(one, str) else one for name, one in given.items()}
    for name in ("robot", "planner"):
        told[name] = told[name] if isinstance(told[name], str) else None
    patience = "auto" if limits.patience is None else limits.patience
    return told | asdict(limits) | {"patience": patience, "weights": asdict(weights)}


def _lasting(name: str) -> str:
    kind, colon, place = name.rpartition(":")
    return f"{kind}{colon}{Path(place).absolute()}" if "/" in place else name
