"""Facts that share a variable never hold together, and each action says what becomes of it."""

from planning.task.grounding import exclusive

TABLE, SHELF, HAND, FREE = (
    ("on", ("cup", "table")),
    ("on", ("cup", "shelf")),
    ("inhand", ("cup", "me")),
    ("free", ("cup",)),
)
STATES = {"cup": [frozenset({TABLE, FREE}), frozenset({SHELF, FREE}), frozenset({HAND})]}
GRASP = ([(TABLE, True)], [(HAND, True), (TABLE, False), (FREE, False)])


def test_places_of_a_thing_share_a_variable_and_what_holds_beside_them_does_not():
    assert [set(one) for one in exclusive([TABLE, SHELF, HAND, FREE], STATES, [], [])] == [{TABLE, SHELF, HAND}]


def test_what_is_denied_somewhere_stands_alone():
    assert [set(one) for one in exclusive([TABLE, SHELF, HAND], STATES, [], [SHELF])] == [{TABLE, HAND}]


def test_what_ends_without_being_known_to_hold_stands_alone():
    sweep = ([], [(TABLE, False)])
    assert [set(one) for one in exclusive([TABLE, SHELF, HAND], STATES, [GRASP, sweep], [])] == [{SHELF, HAND}]


def test_nothing_is_said_of_things_whose_states_are_not_known():
    assert exclusive([TABLE, SHELF], {}, [], []) == ()
