"""Whatever a PDDL file holds: a domain comes of it, or located problems, and soon."""

from hypothesis import HealthCheck, given, settings, strategies as st

from domains.errors import DomainFileError
from domains.pddl.reader.document import read_document
from domains.pddl.reader.domain import read_domain_document
from domains.pddl.reader.problem import read_problem_document
from tests.domains.pddl.worlds import WORLDS

DOMAINS = [world.domain for world in WORLDS.values()]
PROBLEMS = [(world.domain, world.problem) for world in WORLDS.values()]
PIECES = ["(", ")", "(and", "(not", "(when", "(forall (?x)", "?x", "-", "(either a b)", "(= ?x ?y)", ":action", "0.5"]
PIECES += [
    "1e99",
    "(increase (total-cost)",
    ":effect",
    "(:types a - a)",
    "\x00",
    "é",
    "(:derived (p) (not (p)))",
    "object",
]
edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(["", *PIECES])), min_size=1, max_size=4)
often = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def mutated(text: str, changes: list[tuple[float, int, str]]) -> str:
    for where, length, piece in changes:
        at = int(where * len(text))
        text = f"{text[:at]} {piece} {text[at + length :]}" if piece else text[:at] + text[at + length :]
    return text


def located(error: DomainFileError, text: str) -> None:
    lines = text.count("\n") + 1
    for problem in error.problems:
        assert 1 <= problem.line <= lines
        assert problem.column >= 1
        assert problem.code
        assert problem.message


@often
@given(st.sampled_from(DOMAINS), edits)
def test_a_mutated_domain_is_read_or_its_problems_are_located(text: str, changes: list[tuple[float, int, str]]):
    text = mutated(text, changes)
    try:
        document = read_document(text, "mutated.pddl")
        domain = read_domain_document(document, "mutated.pddl").domain
        document.diagnostics.settle()
    except DomainFileError as error:
        located(error, text)
    else:
        assert text.lower().count("(:action") >= len(domain.capabilities)


@often
@given(st.sampled_from(PROBLEMS), edits)
def test_a_mutated_problem_is_read_or_its_problems_are_located(
    texts: tuple[str, str], changes: list[tuple[float, int, str]]
):
    domain = read_domain_document(read_document(texts[0], "domain.pddl"), "domain.pddl").domain
    text = mutated(texts[1], changes)
    try:
        document = read_document(text, "mutated.pddl")
        problem = read_problem_document(domain, document, "mutated")
        document.diagnostics.settle()
    except DomainFileError as error:
        located(error, text)
    else:
        assert all(arg in problem.scene.things for atom in problem.scene.facts for arg in atom.args)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.sampled_from("aAbB-_ 0é"), min_size=1, max_size=4), min_size=1, max_size=12, unique=True))
def test_no_name_is_lost_and_none_comes_twice(names: list[str]):
    from domains.pddl.writer.names import LEGAL, RESERVED, Naming

    naming = Naming()
    given_names = [naming.give("thing", name) for name in (*names, "And", "object")]
    assert [naming.ours[name] for name in given_names] == [*names, "And", "object"]
    assert len(set(given_names)) == len(given_names)
    assert all(LEGAL.fullmatch(name) and name not in RESERVED for name in given_names)
