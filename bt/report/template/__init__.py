"""The page and its drawings as Jinja templates, and the page's style and script as they stand."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def rendered(name: str, /, **parts: object) -> Markup:
    """Fill the template called `name`; whatever is no markup already is escaped, and numbers are written shortly.

    Raises:
        ValueError: A part does not have what the template takes from it.
    """
    from jinja2 import TemplateError
    from markupsafe import Markup

    try:
        return Markup(_environment().get_template(name).render(parts))
    except TemplateError as error:
        raise ValueError(str(error)) from error


@cache
def _environment() -> Environment:
    # The import and the compilation of the templates take time, which only a run with a record has to pay.
    from jinja2 import Environment, FileSystemLoader
    from markupsafe import Markup

    folder = Path(__file__).parent
    made = Environment(
        autoescape=True, loader=FileSystemLoader(folder), finalize=_printable, trim_blocks=True, lstrip_blocks=True
    )
    made.globals |= {"dict": dict, "zip": zip, "as_it_is": lambda name: Markup((folder / name).read_text("utf-8"))}
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return made


def _printable(value: object) -> object:
    if isinstance(value, float):
        return f"{value:g}"
    return value if hasattr(value, "__html__") else UNPRINTABLE.sub("", str(value))
