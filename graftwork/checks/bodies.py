"""Checks of names that only bodies and sensing define: tests, bookkeeping, furniture, motion primitives and roles."""

from __future__ import annotations

from affordances.bookkeeping import DERIVED
from affordances.facts import TESTS
from affordances.scene import bookkeeping_of
from domains.capability import Capability
from domains.invariants.mentions import effects_of
from domains.lint import PositionFinder
from domains.model import Domain
from domains.reader.nodes.diagnostics import Diagnostics, expected
from robots.furniture import MODELS
from robots.primitives import PRIMITIVES
from semantics.spelling import distance, surely

__all__ = ["check_bodies"]


def check_bodies(domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Report predicates that nothing senses or computes, and motions that no body performs."""
    for name, model in domain.predicates.items():
        if model.sensed is not None and model.sensed not in TESTS:
            diagnostics.unknown(places.of("predicates", name, "sensed"), "sensing test", model.sensed, TESTS)
    _check_bookkeeping(domain, places, diagnostics)
    for name, object_class in domain.classes.items():
        if (
            object_class.model is not None
            and object_class.model not in MODELS
            and any(_is_slip(object_class.model, model_name) for model_name in MODELS)
        ):
            message = (
                f"no body builds furniture of the model '{object_class.model}'; {expected(object_class.model, MODELS)}"
            )
            diagnostics.warn(
                places.of("classes", name, "model"), message, "unknown-furniture-model", object_class.model
            )
    for capability in domain.capabilities.values():
        if capability.primitive:
            _check_primitive(capability, places, diagnostics)


def _check_bookkeeping(domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Report bookkeeping predicates that are neither computed nor changed by an effect."""
    in_effects = {
        literal.atom.predicate for capability in domain.capabilities.values() for literal in effects_of(capability)
    }
    computed = bookkeeping_of(domain)
    for name, model in domain.predicates.items():
        if model.bookkeeping and name not in computed and name not in in_effects:
            message = f"nothing computes the bookkeeping predicate '{name}' and no effect keeps it"
            remedy = f"{expected(name, DERIVED)}, an effect, or 'derived'"
            diagnostics.warn(
                places.of("predicates", name), f"{message}; {remedy}", "unknown-bookkeeping-predicate", name
            )


def _is_slip(written: str, meant: str) -> bool:
    """Return whether a name probably misspells another; short names count too, because this causes only a warning."""
    return surely(written, meant) or (written[:1] == meant[:1] and distance(written, meant) == 1)


def _check_primitive(capability: Capability, places: PositionFinder, diagnostics: Diagnostics) -> None:
    path = ("capabilities", capability.name)
    primitive = PRIMITIVES.get(capability.primitive)
    if primitive is None:
        # A custom body or the symbolic body may know more motions, so only a probable misspelling is reported.
        if any(_is_slip(capability.primitive, name) for name in PRIMITIVES):
            message = f"no body makes the motion '{capability.primitive}'; {expected(capability.primitive, PRIMITIVES)}"
            diagnostics.warn(places.of(*path, "primitive"), message, "unknown-primitive", capability.primitive)
        return
    missing = [role for role in primitive.roles if role not in capability.roles]
    if missing:
        roles = ", ".join(primitive.roles)
        message = f"'{capability.primitive}' is refused without its {', '.join(missing)}; expected {roles}"
        diagnostics.warn(places.of(*path, "roles"), message, "missing-role", ", ".join(missing))
    for role in capability.roles:
        if role not in primitive.roles:
            message = f"'{capability.primitive}' has no role '{role}'; {expected(role, primitive.roles)}"
            diagnostics.warn(places.of(*path, "roles", role), message, "unknown-role", role)
