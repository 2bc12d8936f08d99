from affordances.ontology import AFFORDANCES
from affordances.substitutes import Knowledge
from affordances.substitutes.knowledge import data_of, everyday_classes, sizes, uses
from affordances.substitutes.tasks import groups, predicates

PUBLIC = (
    "at clean cold covered cut dry flattened hammered_in heated in inhand joined liquid_in liquid_warm lit mixed on "
    "opened screwed_in seated_on standing_on stirred sweet warm written_on"
)


def test_every_class_of_a_use_is_known():
    assert {name for use in uses().values() for name in use.classes} <= everyday_classes().classes.keys()


def test_no_use_names_a_class_twice_or_is_called_like_an_affordance():
    assert [use.name for use in uses().values() if len(set(use.classes)) < len(use.classes)] == []
    assert not uses().keys() & AFFORDANCES.keys()


def test_every_everyday_class_has_one_size():
    assert sizes().keys() <= everyday_classes().classes.keys()
    listed = [name for names in data_of("sizes").values() for name in names]
    assert len(listed) == len(set(listed))


def test_a_class_that_is_like_another_gains_and_loses_only_affordances_of_the_ontology():
    for one in data_of("classes").values():
        assert {*one.get("gains", ()), *one.get("lacks", ())} <= AFFORDANCES.keys()


def test_every_use_that_a_task_names_exists():
    roles = [role for one in predicates().values() for role in one.get("roles", ())]
    lines = [line for one in predicates().values() for line in one.get("by", ())]
    lines += [line for role in roles for line in role.get("of", ())]
    named = {use for line in lines for use in line["uses"]} | {use for role in roles for use in role.get("uses", ())}
    assert named <= uses().keys()


def test_every_group_that_a_task_names_exists():
    lines = [line for one in predicates().values() for line in one.get("by", ())]
    roles = [role for one in predicates().values() for role in one.get("roles", ())]
    lines += [line for role in roles for line in role.get("of", ())]
    assert {group for line in lines for group in line.get("of", ())} <= groups().keys()


def test_every_predicate_of_the_public_list_is_described():
    assert set(PUBLIC.split()) <= predicates().keys()


def test_what_is_made_for_a_use_is_more_typical_than_what_only_serves():
    knowledge = Knowledge()
    assert knowledge.profile("hammer").typical["drive-nail"] > knowledge.profile("rock").typical["drive-nail"] >= 0.5


def test_what_few_classes_can_is_rarer_than_what_nearly_all_can():
    knowledge = Knowledge()
    assert knowledge.rarity("uncork") > knowledge.rarity("grasp")
