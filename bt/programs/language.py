"""The names that a program may use in a world, and their meaning.

All names are looked up here; a name that is not here is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bt.programs.place_queries import PLACE_QUERIES, PlaceQuery
from bt.programs.writer import identifier
from domains.capability import Capability
from domains.model import Domain, NumericFluent
from semantics.logic.program import Call, Constant
from semantics.logic.state import Axioms
from semantics.logic.vocabulary import Attribute, Predicate, Thing
from semantics.process.reading import read_table

VIEWER = "seen_from"  # the name by which a call says who sees its directions

_CALLS = read_table(__file__)
QUERIES: Mapping[str, str] = _CALLS["queries"]  # calls that have a value
ACTIONS: Mapping[str, str] = _CALLS["actions"]  # calls that are done, besides capabilities and functions
INSTEAD: Mapping[str, str] = _CALLS["instead"]  # what to write for calls that are often tried


@dataclass(frozen=True)
class Language:
    """The names of a domain and a scene, as they are written in a program."""

    domain: Domain  # the domain of the world
    things: Mapping[str, Thing]  # all objects, by their own names
    bound: Mapping[str, str] = field(default_factory=dict)
    """The object for each name that means one already; another thing of its class changes nothing."""
    names: Mapping[str, str] = field(init=False)
    """The object for each written name; a class with a single object also names that object."""
    capabilities: Mapping[str, Capability] = field(init=False)  # capabilities by written name, including aliases
    predicates: Mapping[str, Predicate] = field(init=False)  # predicates by written name
    fluents: Mapping[str, NumericFluent] = field(init=False)  # fluents of the scene by written name
    attributes: Mapping[str, Attribute] = field(init=False)  # attributes of things by written name
    axioms: Axioms | None = field(init=False)  # derived predicates, evaluated for each state

    def __post_init__(self) -> None:
        kinds = [thing.class_name for thing in self.things.values()]
        names = {identifier(name): name for name in self.things}
        for name, thing in self.things.items():
            if kinds.count(thing.class_name) == 1:
                names.setdefault(identifier(thing.class_name), name)
        names |= {written: name for written, name in self.bound.items() if name in self.things}
        capabilities = self.domain.capabilities
        aliases = {
            identifier(alias): capability for capability in capabilities.values() for alias in capability.aliases
        }
        tables = {
            "names": names,
            "capabilities": aliases | {identifier(name): capability for name, capability in capabilities.items()},
            "predicates": {identifier(name): model.predicate for name, model in self.domain.predicates.items()},
            "fluents": {identifier(name): fluent for name, fluent in self.domain.fluents.items()},
            "attributes": {identifier(name): attribute for name, attribute in self.domain.attributes.items()},
            "axioms": self.domain.axioms(self.things),
        }
        for name, value in tables.items():
            object.__setattr__(self, name, value)

    @property
    def reserved(self) -> frozenset[str]:
        """The names that a program may not give to its own values and functions."""
        return frozenset((*self.names, *self.capabilities, *self.predicates, *self.fluents, *QUERIES, *ACTIONS))

    @property
    def queries(self) -> tuple[str, ...]:
        """Every name whose call has a value."""
        return (*QUERIES, *PLACE_QUERIES, *self.predicates, *self.fluents, *self.attributes, "holds")

    def meant(self, call: Call) -> Call:
        """Return a call of a relation with `VIEWER` as a call of the one that names its viewer; any other as it is.

        So ``left_of(a, b, seen_from=c)`` is ``left_of_seen_from(a, b, c)``.
        """
        viewers, name = [value for key, value in call.keywords if key == VIEWER], f"{call.name}_{VIEWER}"
        if viewers and name in self.capabilities:
            return replace(call, name=name)
        if len(viewers) == 1 and name in self.predicates:
            rest = tuple(pair for pair in call.keywords if pair[0] != VIEWER)
            return replace(call, name=name, args=(*call.args, *viewers), keywords=rest)
        return call

    def place_query(self, call: Call) -> PlaceQuery | None:
        """Return the query about places that a call is; None if it is none.

        A predicate or a number of the world that has this name, and takes so many things, comes first.
        """
        own = self.predicates.get(call.name) or self.fluents.get(call.name)
        is_number = any(isinstance(arg, Constant) and not isinstance(arg.value, str) for arg in call.args)
        if own is not None and len(own.parameters) == len(call.args) and not is_number:
            return None
        return PLACE_QUERIES.get(call.name)

    @property
    def actions(self) -> tuple[str, ...]:
        """Every name whose call does something."""
        return (*self.capabilities, *ACTIONS)

    @property
    def groups(self) -> tuple[str, ...]:
        """What `objects` may be asked for."""
        return tuple(dict.fromkeys((*self.domain.kinds, *self.domain.classes, *self.domain.affordances, "object")))

    def group(self, name: str) -> list[str]:
        """Return the objects of a class or kind, or with an affordance, sorted."""
        return sorted(
            thing.name
            for thing in self.things.values()
            if name in {"object", thing.class_name, *thing.kinds, *thing.affordances}
        )

    def agents(self, capability: Capability) -> tuple[str, ...]:
        """Return the agents with a capability, sorted."""
        classes = {name for name, agent in self.domain.agents.items() if capability.name in agent.capabilities}
        return tuple(sorted(name for name, thing in self.things.items() if thing.class_name in classes))

    def able(self, affordances: Iterable[str]) -> list[str]:
        """Return the objects with all of these affordances, sorted."""
        needed = tuple(affordances)
        return sorted(name for name, thing in self.things.items() if thing.affords(needed))
