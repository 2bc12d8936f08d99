"""For those who write worlds: a small world to begin with, and what editors need to complete and check the files."""

from __future__ import annotations

from domains.scaffold.new import new_world
from domains.scaffold.schema import domain_schema, scene_schema

__all__ = ["domain_schema", "new_world", "scene_schema"]
