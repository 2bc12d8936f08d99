"""Names that only bodies and sensing know: tests, bookkeeping predicates, furniture, motion primitives and roles."""

from __future__ import annotations

from affordances.bookkeeping import DERIVED
from affordances.facts import TESTS
from affordances.scene import bookkeeping_of
from domains.capability import Capability
from domains.lint import PositionFinder
from domains.lint.survey.mentions import effects_of
from domains.model import Domain
from domains.reader.nodes.diagnostics import Diagnostics, expected
from robots.furniture import MODELS
from robots.primitives import PRIMITIVES
from semantics.spelling import distance, surely

__all__ = ["check_bodies"]


def check_bodies(domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Tell of predicates that nothing can sense or compute, and of motions that no body makes."""
    for name, model in domain.predicates.items():
        if model.sensed is not None and model.sensed not in TESTS:
            diagnostics.unknown(places.of("predicates", name, "sensed"), "sensing test", model.sensed, TESTS)
    _check_bookkeeping(domain, places, diagnostics)
    for name, one in domain.classes.items():
        if one.model is not None and one.model not in MODELS and any(_is_slip(one.model, known) for known in MODELS):
            message = f"no body builds furniture of the model '{one.model}'; {expected(one.model, MODELS)}"
            diagnostics.warn(places.of("classes", name, "model"), message, "unknown-furniture-model", one.model)
    for capability in domain.capabilities.values():
        if capability.primitive:
            _check_primitive(capability, places, diagnostics)


def _check_bookkeeping(domain: Domain, places: PositionFinder, diagnostics: Diagnostics) -> None:
    """Tell of bookkeeping that nobody does: neither computed nor kept by an effect."""
    kept = {literal.atom.predicate for one in domain.capabilities.values() for literal in effects_of(one)}
    computed = bookkeeping_of(domain)
    for name, model in domain.predicates.items():
        if model.bookkeeping and name not in computed and name not in kept:
            message = f"nothing computes the bookkeeping predicate '{name}' and no effect keeps it"
            remedy = f"{expected(name, DERIVED)}, an effect, or 'derived'"
            diagnostics.warn(
                places.of("predicates", name), f"{message}; {remedy}", "unknown-bookkeeping-predicate", name
            )


def _is_slip(written: str, meant: str) -> bool:
    """Return whether a name is likely another one misspelt; short ones count too, since only a warning hangs on it."""
    return surely(written, meant) or (written[:1] == meant[:1] and distance(written, meant) == 1)


def _check_primitive(capability: Capability, places: PositionFinder, diagnostics: Diagnostics) -> None:
    path = ("capabilities", capability.name)
    known = PRIMITIVES.get(capability.primitive)
    if known is None:
        # A body of one's own, or one that lives in the model, may know more motions; a slip of the fingers is told.
        if any(_is_slip(capability.primitive, name) for name in PRIMITIVES):
            message = f"no body makes the motion '{capability.primitive}'; {expected(capability.primitive, PRIMITIVES)}"
            diagnostics.warn(places.of(*path, "primitive"), message, "unknown-primitive", capability.primitive)
        return
    missing = [role for role in known.roles if role not in capability.roles]
    if missing:
        message = (
            f"'{capability.primitive}' is refused without its {', '.join(missing)}; expected {', '.join(known.roles)}"
        )
        diagnostics.warn(places.of(*path, "roles"), message, "missing-role", ", ".join(missing))
    for role in capability.roles:
        if role not in known.roles:
            message = f"'{capability.primitive}' has no role '{role}'; {expected(role, known.roles)}"
            diagnostics.warn(places.of(*path, "roles", role), message, "unknown-role", role)
