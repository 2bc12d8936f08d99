"""What may be spent on language models, and what they cost: the settings ``model_budget`` and ``model_prices``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from graftwork.setup.limits import numbers_from, pairs_in
from semantics.body.model_use import ModelBudget, Price

__all__ = ["read_budget", "read_prices"]

PARTS = {"in": "read", "out": "written"}


def read_budget(value: object, _: Path) -> ModelBudget:
    """Read ``calls=20,day_money=0.5``, or a table."""
    if isinstance(value, ModelBudget):
        return value
    return ModelBudget(**numbers_from(value, "budget of models", [limit.name for limit in fields(ModelBudget)]))


def read_prices(value: object, _: Path) -> dict[str, Price]:
    """Read ``NAME=0.15/0.6`` for the tokens that a model reads and writes, or a table with ``in`` and ``out``."""
    table = value if isinstance(value, Mapping) else dict(pairs_in(value))
    return {str(name).removeprefix("openai:"): _price(price) for name, price in table.items()}


def _price(price: object) -> Price:
    if isinstance(price, Price):
        return price
    if isinstance(price, str):
        price = dict(zip(PARTS, price.split("/"), strict=True))
    numbers = numbers_from(price, "price", tuple(PARTS))
    return Price(**{PARTS[name]: number for name, number in numbers.items()})
