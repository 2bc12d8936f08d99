"""What a record keeps of the place of its run: with which settings, and which files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from domains.model import Domain
from domains.reading import scene_path
from graftwork.pricing.weights import Weights
from graftwork.settings.limits import Limits
from graftwork.staging.opening import Stage

__all__ = ["about", "world_digest"]

WHAT = (
    "domain",
    "scene",
    "robot",
    "model",
    "planner",
    "seed",
    "substitute",
    "part",
    "together",
    "affordance_threshold",
)
"""Arguments of a session that are kept as they are."""


def world_digest(domain: Domain, scene: str) -> str:
    """Return the SHA-256 of the files of a world and of one of its scenes; empty where one cannot be read."""
    digest = hashlib.sha256()
    try:
        for file in (Path(domain.source or ""), scene_path(domain, scene)):
            digest.update(file.read_bytes())
    except OSError:
        return ""
    return digest.hexdigest()


def about(stage: Stage, asked: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Return what the first event of a record keeps, so that its run can be gone on with.

    Args:
        stage: The world and its scene.
        asked: What a session was made with, by the names of `graftwork.settings.settings.Settings`. What a program gave
            as an object of its own is None; a path is written so that it can be followed from anywhere.
        limits: How long things may take.
    """
    told = {name: _lasting(one) if isinstance(one, str) else one for name, one in asked.items() if name in WHAT}
    told |= {name: None for name in ("robot", "planner") if not isinstance(asked[name], str)}
    scene = str(asked["scene"])
    told |= {"scene": told["scene"] if "/" in scene else stage.scene_file.name, "costs": dict(asked["costs"] or {})}
    patience = "auto" if limits.patience is None else limits.patience
    told |= asdict(limits) | {"patience": patience, "weights": asdict(asked["weights"] or Weights())}
    return {"settings": told, "world": world_digest(stage.domain, scene)}


def _lasting(name: str) -> str:
    kind, colon, place = name.rpartition(":")
    return f"{kind}{colon}{Path(place).absolute()}" if "/" in place else name
