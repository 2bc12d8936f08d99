from affordances.elicitation.questions import decide, parse_question
from affordances.ontology import AFFORDANCES, QUESTIONS
from domains.reader import available_domains, load_domain
from tests.affordances.elicitation.plain import plain_questions

OBJECTS = {"cap", "convey", "hollow", "object", "slim", "soil", "steady", "tap", "upright"}
STRUCTURAL = OBJECTS | {"actor", "location", "viewpoint"}
"""The types that the capabilities of the kitchen need for their parameters."""


def test_there_are_thirty_eight_affordances_each_with_a_sentence():
    assert len(AFFORDANCES) == 38
    assert all(len(sentence.split()) >= 3 for sentence in AFFORDANCES.values())
    assert len(set(AFFORDANCES.values())) == 38


def test_each_has_questions_about_a_class_and_no_two_the_same():
    assert QUESTIONS.keys() == AFFORDANCES.keys()
    assert len(set(QUESTIONS.values())) == 38
    for name in AFFORDANCES:
        for text in plain_questions(parse_question(QUESTIONS[name])):
            assert "{}" in text or "its content" in text, (name, text)
            assert text.endswith("?"), (name, text)
            assert text.count("(") == text.count(")"), (name, text)


def test_every_question_can_come_out_either_way():
    for name in AFFORDANCES:
        texts = tuple(plain_questions(parse_question(QUESTIONS[name])))
        outcomes = {
            decide(parse_question(QUESTIONS[name]), {text: bool(bits >> at & 1) for at, text in enumerate(texts)}.get)
            for bits in range(2 ** len(texts))
        }
        assert outcomes == {True, False}, name


def test_structural_types_are_no_affordances():
    assert not STRUCTURAL & AFFORDANCES.keys()


def test_the_kitchen_uses_the_names_of_the_ontology():
    assert "kitchen" in available_domains()
    assert load_domain("kitchen").affordances.keys() <= AFFORDANCES.keys() | STRUCTURAL
