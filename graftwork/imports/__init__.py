"""Importers that convert scenes of other projects to scene files."""

from graftwork.imports.copal import Imported, import_copal

__all__ = ["Imported", "import_copal"]
