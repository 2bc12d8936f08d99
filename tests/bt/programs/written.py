"""Programs of the kitchen as hypothesis makes them up: everything the language has, in its one form."""

from functools import cache

from hypothesis import strategies as st

from semantics.logic.feedback import Code, Feedback
from semantics.logic.program import (
    Achieve,
    Assign,
    Break,
    Call,
    Constant,
    Continue,
    Do,
    Each,
    Fall,
    For,
    Function,
    If,
    Items,
    Name,
    Operation,
    Pass,
    Program,
    Return,
    While,
)

FIRST = (
    Assign(("n",), Constant(0)),
    Assign(("t",), Name("apple0")),
    Assign(("xs",), Items((Name("cup0"), Name("banana0")))),
)
"""Every body begins with these, so that there are names to use."""
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63).map(Constant),
    st.floats(-1e15, 1e15, allow_nan=False).map(Constant),
    st.just(Name("n")),
)
TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12)
TEXTS = TEXTS.filter(str.isprintable).map(Constant)
THINGS = st.sampled_from(["apple0", "banana0", "cup0", "t", "juice0"]).map(Name)
PLACES = st.sampled_from(["table0", "counter0", "shelf0", "fridge"]).map(Name)
TOP = 3


def binary(operators, parts):
    return st.builds(lambda word, one, other: Operation(word, (one, other)), st.sampled_from(operators), parts, parts)


@cache
def numbers(depth):
    if depth == 0:
        return NUMBERS
    return st.one_of(
        NUMBERS,
        binary(["+", "-", "*", "/", "//", "%"], st.deferred(lambda: numbers(depth - 1))),
        st.builds(lambda x: Operation("-", (x,)), st.just(Name("n"))),
        st.builds(lambda x: Call("abs", (x,)), numbers(depth - 1)),
        st.builds(lambda x: Call("len", (x,)), lists(depth - 1)),
        st.builds(lambda x, y: Call("max", (x, y)), numbers(depth - 1), numbers(depth - 1)),
    )


@cache
def lists(depth):
    plain = st.one_of(
        st.just(Name("xs")),
        st.sampled_from(["fruit", "drink", "support"]).map(lambda kind: Call("objects", (Constant(kind),))),
        st.integers(0, 4).map(lambda n: Call("range", (Constant(n),))),
        st.lists(st.one_of(THINGS, NUMBERS), max_size=3).map(lambda parts: Items(tuple(parts))),
    )
    if depth == 0:
        return plain
    each = st.builds(
        lambda over, where: Each(Name("each"), ("each",), over, where), lists(depth - 1), st.none() | truths(depth - 1)
    )
    return st.one_of(plain, each, binary(["+"], plain))


@cache
def truths(depth):
    facts = st.one_of(
        st.booleans().map(Constant),
        st.builds(lambda x, y: Call("on", (x, y)), THINGS, PLACES.filter(lambda name: name.text != "fridge")),
        st.builds(lambda x: Call("in_", (x, Name("fridge0"))), THINGS),
        st.just(Call("opened", (Name("fridge0"),))),
    )
    if depth == 0:
        return facts
    inner = st.deferred(lambda: truths(depth - 1))
    return st.one_of(
        facts,
        st.builds(lambda x: Operation("not", (x,)), inner),
        st.builds(
            lambda word, parts: Operation(word, tuple(parts)),
            st.sampled_from(["and", "or"]),
            st.lists(inner, min_size=2, max_size=3),
        ),
        binary(["<", "<=", ">", ">=", "==", "!="], numbers(depth - 1)),
        st.builds(lambda x, y, w: Operation(w, (x, y)), THINGS, lists(depth - 1), st.sampled_from(["in", "not in"])),
        st.builds(
            lambda name, over: Call(name, (Each(Call("on", (Name("each"), Name("table0"))), ("each",), over),)),
            st.sampled_from(["every", "any"]),
            st.sampled_from(["fruit", "drink"]).map(lambda kind: Call("objects", (Constant(kind),))),
        ),
    )


STEPS = st.one_of(
    st.builds(
        lambda start, end, said: Do(Call("move", (Name("robot0"), start, end), said)),
        PLACES,
        PLACES,
        st.sampled_from([(), (("speed", Constant("20cm/s")),)]),
    ),
    st.just(Do(Call("open", (Name("robot0"), Name("fridge0"), Name("fridge0"))))),
)
DEEDS = st.one_of(
    st.builds(lambda x: Do(Call("grasp", (x,))), THINGS),
    st.builds(lambda x: Do(Call("grasp", (), (("o", x), ("a", Name("robot0"))))), THINGS),
    st.builds(lambda x: Do(Call("move", (), (("end", x),))), PLACES.map(lambda p: p)),
    st.builds(lambda x: Do(Call("say", (x,))), TEXTS),
    st.builds(lambda x, y: Do(Call("place", (x, y))), THINGS, st.just(Name("table0"))),
    st.just(Do(Call("f", (Name("t"), Name("n"))))),
    st.just(Do(Call("g"))),
    st.just(Assign(("y",), Call("f", (Constant(1), Name("t"))))),
    st.just(Pass()),
    st.builds(
        Achieve,
        goal=st.just(Call("opened", (Name("fridge0"),))),
        by=st.just(()) | st.lists(STEPS, min_size=1, max_size=3).map(tuple),
        values=st.sampled_from([(), ("speed 20cm/s",), ("move.speed 0.2m/s", "speed 20cm/s")]),
        proved=st.booleans(),
        planner=st.sampled_from(["", "fast-downward", 'a "planner"']),
        bound=st.none() | st.integers(0, 9),
        left_out=st.sampled_from([(), (Feedback(Code.NO_PLAN, "the goal", "it's shut", "", ("fridge0",)),)]),
    ),
    st.builds(lambda x: Do(Call("fail", (x,))), TEXTS),
    st.builds(lambda x: Assign(("n",), x), numbers(2)),
    st.builds(lambda x: Assign(("xs",), x), lists(1)),
    st.just(Assign(("a", "b"), Items((Constant(1), Name("t"))))),
)


@st.composite
def drawn_block(draw, depth, loop, inside):
    found = draw(st.lists(statements(depth, loop, inside), min_size=1, max_size=3))
    ends = [Break(), Continue()] * loop + [
        Return(),
        Return(Name("n")),
        Return(Call("f", (Name("n"), Name("t")))),
    ] * inside
    if ends and draw(st.booleans()):
        found.append(draw(st.sampled_from(ends)))
    return tuple(found)


@cache
def blocks(depth, loop, inside):
    return drawn_block(depth, loop, inside)


@cache
def statements(depth, loop, inside):
    if depth == 0:
        return DEEDS
    body, looped = blocks(depth - 1, loop, inside), blocks(depth - 1, True, inside)
    return st.one_of(
        DEEDS,
        st.builds(If, truths(2), body, st.just(()) | body),
        st.builds(lambda over, inner: For(("one",), over, inner), lists(1), looped),
        st.builds(While, truths(1), looped),
        st.builds(Fall, body, body),
    )


@st.composite
def programs(draw):
    """Programs that `check_program` takes in the kitchen."""
    doc = draw(st.sampled_from(["", "What it does.", 'It\'s "quoted" \\ twice.']))
    functions = (
        Function("f", ("p", "q"), (*FIRST, *draw(blocks(1, False, True))), doc),
        Function("g", (), (*FIRST, *draw(blocks(1, False, True)))),
    )
    return Program(functions, (*FIRST, *draw(blocks(TOP, False, False))))
