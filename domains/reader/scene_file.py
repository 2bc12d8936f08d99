"""The reader of scene files: things, their placements, and the initial beliefs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import product

from domains.invariants.clashing_facts import clash_message, clashing_facts
from domains.model import Domain, NumericFluent, ObjectClass, SceneFile
from domains.reader.attributes import as_known, attribute_facts, measured_values, shown_colour
from domains.reader.classes import with_own
from domains.reader.formulas.conditions import check_names, read_atoms, read_formula
from domains.reader.formulas.scope import FormulaScope, Names, scope_of
from domains.reader.furnishing import Drawer, check_furniture, drawer_in, read_parameters
from domains.reader.keys import TABLES, TO_ARRANGE, open_table
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode, value_of
from domains.reader.nodes.fields import Field, Fields, entries, is_empty
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.geometry.furnishing import DRAWER, MESH, USUAL_SIZES
from semantics.geometry.geometry import Mesh, PlanarPose, Vector
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.vocabulary import Thing

MOST_TOLD = 3
MOST_VALUES = 20_000


def read_scene(node: Node, domain: Domain, name: str) -> SceneFile:
    """Read a whole scene; the result is invalid when its file has errors."""
    fields = replace(open_table(node, "scene", "a scene"), what="the scene")
    node.file.ancestry = domain.ancestry
    fields["domain"].choice("domain", (domain.name, *domain.ancestry.bases.values()))
    placements = Placements(domain, _seed_of(fields["arrange"]))
    for entry in entries(fields.get("things"), "things"):
        placements.add(entry)
    for entry in entries(fields.get("unlisted"), "unlisted"):
        placements.add(entry, unlisted=True)
    placements.check(fields.get("things"))
    things = placements.listed
    scope = replace(scope_of({}, domain.predicates, domain.fluents, None), names=placements.names())
    actors = tuple(name for name, thing in things.items() if domain.conventions.actor in thing.affordances)
    speaker = Field(fields.get("speaker"), "the speaker").choice("actor", actors)
    places = tuple(placements.facts())
    stated = frozenset(_read_facts(fields.get("facts"), domain, scope, places))
    values = frozenset(attribute_facts(domain, things))
    models = domain.predicates
    told = {atom for atom in values if models[atom.predicate].predicate.goal or models[atom.predicate].told}
    return SceneFile(
        name=fields["name"].symbol(name),
        things=as_known(things, domain),
        layout=placements.layout(frozenset(atom for atom in stated | told if not _is_shown(atom, domain))),
        facts=stated.union(places, values),
        beliefs=_read_beliefs(fields.get("beliefs"), domain, placements.names()),
        speaker=speaker or None,
        numbers=_read_numbers(fields, domain, things, scope),
        hidden=frozenset(placements.hidden),
    )


def _is_shown(atom: Atom, domain: Domain) -> bool:
    """Return whether the position of things shows a fact, so that no body has to be told; a lid has no position."""
    model = domain.predicates.get(atom.predicate)
    return model is not None and model.sensed is not None and atom.predicate not in domain.conventions.doors


def _seed_of(field: Field) -> int | None:
    """Return the seed of a scene that is arranged: 0 for ``true``; None for one that is not."""
    if isinstance(field.node, Scalar) and field.node.text in ("true", "false"):
        return 0 if field.flag() else None
    return field.whole(None)


def _read_beliefs(node: Node | None, domain: Domain, names: Names) -> dict[Atom, str]:
    if node is None or is_empty(node):
        return {}
    if not isinstance(node, TableNode):
        node.report("beliefs: expected a table such as {(in milk0 fridge0): last seen yesterday}", "wrong-kind")
        return {}
    beliefs: dict[Atom, str] = {}
    for key, value in node.entries:
        source = Field(value, f"the source of belief {key.text}").text()
        formula = read_formula(key, "a belief")
        if isinstance(formula, Atom):
            check_names(key, names, domain.predicates)
            beliefs[formula] = source
        elif formula != And(()):
            key.report(f"a belief is {formula}; expected one fact such as (in milk0 fridge0)", "unreadable-formula")
    return beliefs


def _read_facts(node: Node | None, domain: Domain, scope: FormulaScope, places: Collection[Atom]) -> Iterator[Atom]:
    """Yield the facts of a list; report those that exclude each other or a fact of the arrangement, `places`."""
    written = list(read_atoms(Field(node, "a fact"), scope))
    marks = {atom: (source, tree) for source, tree, atom in written}
    for first, second in clashing_facts((*places, *marks), domain):
        if second in marks:
            source, tree = marks[second]
            source.add(tree, clash_message(first, second), "exclusive-facts", str(second))
    for source, tree, atom in written:
        source.call(tree, Literal(atom), scope.predicates, "predicate", scope)
        if atom.predicate in domain.derived:
            message = f"{atom} follows from other facts by definition; expected those"
            source.add(tree, message, "derived-stated", atom.predicate)
        yield atom


def _read_numbers(
    fields: Fields, domain: Domain, things: Mapping[str, Thing], scope: FormulaScope
) -> dict[Atom, float]:
    """Read the values that a scene gives, and add the default values."""
    node = fields.get("numbers")
    stated: dict[Atom, float] = {}
    if node is not None and not is_empty(node) and not isinstance(node, TableNode):
        node.report("numbers: expected a table such as {(volume milk0): 1.0}", "wrong-kind")
    for key, value in node.entries if isinstance(node, TableNode) else ():
        amount = Field(value, f"the value of {key.text}").number(0.0)
        for source, tree, atom in read_atoms(Field(key, "the name of a number"), scope):
            source.call(tree, Literal(atom), scope.fluents, "number", scope)
            if atom in stated:
                key.report(f"{atom} has a value already; expected one", "named-twice", str(atom))
            stated.setdefault(atom, amount)
    values: dict[Atom, float] = {}
    for fluent in domain.fluents.values():
        values |= _completed(fluent, stated, things, fields)
    return values | stated


def _completed(
    fluent: NumericFluent, stated: Mapping[Atom, float], things: Mapping[str, Thing], fields: Fields
) -> dict[Atom, float]:
    """Return the default values of a number, or report missing values."""
    able = [
        [name for name, thing in things.items() if affordance == "object" or affordance in thing.affordances]
        for affordance in fluent.parameters
    ]
    count = 1
    for names in able:
        count *= len(names)
    if count > MOST_VALUES:
        message = f"number '{fluent.name}' has {count} values here; at most {MOST_VALUES} are taken"
        fields.node.report(message, "too-many-values", fluent.name)
        return {}
    atoms = (Atom(fluent.name, args) for args in product(*able))
    if fluent.default is not None:
        return dict.fromkeys(atoms, fluent.default)
    missing = [str(atom) for atom in atoms if atom not in stated]
    if missing:
        shown = ", ".join(missing[:MOST_TOLD]) + (", …" if len(missing) > MOST_TOLD else "")
        message = f"no value of {shown}; expected one each, or a 'default' of number '{fluent.name}'"
        (fields.get("numbers") or fields.node).report(message, "no-value", fluent.name)
    return {}


CONTACTS = ("on", "in")
PLACES = {"on": "support", "in": "contain", "at": "location"}
"""The relations of a thing to its place, each with the convention for the affordance of the place."""
ROOM = 50.0
MOST_LEVELS = 20
MOST_EQUAL = 200
SPACING = 1.5  # distance of equal things in a row from centre to centre, as a multiple of their width


class Placements:
    """The things of a scene that were read so far.

    Args:
        domain: The world.
        seed: The seed with which things without a pose are arranged; None where each states its pose.

    Attributes:
        things: Things by name, in the order of the file.
        hidden: The movable things of which nobody knows where they are.
        unlisted: The movable things of which nobody is told that they are there.
    """

    def __init__(self, domain: Domain, seed: int | None = None) -> None:
        self._domain = domain
        self._seed = seed
        self._free: dict[str, Node] = {}
        self._conventions = domain.conventions
        self.things: dict[str, Thing] = dict(domain.constants)
        self._unplaced: dict[str, Thing] = dict(domain.constants)
        self._unreadable: set[str] = set()
        self._stated: dict[tuple[str, str], tuple[str, Node]] = {}
        self._robots: list[RobotStart] = []
        self._furniture: dict[str, Furniture] = {}
        self._drawers: list[Drawer] = []
        self._persons: list[Person] = []
        self._pieces: dict[str, MovableObject] = {}
        self.hidden: set[str] = set()
        self.unlisted: set[str] = set()

    @property
    def listed(self) -> dict[str, Thing]:
        """The things that files tell of, by name."""
        return {name: thing for name, thing in self.things.items() if name not in self.unlisted}

    def add(self, entry: Entry, *, unlisted: bool = False) -> None:
        """Read one thing; nobody is told of one that is unlisted."""
        name, node = entry.key.text, entry.value
        object_class = self._class_of(name, node)
        if object_class is not None and unlisted and object_class.shape is None:
            message = f"'{name}' is of class '{object_class.name}', which has no shape; expected what can be moved"
            (value_of(node, "class") or node).report(message, "cannot-be-unlisted", name)
            object_class = None
        if object_class is None:
            self._unreadable.add(name)
            return
        for index, thing_name in enumerate(self._names_of(entry, object_class)):
            if unlisted:
                self.unlisted.add(thing_name)
            self._add_one(thing_name, object_class, node, index)

    def _names_of(self, entry: Entry, object_class: ObjectClass) -> Iterator[str]:
        """Yield the name of a thing; for several equal things, the name with each number from 1."""
        count = value_of(entry.value, "count")
        name = entry.key.text
        names = [name]
        if count is not None:
            many = Field(count, f"the count of '{name}'").whole(1, 1, MOST_EQUAL)
            names = [f"{name}{number}" for number in range(1, many + 1)]
        for thing_name in names:
            constant = self._unplaced.get(thing_name)
            if constant is not None and object_class.model and constant.class_name == object_class.name:
                del self._unplaced[thing_name]  # a constant with a body, which the scene places for the first time
            elif thing_name in self.things:
                message = f"'{thing_name}' is there already; expected another name"
                entry.key.report(message, "named-twice", thing_name)
                continue
            yield thing_name

    def _add_one(self, name: str, object_class: ObjectClass, node: Node, index: int) -> None:
        self.things.setdefault(name, object_class.instance(name))
        if object_class.model == DRAWER:
            self._drawers.append(Drawer.read(name, self._open(name, node, "part of furniture")))
        elif object_class.model is not None:
            self._add_furniture(name, object_class.model, object_class, node)
        elif object_class.shape is not None:
            self._add_piece(name, object_class.shape, node, index)
        elif self._conventions.actor in object_class.affordances and not object_class.abstract:
            self._add_actor(name, object_class, node)
        else:
            self._add_bodiless(name, object_class, node)

    def check(self, node: Node | None) -> None:
        """Check the scene as a whole: missing or unsuitable places, cycles, the number of robots."""
        for drawer in self._drawers:
            piece = drawer_in(drawer, self._furniture)
            if piece is not None:
                self._furniture[piece.name] = piece
        for (name, relation), (place, written) in self._stated.items():
            if self._check_named(name, relation, place, written) and name in self._pieces:
                self._check_target(self._pieces[name], written)
        if node is not None and not self.things and not self._unreadable:
            node.report("no things; expected at least one", "empty-section")
        if node is not None and self._robots:
            self._check_constants(node)
        # An arrangement for a body needs one; names and facts for planning alone do not.
        body = self._domain.classes.get(self._conventions.robot)
        placed = bool(self._furniture or self._pieces or self._persons or self._robots)
        if node is not None and placed and body is not None and not body.abstract and len(self._robots) != 1:
            message = f"{len(self._robots) or 'no'} things of class '{self._conventions.robot}'; expected one"
            node.report(message, "wrong-number-of-robots")

    def _check_constants(self, node: Node) -> None:
        """Report the constants with a body that an arrangement does not place."""
        for name, thing in self._unplaced.items():
            if self._domain.classes[thing.class_name].model is not None:
                message = f"constant '{name}' stands nowhere; expected it among the things, with its pose and size"
                node.report(message, "needs-placement", name)

    def names(self) -> dict[str, tuple[str, ...]]:
        """Return every name of the file with its affordances; none for a thing that could not be read."""
        readable = {name: tuple(thing.affordances) for name, thing in self.listed.items()}
        return readable | dict.fromkeys(self._unreadable, ())

    def layout(self, states: frozenset[Atom]) -> Layout | None:
        """Return the arrangement, with facts that no position shows; None where no robot is placed."""
        if not self._robots:
            return None
        furniture, pieces = tuple(self._furniture.values()), tuple(self._pieces.values())
        floors = [name for name, thing in self.things.items() if thing.class_name == self._conventions.floor]
        layout = Layout(self._robots[0], furniture, pieces, tuple(self._persons), states)
        layout = replace(layout, ground=floors[0]) if floors else layout
        return layout if self._seed is None else self._arranged(layout, self._seed)

    def _arranged(self, layout: Layout, seed: int) -> Layout:
        """Return the layout with a pose for everything; report what there is no room for."""
        from domains.reader.room_plan import planned_room  # only a scene that is arranged needs it

        places = {name: place for (name, relation), (place, _) in self._stated.items() if relation == "at"}
        planned = planned_room(layout, self._free, places, seed)
        for name, why in planned.homeless.items():
            self._free[name].report(
                f"'{name}' cannot be arranged: {why}; expected a pose, or fewer things", "no-room", name
            )
        return planned.layout

    def facts(self) -> Iterator[Atom]:
        """Yield the facts of the arrangement, as far as the domain has predicates that take these things."""
        listed = ((key, place) for key, (place, _) in self._stated.items() if key[0] not in self.unlisted)
        found = [Atom(self._conventions[relation], (name, place)) for (name, relation), place in listed]
        for furniture in self._furniture.values():
            if furniture.part_of:
                found.append(Atom(self._conventions.part_of, (furniture.name, furniture.part_of)))
            if self._conventions.open in self.things[furniture.name].affordances:
                door = self._conventions.opened if furniture.opened else self._conventions.closed
                found.append(Atom(door, (furniture.name,)))
        return (atom for atom in found if self._domain.takes(atom, self.things))

    def _class_of(self, name: str, node: Node) -> ObjectClass | None:
        class_node = value_of(node, "class")
        if class_node is None:
            message = f"thing '{name}' has no 'class'; expected a table such as {{class: cup, on: table0}}"
            node.report(message, "missing-key")
            return None
        class_name = Field(class_node, f"the class of '{name}'").symbol()
        if class_name and class_name not in self._domain.classes:
            class_node.unknown("class", class_name, self._domain.classes)
        return self._domain.classes.get(class_name)

    def _open(self, name: str, node: Node, table: str) -> Fields:
        """Read the keys of a thing, and its affordances that differ from its class."""
        arranged = f"{table}{TO_ARRANGE}"
        fields = open_table(node, table if self._seed is None or arranged not in TABLES else arranged, f"'{name}'")
        given = tuple(self._domain.affordances), self._domain.attributes
        self.things[name] = with_own(self.things[name], fields, *given)
        return fields

    def _add_furniture(self, name: str, model: str, object_class: ObjectClass, node: Node) -> None:
        opens = self._conventions.open in object_class.affordances
        mesh = object_class.mesh
        sort = f"furniture{' of a mesh' if model == MESH else ''}{' that opens' if opens else ''}"
        fields = self._open(name, node, sort)
        size = self._size(name, model, fields, mesh)
        thing = self.things[name]
        values = measured_values(self._domain.attributes, size, None, thing.attributes)
        self.things[name] = replace(thing, attributes=values)
        parameters = tuple((dict(object_class.parameters) | dict(read_parameters(fields, model))).items())
        furniture = Furniture(
            name, model, self._pose(name, fields), size, fields["opened"].flag(), parameters, mesh=mesh
        )
        check_furniture(furniture, fields)
        self._furniture[name] = furniture

    def _pose(self, name: str, fields: Fields) -> PlanarPose:
        if self._seed is not None and fields.get("pose") is None:
            self._free[name] = fields.node
        x, y, yaw = fields["pose"].numbers(3, -ROOM, ROOM)
        return PlanarPose(x, y, yaw)

    def _size(self, name: str, model: str, fields: Fields, mesh: Mesh | None) -> Vector:
        """Read the size of a piece of furniture; one that is arranged has a usual size, one from a file its own."""
        if model == MESH:
            from domains.reader.meshes import mesh_size  # few scenes have furniture from files

            return mesh_size(mesh)
        if self._seed is not None and fields.get("size") is None:
            if model in USUAL_SIZES:
                return USUAL_SIZES[model]
            fields.node.report(
                f"'{name}' has no 'size'; expected one, since a {model} has no usual size", "missing-key"
            )
        width, depth, height = fields["size"].numbers(3, 0.05, ROOM)
        return (width, depth, height)

    def _add_actor(self, name: str, object_class: ObjectClass, node: Node) -> None:
        is_robot = object_class.name == self._conventions.robot
        fields = self._open(name, node, "robot" if is_robot else "actor")
        self._read_place(name, fields, "at")
        if is_robot:
            self._robots.append(RobotStart(name, self._pose(name, fields), fields["body"].symbol()))
        else:
            self._persons.append(Person(name, self._pose(name, fields)))

    def _read_place(self, name: str, fields: Fields, relation: str) -> str:
        """Read the name of the place at, on or in which a thing is, if the file states one."""
        node = fields.get(relation)
        if node is None:
            return ""
        place = Field(node, f"the place of '{name}'" if relation == "at" else fields[relation].what).symbol()
        self._stated[name, relation] = (place, node)
        return place

    def _add_bodiless(self, name: str, object_class: ObjectClass, node: Node) -> None:
        """Read an abstract thing or a place; its own place is optional."""
        is_actor = self._conventions.actor in object_class.affordances
        fields = self._open(name, node, "actor without a body" if is_actor else "bodiless")
        self._read_place(name, fields, "at")
        relations = [relation for relation in CONTACTS if relation in fields.values]
        for relation in relations[:1]:
            self._read_place(name, fields, relation)
        if len(relations) > 1:
            message = f"'{name}' has both on and in; expected one of them"
            fields.values[relations[1]].report(message, "keys-contradict", name)

    def _add_piece(self, name: str, shape: Shape, node: Node, index: int) -> None:
        fields = self._open(name, node, "unlisted piece" if name in self.unlisted else "piece")
        relations = [relation for relation in CONTACTS if relation in fields.values]
        if len(relations) != 1:
            message = f"'{name}' has {'both on and in' if relations else 'neither on nor in'}; expected one of them"
            node.report(message, "needs-placement", name)
            return
        if fields["hidden"].flag():
            self.hidden.add(name)
        own = {key.text for key, _ in fields.entries("attributes")}
        values = tuple(pair for pair in self.things[name].attributes if pair[0] in own)
        shape = replace(shape, colour=shown_colour(values, self._domain.attributes) or shape.colour)
        if self._seed is not None and fields.get("offset") is None:
            self._free[name] = fields.node
        right, front = fields["offset"].numbers(2, -ROOM, ROOM)
        self._pieces[name] = MovableObject(
            name,
            shape,
            relations[0],
            self._read_place(name, fields, relations[0]),
            (right + index * SPACING * shape.size[0], front),
            fields["level"].whole(0, 0, MOST_LEVELS),
            fields["yaw"].number(0.0, -ROOM, ROOM),
            fields["label"].text(),
        )

    def _check_target(self, piece: MovableObject, written: Node) -> None:
        """Report a piece that carries itself, or that lies beyond the edge of its furniture."""
        below, name = list[str](), piece.name
        while name in self._pieces and self._pieces[name].where not in below:  # a cycle is followed once
            name = self._pieces[name].where
            below.append(name)
        if piece.name in below:
            message = f"'{piece.name}' stands on or in itself by way of '{piece.where}'"
            written.report(message, "carries-itself")
        if piece.where not in self._furniture:
            return
        (right, front), (width, depth, _) = piece.offset, self._furniture[piece.where].size
        if width and depth and (abs(right) > width / 2 or abs(front) > depth / 2):
            message = (
                f"'{piece.name}' lies beyond the edge of '{piece.where}'; "
                f"expected an offset within {width / 2:g} and {depth / 2:g}"
            )
            written.report(message, "beyond-the-edge")

    def _check_named(self, name: str, relation: str, place: str, written: Node) -> bool:
        """Return whether a place is there and takes things in this relation; otherwise report it."""
        if place in self._unreadable:
            return False
        if place not in self.things or (place in self.unlisted and name not in self.unlisted):
            written.unknown("thing", place, self.listed)
            return False
        key = PLACES[relation]
        affordance = self._conventions[key] or (key if relation in CONTACTS else "")
        if affordance not in self.things[place].affordances:
            able = ", ".join(other for other, thing in self.things.items() if affordance in thing.affordances)
            meant = f"expected one of {able}" if able else f"nothing here affords {affordance}"
            message = f"'{name}' is {relation} '{place}', which does not afford {affordance}; {meant}"
            written.report(message, "lacks-affordance")
            return False
        return True
