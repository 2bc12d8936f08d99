import pytest

from domains.reader import ANY_SCENE, load_domain, load_scene


@pytest.mark.parametrize(("world", "scene"), [("kitchen", "full"), ("blocks", "sussman"), ("tabletop", "four")])
def test_where_no_scene_is_named_the_full_one_or_the_first_is_meant(world: str, scene: str):
    assert load_scene(load_domain(world), ANY_SCENE).name == scene
