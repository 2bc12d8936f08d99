import pytest

from affordances.ontology import AFFORDANCES, STRUCTURAL, affording
from domains.reading import available_domains, load_domain
from semantics.errors import UnknownNameError
from tests.affordances.room import THINGS


def test_there_are_thirty_eight_affordances_each_with_a_sentence():
    assert len(AFFORDANCES) == 38
    assert all(len(sentence.split()) >= 3 for sentence in (*AFFORDANCES.values(), *STRUCTURAL.values()))
    assert len(set(AFFORDANCES.values())) == 38


def test_structural_types_are_no_affordances():
    assert not STRUCTURAL.keys() & AFFORDANCES.keys()


def test_the_kitchen_uses_the_names_of_the_ontology():
    assert "kitchen" in available_domains()
    assert load_domain("kitchen").affordances.keys() <= AFFORDANCES.keys() | STRUCTURAL.keys()


def test_things_are_found_by_what_they_afford_together():
    assert affording(THINGS, ["carry", "support"]) == ("plate0", "plate1", "tray0")
    assert affording(THINGS, ["object", "open"]) == ("fridge0",)
    assert affording(THINGS, ["pierce"]) == ()


def test_an_affordance_that_nobody_knows_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean support"):
        affording(THINGS, ["suport"])
