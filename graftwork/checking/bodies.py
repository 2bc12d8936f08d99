"""Names of a domain that only bodies and sensing know: tests, bookkeeping predicates, motion primitives and roles."""

from __future__ import annotations

from affordances.bookkeeping import DERIVED
from affordances.facts import TESTS
from domains.capability import Capability
from domains.lint import Places
from domains.model import Domain
from domains.reading.nodes.complaints import Complaints, expected
from robots.primitives import PRIMITIVES
from semantics.spelling import surely

__all__ = ["check_bodies"]


def check_bodies(domain: Domain, places: Places, complaints: Complaints) -> None:
    """Tell of predicates that nothing can sense or compute, and of motions that no body makes."""
    for name, model in domain.predicates.items():
        if model.sensed is not None and model.sensed not in TESTS:
            complaints.unknown(places.of("predicates", name, "sensed"), "sensing test", model.sensed, TESTS)
        if model.bookkeeping and name not in DERIVED:
            complaints.unknown(places.of("predicates", name), "bookkeeping predicate", name, DERIVED)
    for capability in domain.capabilities.values():
        if capability.primitive:
            _check_primitive(capability, places, complaints)


def _check_primitive(capability: Capability, places: Places, complaints: Complaints) -> None:
    path = ("capabilities", capability.name)
    known = PRIMITIVES.get(capability.primitive)
    if known is None:
        # A body of one's own, or one that lives in the model, may know more motions; a slip of the fingers is told.
        if any(surely(capability.primitive, name) for name in PRIMITIVES):
            message = f"no body makes the motion '{capability.primitive}'; {expected(capability.primitive, PRIMITIVES)}"
            complaints.warn(places.of(*path, "primitive"), message, "unknown-primitive", capability.primitive)
        return
    missing = [role for role in known.roles if role not in capability.roles]
    if missing:
        message = f"'{capability.primitive}' is not told its {', '.join(missing)}; expected {', '.join(known.roles)}"
        complaints.warn(places.of(*path, "roles"), message, "missing-role", ", ".join(missing))
    for role in capability.roles:
        if role not in known.roles:
            message = f"'{capability.primitive}' has no role '{role}'; {expected(role, known.roles)}"
            complaints.warn(places.of(*path, "roles", role), message, "unknown-role", role)
