"""Relations of places in a world: how they are made true, and the small model in which they are planned.

A capability that sets a thing down may list `relations` (docs/relations.md). The world then has a predicate for each,
an action that sets a thing down so that the relation holds, and phrases for it (`with_relations`).

There are as many such facts as pairs of things, and every motion may end some of them; a planner that gets all of them
finds nothing in time. A plan needs only those that its goal states. So planning takes the model of `for_goal`: each
relation only between things of the goal, for which these get affordances of their own, and only these facts end when
one of the things is moved. This is the way of optimistic streams (Garrett et al., "PDDLStream", ICAPS 2020): the model
takes it that there is a place; the sampler of `semantics.geometry.places` finds one or says why not, when the action is
done.

What a thing is put beside stays on its surface: a relation is made where its reference stood (`homes`), so that no plan
carries the plate to another table to make room for the fork. Unless the goal itself says where the reference goes.

A relation with a direction has a twin that names its viewer: ``(left_of_seen_from fork0 plate0 human0)``. It ends when
the viewer goes elsewhere, too. What directions can be said from has the affordance `VIEWPOINT`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from domains.capability import Capability, Parameter, Template
from domains.conventions import VIEWPOINT
from domains.declarations import ObjectClass
from domains.model import Domain, PredicateModel
from semantics.geometry.furnishing import FRONTLESS
from semantics.geometry.relations import SAID_PARTS, SEEN_FROM
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.quantity import ValueModel
from semantics.logic.vocabulary import GoalPhrase, Predicate, Thing
from semantics.process.reading import read_table

RESTING = frozenset({"on", "in", "lies"})  # the geometric tests of where a thing rests, and on what
MOVING = RESTING | {"on_furniture"}  # those of where a thing rests; who ends such a fact moves the thing
PUT = "put|place|set|lay|move|bring {thing}"
FARTHEST = 50.0  # the largest distance that can be said, in centimetres
DISTANCE = "distance"  # the value of how far away a thing is put
AWAY = {"a little": 4.0, "a little bit": 4.0, "a bit": 4.0, "slightly": 4.0, "a lot": 12.0, "a long way": 12.0}
"""What words mean for it, in centimetres."""
VIEWER = "seen_from"  # the parameter and the role of the viewer
HOME = "stood_at_first"
"""The predicate, of the planning model alone, for the surfaces on which something may be put beside a reference."""
STANDING = frozenset({"at"})  # the geometric tests of where an agent is; who ends such a fact moves the agent


class _Relation(NamedTuple):
    """How a relation is said."""

    # between the thing and what it is related to, as in a pattern of a phrase; none where a viewer is named, which the
    # reader of sentences adds to any phrase
    words: tuple[str, ...]
    sentence: str  # a fact, with {0}, {1}, {2}
    others: int = 1  # how many things it is related to; 0 for the surface itself
    has_distance: bool = False  # whether the distance may be said
    has_viewer: bool = False  # whether it names its viewer

    @property
    def where(self) -> str:
        """The sentence from after "is" on, without the viewer."""
        return self.sentence.partition("{0} is ")[2].partition(", seen from")[0]


def _said_part(relation: str, word: str) -> _Relation:
    """Return how a relation to a certain corner or edge is said: that of the viewer's top is also the far one."""
    upright, _, level = word.partition(" ")
    also = {"top": "top|upper|far|back", "bottom": "bottom|lower|near|front"}.get(upright, upright)
    if relation == "in_corner_of":
        return _Relation(
            (f"in|on|at|to|into [the] {also} {level} corner of",), f"{{0}} is in the {word} corner of {{1}}", 0
        )
    return _Relation((f"at|on|to|along [the] {also} edge|side|border of",), f"{{0}} is at the {word} edge of {{1}}", 0)


_BY_DEFAULT: Mapping[str, _Relation] = {
    **{name: _Relation(**said | {"words": tuple(said["words"])}) for name, said in read_table(__file__).items()},
    **{name: _said_part(relation, word) for name, (relation, word) in SAID_PARTS.items()},
}
"""The relations that name no viewer."""
MADE: Mapping[str, _Relation] = {
    **_BY_DEFAULT,
    **{
        name: said._replace(words=(), sentence=f"{said.sentence}, seen from {{2}}", has_viewer=True)
        for name, said in ((name, _BY_DEFAULT[relation]) for name, relation in SEEN_FROM.items())
    },
}
"""The relations that an action can make true, see `robots.primitives` and `semantics.geometry.relations`."""


_HOME = PredicateModel(Predicate(HOME, ("object", "object"), "{0} stood on {1} at first", goal=False), bookkeeping=True)


def with_relations(domain: Domain) -> Domain:
    """Return a domain with what the relations of its capabilities stand for."""
    asked = {name: verb for name, verb in domain.capabilities.items() if verb.relations}
    if not asked:
        return domain
    predicates, capabilities, phrases = dict(domain.predicates), dict(domain.capabilities), list[GoalPhrase]()
    agents = dict(domain.agents)
    if any(MADE[relation].has_viewer for verb in asked.values() for relation in verb.relations):
        domain = _with_viewpoints(domain)
    for verb in asked.values():
        resting = rest_of(verb, domain.predicates)
        if resting is None and is_chosen(verb, "target"):  # the reader has reported it
            continue
        made = [_placing(verb, resting, relation, domain) for relation in verb.relations]
        for relation, placing in zip(verb.relations, made, strict=True):
            if relation not in predicates:
                predicates[relation] = _predicate(relation, placing, domain.conventions.support)
                phrases.extend(_phrases(predicates[relation].predicate))
            capabilities[placing.name] = placing
        agents = {
            name: replace(agent, capabilities=agent.capabilities | {placing.name for placing in made})
            if verb.name in agent.capabilities
            else agent
            for name, agent in agents.items()
        }
    phrases += domain.phrases
    return replace(domain, predicates=predicates, capabilities=capabilities, agents=agents, phrases=tuple(phrases))


def _with_viewpoints(domain: Domain) -> Domain:
    """Return a domain whose agents and furniture with a front have the affordance `VIEWPOINT`."""

    def seeing(each: ObjectClass) -> ObjectClass:
        is_agent = each.name in domain.agents or domain.conventions.actor in each.affordances
        has_front = each.model is not None and each.model not in FRONTLESS
        return replace(each, affordances=each.affordances | {VIEWPOINT}) if is_agent or has_front else each

    classes = {name: seeing(each) for name, each in domain.classes.items()}
    constants = {
        name: replace(thing, affordances=thing.affordances | {VIEWPOINT})
        if thing.class_name in classes and VIEWPOINT in classes[thing.class_name].affordances
        else thing
        for name, thing in domain.constants.items()
    }
    affordances = {VIEWPOINT: "directions can be said as seen from it", **domain.affordances}
    return replace(domain, classes=classes, constants=constants, affordances=affordances)


def rest_of(verb: Capability, predicates: Mapping[str, PredicateModel]) -> Template | None:
    """Return the effect that says where the thing of a capability with roles `object` and `target` rests then."""
    ends = (f"?{verb.roles.get('object')}", f"?{verb.roles.get('target')}")
    made = (part for part in verb.effect if part.positive and part.args == ends)
    return next((part for part in made if predicates[part.predicate].sensed in RESTING), None)


def is_chosen(verb: Capability, role: str) -> bool:
    """Return whether what fills a role of a capability is one of its parameters, and no constant."""
    return any(each.name == verb.roles.get(role) for each in verb.parameters)


def _placing(verb: Capability, resting: Template | None, relation: str, domain: Domain) -> Capability:
    """Return the action that does as `verb` does, so that a relation holds.

    Where the surface is always the same, as that of blocks on the only table, no fact says that a reference stands on
    it: the relation holds only between things that are level.
    """
    model = MADE[relation]
    thing, surface = (f"?{verb.roles['object']}", verb.roles["target"])
    surface = f"?{surface}" if is_chosen(verb, "target") else surface
    others = ("x", "y")[: model.others]
    at = 1 + [parameter.name for parameter in verb.parameters].index(thing[1:])
    before, after = verb.parameters[:at], verb.parameters[at:]
    lies = verb.beside or before[-1].affordances[:1]
    beside: tuple[Template, ...] = ()
    if resting is not None and not verb.beside:
        lies = domain.predicates[resting.predicate].predicate.parameters[:1]
        beside = tuple(Template(resting.predicate, (f"?{other}", surface)) for other in others)
    viewer = (VIEWER,) if model.has_viewer else ()
    related = (thing, *(tuple(f"?{other}" for other in others) or (surface,)), *(f"?{name}" for name in viewer))
    role = SEEN_FROM.get(relation, relation)
    filled = dict(zip((role, "and") if model.others == 2 else (role,), others or (surface.lstrip("?"),), strict=True))
    distance = (ValueModel(DISTANCE, "cm", 0.0, FARTHEST, words=AWAY),) if model.has_distance else ()
    pairs = [(thing[1:], other) for other in others] + ([("x", "y")] if model.others == 2 else [])
    kept = (value for value in verb.values if value.name != "turn")  # where it comes to lie says how it is turned
    where = model.where.format("", *(f"{{{name[1:]}}}" if name.startswith("?") else name for name in related[1:]))
    where = where if others else where.rpartition(" of ")[0]
    return replace(
        verb,
        name=f"{verb.name}_{relation}",
        parameters=(
            *before,
            *(Parameter(other, lies) for other in others),
            *(Parameter(name, (VIEWPOINT,)) for name in viewer),
            *after,
        ),
        precondition=(*verb.precondition, *beside),
        effect=(*verb.effect, Template(relation, related)),
        distinct=(*verb.distinct, *pairs),
        roles={**verb.roles, **filled, **dict.fromkeys(viewer, VIEWER)},
        say=", ".join((verb.say, where, *(f"seen from {{{name}}}" for name in viewer))),
        aliases=(),
        relations=(),
        beside=(),
        places=(),
        values=tuple(sorted((*kept, *distance), key=lambda value: value.name)),
    )


def _predicate(relation: str, placing: Capability, support: str) -> PredicateModel:
    made = placing.effect[-1]
    default = SEEN_FROM.get(relation, relation)
    needs = {f"?{parameter.name}": parameter.affordances for parameter in placing.parameters}
    asked = tuple(needs.get(arg, (support,))[0] for arg in made.args)
    return PredicateModel(
        Predicate(relation, asked, MADE[relation].sentence, on_demand=True),
        SAID_PARTS.get(default, (default, ""))[0],
    )


def _phrases(predicate: Predicate) -> Iterator[GoalPhrase]:
    relation = predicate.name
    names = ("thing", "one", "other") if len(predicate.parameters) == 3 else ("thing", "other")
    goal = f"({' '.join((relation, *(f'{{{name}}}' for name in names)))})"
    others = " and ".join(f"{{{name}}}" for name in names[1:])
    for words in MADE[relation].words:
        yield GoalPhrase(f"{PUT} {words} {others}", goal, dict(zip(names, predicate.parameters, strict=True)))


def for_goal(
    domain: Domain, things: Mapping[str, Thing], goals: Iterable[Conjunct]
) -> tuple[Domain, Mapping[str, Thing]]:
    """Return the model in which a goal is planned, and the things as they are in it; its start needs the `homes`.

    Args:
        domain: The world; one without relations is returned as it is.
        things: Everything that exists.
        goals: The alternatives of the goal.
    """
    relations, goals = made_by(domain), tuple(goals)
    if not relations:
        return domain, things
    asked = _asked(domain, goals)
    marked: dict[str, set[str]] = {}
    for atom in asked:
        for number, name in enumerate(atom.args):
            marked.setdefault(name, set()).add(_mark(atom.predicate, number))
    changed = {
        name: replace(thing, affordances=thing.affordances | marked[name])
        for name, thing in things.items()
        if name in marked
    }
    model = domain.remember(
        ("relations", tuple(asked), tuple(changed.values())), lambda: _narrowed(domain, relations, asked, changed)
    )
    return model, {**things, **changed} if changed else things


def homes(
    domain: Domain, things: Mapping[str, Thing], goals: Iterable[Conjunct], *facts: frozenset[Atom]
) -> Iterator[Atom]:
    """Yield on which surfaces things may be put beside each reference of a goal: where it stands, or is to stand.

    A reference that stands on no surface, or that is to be put beside something itself, may go to any.

    Args:
        domain: The world.
        things: Everything that exists.
        goals: The alternatives of the goal.
        facts: What is believed, and what was before; the later counts for a reference that stands nowhere now.
    """
    goals = tuple(goals)
    asked = _asked(domain, goals)
    said = {literal.atom for goal in goals for literal in goal if literal.positive}
    if any(atom.predicate == HOME for known in facts for atom in known):
        return
    for verb in domain.capabilities.values() if asked else ():
        rest = rest_of(verb, domain.predicates) if verb.relations else None
        if rest is None:
            continue
        needed = next(each.affordances for each in verb.parameters if each.name == rest.args[1][1:])
        surfaces = {name for name, thing in things.items() if thing.affords(needed)}

        def at(name: str, predicate: str = rest.predicate, surfaces: set[str] = surfaces) -> set[str]:
            at_work = (
                {f.args[1] for f in known if f.predicate == predicate and f.args[0] == name} for known in (said, *facts)
            )
            placed = any(atom.args[0] == name for atom in asked)
            return surfaces if placed else next(filter(None, (surfaces & found for found in at_work)), surfaces)

        for atom in asked:
            others = references((atom,))
            kept = set[str]().union(*map(at, others))  # where one of two is to join the other
            yield from (Atom(HOME, (name, surface)) for name in others for surface in kept)


def references(atoms: Iterable[Atom]) -> tuple[str, ...]:
    """Return what some relations put things beside."""
    return tuple(dict.fromkeys(name for atom in atoms for name in atom.args[1 : 1 + MADE[atom.predicate].others]))


def _asked(domain: Domain, goals: Iterable[Conjunct]) -> list[Atom]:
    """Return the relations of a goal."""
    relations = made_by(domain)
    return sorted({literal.atom for goal in goals for literal in goal if literal.atom.predicate in relations})


def made_by(domain: Domain) -> dict[str, tuple[str, ...]]:
    """Return the names of the actions that `with_relations` made, by relation."""
    found: dict[str, list[str]] = {}
    for verb in domain.capabilities.values():
        for relation in verb.relations:
            found.setdefault(relation, []).append(f"{verb.name}_{relation}")
    return {relation: tuple(names) for relation, names in found.items()}


def _mark(relation: str, number: int) -> str:
    """Return the affordance of the things that a goal has at one argument of a relation."""
    return f"{relation}_{number}"


def _narrowed(
    domain: Domain, relations: Mapping[str, Sequence[str]], asked: Sequence[Atom], changed: Mapping[str, Thing]
) -> Domain:
    wanted = {atom.predicate for atom in asked}
    idle = {name for relation, names in relations.items() if relation not in wanted for name in names}
    making = {name: relation for relation in wanted for name in relations[relation]}
    capabilities = {
        name: _ending(_marked(verb, making.get(name)), domain, asked)
        for name, verb in domain.capabilities.items()
        if name not in idle
    }
    agents = {name: replace(agent, capabilities=agent.capabilities - idle) for name, agent in domain.agents.items()}
    marks = {
        mark: "the goal relates it to something"
        for thing in changed.values()
        for mark in thing.affordances
        if mark not in domain.affordances
    }
    return replace(
        domain,
        affordances={**domain.affordances, **marks},
        capabilities=capabilities,
        agents=agents,
        constants={**domain.constants, **changed},
        predicates={**domain.predicates, HOME: _HOME} if asked else domain.predicates,
    )


def _marked(verb: Capability, relation: str | None) -> Capability:
    """Return an action that makes a relation only between things of the goal."""
    if relation is None:
        return verb
    made = next(part for part in verb.effect if part.predicate == relation)
    marks = {arg[1:]: _mark(relation, number) for number, arg in enumerate(made.args) if arg.startswith("?")}
    parameters = tuple(
        replace(each, affordances=(*each.affordances, marks[each.name])) if each.name in marks else each
        for each in verb.parameters
    )
    surface = verb.roles["target"]
    others = made.args[1 : 1 + MADE[relation].others] if is_chosen(verb, "target") else ()
    kept = tuple(Template(HOME, (arg, f"?{surface}")) for arg in others)
    asked = tuple(each for each in verb.precondition if each not in kept)
    return replace(verb, parameters=parameters, precondition=(*asked, *kept))


def _ending(verb: Capability, domain: Domain, asked: Sequence[Atom]) -> Capability:
    """Return an action that ends the relations of the goal in which a thing is that it moves, or a viewer."""
    lost = [part for part in verb.effect if not part.positive]
    moved, gone = (
        dict.fromkeys(part.args[0] for part in lost if domain.predicates[part.predicate].sensed in tests)
        for tests in (MOVING, STANDING)
    )
    ended = (
        Template(atom.predicate, (*atom.args[:number], name, *atom.args[number + 1 :]), positive=False)
        for atom in asked
        for number in range(len(atom.args))
        for name in (gone if atom.predicate in SEEN_FROM and number == len(atom.args) - 1 else moved)
    )
    return replace(verb, effect=(*verb.effect, *dict.fromkeys(ended)))
