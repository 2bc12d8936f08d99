"""The reader of things and their placements: the class of a thing decides which keys it has.

A class with a model is furniture (pose and size), one with a shape is movable (on or in something), one with the
affordance of agents is the robot or a person (pose and place), and any other has no body, such as the floor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from domains.model import Domain, ObjectClass
from domains.reader.classes import with_affordances
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Entry, Node, value_of
from domains.reader.nodes.fields import Fields, flag, number, numbers, symbol, whole
from semantics.atoms import Atom
from semantics.geometry import PlanarPose
from semantics.layout import Furniture, Layout, MovableObject, Person, RobotStart
from semantics.vocabulary import Thing

__all__ = ["Placements"]

RELATIONS = {"on": "support", "in": "contain"}
"""The relations of a thing to its place, each with the convention for the affordance of the place."""
ROOM = 50.0
MOST_LEVELS = 20
MOST_EQUAL = 200
SPACING = 1.5
"""Distance of equal things in a row from centre to centre, as a multiple of their width."""


class Placements:
    """The things of a scene that were read so far.

    Attributes:
        things: Things by name, in the order of the file.
        at: Place of each agent that has one.
    """

    def __init__(self, domain: Domain, diagnostics: Diagnostics) -> None:
        self._domain = domain
        self._conventions = domain.conventions
        self._diagnostics = diagnostics
        self.things: dict[str, Thing] = {}
        self._unreadable: set[str] = set()
        self.at: dict[str, str] = {}
        self._marks: dict[str, Mark] = {}
        self._robots: list[RobotStart] = []
        self._furniture: dict[str, Furniture] = {}
        self._persons: list[Person] = []
        self._pieces: dict[str, MovableObject] = {}
        self._relations: list[tuple[str, str, str]] = []
        for name, thing in domain.constants.items():
            self.things[name] = thing

    def add(self, entry: Entry) -> None:
        """Read one thing."""
        name, node = entry.key.text, entry.value
        object_class = self._class_of(name, node)
        if object_class is None:
            self._unreadable.add(name)
            return
        for index, thing_name in enumerate(self._names_of(entry)):
            self._add_one(thing_name, object_class, node, entry.key.mark, index)

    def _names_of(self, entry: Entry) -> Iterator[str]:
        """Yield the name of a thing; for several equal things, the name with each number from 1."""
        count = value_of(entry.value, "count")
        name = entry.key.text
        names = [name]
        if count is not None:
            many = whole(count, f"the count of '{name}'", self._diagnostics, 1, 1, MOST_EQUAL)
            names = [f"{name}{number}" for number in range(1, many + 1)]
        for thing_name in names:
            if thing_name in self.things:
                message = f"'{thing_name}' is there already; expected another name"
                self._diagnostics.add(entry.key.mark, message, "named-twice", thing_name)
            else:
                yield thing_name

    def _add_one(self, name: str, object_class: ObjectClass, node: Node, mark: Mark, index: int) -> None:
        self.things[name] = self._domain.thing(name, object_class.name)
        self._marks[name] = mark
        if object_class.model is not None:
            self._add_furniture(name, object_class.model, object_class, node)
        elif object_class.shape is not None:
            self._add_piece(name, object_class, node, index)
        elif self._conventions.actor in object_class.affordances and not object_class.abstract:
            self._add_actor(name, object_class, node)
        else:
            self._add_bodiless(name, object_class, node)

    def check(self, node: Node | None) -> None:
        """Check the scene as a whole: missing or unsuitable places, cycles, the number of robots."""
        for piece in self._pieces.values():
            self._check_target(piece)
        for actor, place in self.at.items():
            self._check_named(place, self._conventions.location, self._marks[f"{actor} at"], f"'{actor}' is at")
        for name, place, relation in self._relations:
            mark = self._marks[f"{name} where"]
            self._check_named(place, self._taking(relation), mark, f"'{name}' is {relation}")
        if node is not None and not self.things and not self._unreadable:
            self._diagnostics.add(node.mark, "no things; expected at least one", "empty-section")
        if node is not None and self._needs_robot and len(self._robots) != 1:
            message = f"{len(self._robots) or 'no'} things of class '{self._conventions.robot}'; expected one"
            self._diagnostics.add(node.mark, message, "wrong-number-of-robots")

    @property
    def _needs_robot(self) -> bool:
        """Whether this is an arrangement for a body, rather than only names and facts for planning."""
        body = self._domain.classes.get(self._conventions.robot)
        placed = bool(self._furniture or self._pieces or self._persons or self._robots)
        return placed and body is not None and not body.abstract

    def names(self) -> dict[str, tuple[str, ...]]:
        """Return every name of the file with its affordances; none for a thing that could not be read."""
        readable = {name: tuple(thing.affordances) for name, thing in self.things.items()}
        return readable | dict.fromkeys(self._unreadable, ())

    def layout(self, states: frozenset[Atom]) -> Layout | None:
        """Return the arrangement, with facts that no position shows; None where no robot is placed."""
        if not self._robots:
            return None
        furniture, pieces = tuple(self._furniture.values()), tuple(self._pieces.values())
        floors = [name for name, thing in self.things.items() if thing.class_name == self._conventions.floor]
        layout = Layout(self._robots[0], furniture, pieces, tuple(self._persons), states)
        return replace(layout, ground=floors[0]) if floors else layout

    def facts(self) -> Iterator[Atom]:
        """Yield the facts of the arrangement, as far as the domain has predicates for them."""
        predicates = self._domain.predicates
        yield from (atom for atom in self._all_facts() if atom.predicate in predicates)

    def _all_facts(self) -> Iterator[Atom]:
        for piece in self._pieces.values():
            yield Atom(self._conventions[piece.relation], (piece.name, piece.where))
        for name, place, relation in self._relations:
            yield Atom(self._conventions[relation], (name, place))
        for actor, place in self.at.items():
            yield Atom(self._conventions.at, (actor, place))
        for piece_of_furniture in self._furniture.values():
            if self._conventions.open in self.things[piece_of_furniture.name].affordances:
                door = self._conventions.opened if piece_of_furniture.opened else self._conventions.closed
                yield Atom(door, (piece_of_furniture.name,))

    def _taking(self, relation: str) -> str:
        """Return the affordance that a place must have for things on it, or in it."""
        return self._conventions[RELATIONS[relation]] or RELATIONS[relation]

    def _class_of(self, name: str, node: Node) -> ObjectClass | None:
        class_node = value_of(node, "class")
        if class_node is None:
            message = f"thing '{name}' has no 'class'; expected a table such as {{class: cup, on: table0}}"
            self._diagnostics.add(node.mark, message, "missing-key")
            return None
        class_name = symbol(class_node, f"the class of '{name}'", self._diagnostics)
        if class_name and class_name not in self._domain.classes:
            self._diagnostics.unknown(class_node.mark, "class", class_name, self._domain.classes)
        return self._domain.classes.get(class_name)

    def _pose(self, fields: Fields) -> PlanarPose:
        x, y, yaw = numbers(fields.get("pose"), 3, f"the pose of {fields.what}", self._diagnostics, -ROOM, ROOM)
        return PlanarPose(x, y, yaw)

    def _add_furniture(self, name: str, model: str, object_class: ObjectClass, node: Node) -> None:
        fields = self._open(
            name, node, "furniture that opens" if self._conventions.open in object_class.affordances else "furniture"
        )
        width, depth, height = numbers(fields.get("size"), 3, f"the size of '{name}'", self._diagnostics, 0.05, ROOM)
        opened = flag(fields.get("opened"), f"'opened' of '{name}'", self._diagnostics)
        self._furniture[name] = Furniture(name, model, self._pose(fields), (width, depth, height), opened)

    def _add_actor(self, name: str, object_class: ObjectClass, node: Node) -> None:
        fields = self._open(name, node, "actor")
        self._read_place(name, fields)
        if object_class.name == self._conventions.robot:
            self._robots.append(RobotStart(name, self._pose(fields)))
        else:
            self._persons.append(Person(name, self._pose(fields)))

    def _open(self, name: str, node: Node, table: str) -> Fields:
        """Read the keys of a thing, and its affordances that differ from its class."""
        fields = open_table(node, table, f"'{name}'", self._diagnostics)
        self.things[name] = with_affordances(
            self.things[name], fields, tuple(self._domain.affordances), self._diagnostics
        )
        return fields

    def _read_place(self, name: str, fields: Fields) -> None:
        place = fields.get("at")
        if place is not None:
            self.at[name] = symbol(place, f"the place of '{name}'", self._diagnostics)
            self._marks[f"{name} at"] = place.mark

    def _add_bodiless(self, name: str, object_class: ObjectClass, node: Node) -> None:
        """Read an abstract thing or a place; its own place is optional."""
        is_actor = self._conventions.actor in object_class.affordances
        fields = self._open(name, node, "actor without a body" if is_actor else "bodiless")
        self._read_place(name, fields)
        relations = [relation for relation in RELATIONS if fields.get(relation) is not None]
        for relation in relations[:1]:
            where = fields.values[relation]
            self._marks[f"{name} where"] = where.mark
            self._relations.append((name, symbol(where, f"'{relation}' of '{name}'", self._diagnostics), relation))
        if len(relations) > 1:
            message = f"'{name}' has both on and in; expected one of them"
            self._diagnostics.add(fields.values[relations[1]].mark, message, "keys-contradict", name)

    def _add_piece(self, name: str, object_class: ObjectClass, node: Node, index: int) -> None:
        fields = self._open(name, node, "piece")
        relations = [relation for relation in RELATIONS if fields.get(relation) is not None]
        if len(relations) != 1 or object_class.shape is None:
            message = f"'{name}' has {'both on and in' if relations else 'neither on nor in'}; expected one of them"
            self._diagnostics.add(node.mark, message, "needs-placement", name)
            return
        where = fields.values[relations[0]]
        self._marks[f"{name} where"] = where.mark
        right, front = numbers(fields.get("offset"), 2, f"the offset of '{name}'", self._diagnostics, -ROOM, ROOM)
        self._pieces[name] = MovableObject(
            name,
            object_class.shape,
            relations[0],
            symbol(where, f"'{relations[0]}' of '{name}'", self._diagnostics),
            (right + index * SPACING * object_class.shape.size[0], front),
            whole(fields.get("level"), f"the level of '{name}'", self._diagnostics, 0, 0, MOST_LEVELS),
            number(fields.get("yaw"), f"the yaw of '{name}'", self._diagnostics, 0.0, -ROOM, ROOM),
        )

    def _check_target(self, piece: MovableObject) -> None:
        mark = self._marks[f"{piece.name} where"]
        able = self._taking(piece.relation)
        if not self._check_named(piece.where, able, mark, f"'{piece.name}' is {piece.relation}"):
            return
        if piece.name in self._below(piece.name):
            self._diagnostics.add(
                mark, f"'{piece.name}' stands on or in itself by way of '{piece.where}'", "carries-itself"
            )
        furniture = self._furniture.get(piece.where)
        if furniture is not None:
            self._check_offset(piece, furniture, mark)

    def _check_named(self, name: str, affordance: str, mark: Mark, what: str) -> bool:
        if name in self._unreadable:
            return False
        if name not in self.things:
            self._diagnostics.unknown(mark, "thing", name, self.things)
            return False
        if affordance not in self.things[name].affordances:
            able = ", ".join(other for other, thing in self.things.items() if affordance in thing.affordances)
            meant = f"expected one of {able}" if able else f"nothing here affords {affordance}"
            self._diagnostics.add(
                mark, f"{what} '{name}', which does not afford {affordance}; {meant}", "lacks-affordance"
            )
            return False
        return True

    def _below(self, name: str) -> list[str]:
        """Return the supports of a thing, direct and indirect; a cycle is followed once."""
        below: list[str] = []
        while name in self._pieces and self._pieces[name].where not in below:
            name = self._pieces[name].where
            below.append(name)
        return below

    def _check_offset(self, piece: MovableObject, furniture: Furniture, mark: Mark) -> None:
        (right, front), (width, depth, _) = piece.offset, furniture.size
        if width and depth and (abs(right) > width / 2 or abs(front) > depth / 2):
            message = (
                f"'{piece.name}' lies beyond the edge of '{piece.where}'; "
                f"expected an offset within {width / 2:g} and {depth / 2:g}"
            )
            self._diagnostics.add(mark, message, "beyond-the-edge")
