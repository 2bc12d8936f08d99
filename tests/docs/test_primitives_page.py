"""The page about bodies lists each motion primitive with the roles and values that it takes."""

from robots.primitives import PRIMITIVES
from semantics.logic.place_value import PlaceKind
from semantics.logic.quantity import Quantity
from tests.docs.blocks import DOCS

PAGE = (DOCS / "robots.md").read_text(encoding="utf-8")


def test_the_table_is_what_the_primitives_say_of_themselves():
    rows = []
    for name, primitive in PRIMITIVES.items():
        roles = "; ".join(f"`{role}`: {words}" for role, words in primitive.roles.items())
        numbers = (
            f"`{model.name}`: {Quantity(model.low, model.unit)} to {Quantity(model.high, model.unit)}"
            for model in primitive.values
        )
        places = (
            f"`{model.name}`: a point" if model.kind is PlaceKind.POINT else f"`{model.name}`: a region, or a point"
            for model in primitive.places
        )
        values = "; ".join((*places, *numbers))
        further = ", ".join(f"`{role}`" for role in primitive.optional)
        relations = " ([relations](relations.md#doing))" if "left_of" in primitive.optional else ""
        further = f"Perhaps {further}{relations}" if further else ""
        rows.append(f"| `{name}` | {primitive.doc} | {'. '.join(filter(None, (roles, values, further)))} |")
    section = PAGE[PAGE.index("## The motion primitives") :]
    assert rows == [line for line in section.splitlines() if line.startswith("| `")]
