"""Classes of the user's, named ``module:Class`` on the command line: bodies, planners, models and skills.

They are imported because the person names them; no file of a world can name one, and a record cannot either without
the person's agreement.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from semantics.body.foreign import guarded
from semantics.errors import UsageError, known_name

__all__ = ["is_class", "made_by", "user_module"]

NAMED = re.compile(r"(?P<module>[\w./\\-]+):(?P<name>[A-Za-z_]\w*)")


def is_class(name: str) -> bool:
    """Return whether a name means a class of the user's: ``module:Class``, and no file of that name is there."""
    return NAMED.fullmatch(name) is not None and not Path(name).exists()


def made_by(name: str) -> Callable[[], Any]:
    """Return what makes an object: a class or a function of a module, or what returns the object of that name.

    Args:
        name: ``module:Class``; the module by its importable name, or as a path that ends in ``.py``.

    Raises:
        UsageError: The module cannot be imported, or has no such name.
    """
    match = NAMED.fullmatch(name)
    if match is None:
        raise UsageError(f"'{name}' names no class; say module:Class, such as my_body.py:House")
    module = user_module(match["module"], f"'{name}'")
    known_name(f"name in {match['module']}", match["name"], [key for key in vars(module) if not key.startswith("_")])
    found = getattr(module, match["name"])
    return found if inspect.isclass(found) or inspect.isfunction(found) else lambda: found


def user_module(name: str, what: str) -> ModuleType:
    """Import a module of the user's, by its importable name or as a path that ends in ``.py``.

    Raises:
        UsageError: It cannot be imported; the message begins with `what`.
    """
    with guarded(lambda why: UsageError(f"{what}: it cannot be imported ({why})")):
        if not name.endswith(".py"):
            return importlib.import_module(name)
        path = Path(name)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(path.stem, module)  # a dataclass looks its module up
        spec.loader.exec_module(module)
        return module
