"""Scenes of other projects, as scenes of ours."""

from graftwork.imports.copal import Imported, import_copal

__all__ = ["Imported", "import_copal"]
