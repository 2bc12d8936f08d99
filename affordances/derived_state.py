"""`DerivedState`: the state that follows from beliefs, kept from one sensing to the next.

Only the bookkeeping facts of things are computed anew of which something else is believed than before; see `completed`
for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from affordances.bookkeeping import Stacks, derived_of
from affordances.scene import Scene, bookkeeping_of, computed_predicates
from domains.world import World
from semantics.body.observation import differing
from semantics.logic.atoms import Atom
from semantics.logic.state import State


class DerivedState:
    """Computes states of scenes that follow one another; one thread at a time may use it.

    Attributes:
        computed: Of how many things bookkeeping facts were computed so far.
    """

    def __init__(self) -> None:
        self.computed = 0
        self._world: World | None = None

    def state(self, scene: Scene) -> State:
        """Return the beliefs of a scene as a state, with all facts that follow from them."""
        world, beliefs = scene.world, scene.beliefs
        subjects = self._other_things(world)
        if subjects is None:
            self._beliefs: Mapping[Atom, object] = {}
            self._stacks = Stacks(world.objects, world.domain.conventions)
            self._derived: dict[str, frozenset[Atom]] = {}
            self._atoms = frozenset[Atom]()
            subjects = set(world.objects)
        domain, self._stacks.things, self._world = world.domain, world.objects, world
        gone, come = self._beliefs.keys() - beliefs.keys(), beliefs.keys() - self._beliefs.keys()
        if self._beliefs.keys() == beliefs.keys() and not subjects:
            return self._closed(scene)
        computed = computed_predicates(domain)
        come = {atom for atom in come if atom.predicate not in computed}
        subjects |= self._stacks.change(gone, come)
        self.computed += len(subjects)
        rules = tuple(bookkeeping_of(domain).values())
        for name in subjects:
            before, now = self._derived.pop(name, frozenset()), frozenset(derived_of((name,), self._stacks, rules))
            gone |= before - now
            come |= now - before
            if now:
                self._derived[name] = now
        self._beliefs, self._atoms = beliefs, (self._atoms - gone) | come
        return self._closed(scene)

    def _closed(self, scene: Scene) -> State:
        """Return the state with what follows by the definitions of the world."""
        state, world = State(self._atoms, scene.numbers), scene.world
        axioms = world.remember("axioms", lambda: world.domain.axioms(world.objects))
        return axioms.close(state) if axioms else state

    def _other_things(self, world: World) -> set[str] | None:
        """Return what came or went since the last state, with what stands on it; None where all is to be computed."""
        last = self._world
        if last is None:
            return None
        if last.objects is world.objects and last.domain is world.domain:
            return set()
        if last.domain.predicates is not world.domain.predicates or last.domain.conventions != world.domain.conventions:
            return None
        other, location = differing(last.objects, world.objects), world.domain.conventions.location
        is_new = all((name in last.objects) != (name in world.objects) for name in other)
        things = [(world.objects if name in world.objects else last.objects)[name] for name in other]
        if not is_new or any(location in thing.affordances for thing in things):
            return None
        return self._stacks.above(other)
