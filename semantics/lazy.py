"""Packages that import a public name at its first use, so that importing one module does not import all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["imported_from"]


def imported_from(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package.

    Args:
        package: Its name.
        homes: Its public names, separated by spaces, by the module below it that they are imported from.
    """
    modules = {name: module for module, names in homes.items() for name in names.split()}

    def attribute(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return attribute
