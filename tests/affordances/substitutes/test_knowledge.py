from affordances.ontology import AFFORDANCES
from affordances.substitutes import Knowledge
from affordances.substitutes.everyday import FIXED, data_of, everyday_classes, head_class, known_class
from affordances.substitutes.knowledge import spoken_uses, uses
from affordances.substitutes.tasks import groups, predicates
from domains.reader.class_packs import available_packs, load_pack

PUBLIC = (
    "at clean cold covered cut dry flattened hammered_in heated in inhand joined liquid_in liquid_warm lit mixed on "
    "opened screwed_in seated_on standing_on stirred sweet warm written_on"
)


def test_every_class_of_a_use_is_known():
    assert {name for use in uses().values() for name in use.classes} <= everyday_classes().keys()


def test_no_use_names_a_class_twice_or_is_called_like_an_affordance():
    listed = {name: entry["classes"].split() for name, entry in data_of("uses").items()}
    assert [name for name, classes in listed.items() if len(set(classes)) < len(classes)] == []
    assert not uses().keys() & AFFORDANCES.keys()


def test_a_class_is_as_large_as_its_box_and_what_stays_is_fixed():
    classes = everyday_classes()
    assert classes["paper_clip"].size < classes["spoon"].size < classes["bottle"].size < classes["bucket"].size
    assert classes["fridge"].size == FIXED


def test_a_class_that_is_like_another_gains_and_loses_only_affordances_of_the_ontology():
    for one in data_of("classes").values():
        assert {*one.get("gains", ()), *one.get("lacks", ())} <= AFFORDANCES.keys()


def test_no_class_stands_here_that_the_pack_has():
    assert not data_of("classes").keys() & load_pack(available_packs()["household"]).classes.keys()


def test_a_name_is_known_by_a_word_for_it_in_the_plural_and_by_its_last_words():
    assert known_class("teaspoons") == "spoon"
    assert known_class("camping_mug") is None
    assert head_class("camping_mug") == "mug"
    assert head_class("wibble") is None


def test_a_kind_in_a_use_stands_for_all_its_classes():
    assert {"apple", "lemon"} <= uses()["eat-fresh"].classes.keys()


def test_a_text_speaks_of_uses_and_rare_words_speak_loudest():
    spoken = spoken_uses("I want something to beat the egg whites with")
    assert max(spoken, key=spoken.get) == "beat"
    assert "cover-food" not in spoken_uses("in a bowl", without="bowl")


def test_every_form_of_a_verb_speaks_of_its_use():
    assert all("wipe" in spoken_uses(f"the table {verb}") for verb in ("to wipe", "wiped", "wiping"))


def test_nearly_every_class_serves_an_end():
    served = {name for use in uses().values() for name in use.classes}
    assert len(everyday_classes().keys() - served) <= len(everyday_classes()) // 100


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
