"""The settings of the race: which values they take, and what they say of others."""

import pytest

from graftwork.errors import SettingsError
from graftwork.setup.settings import LEAST_MEMORY, load_settings


def load(folder, given=None, text=""):
    (folder / "graftwork.toml").write_text(text, encoding="utf-8")
    return load_settings(given or {}, environment={}, folder=folder, user_folder=folder / "none")


def test_without_a_source_the_defaults_hold(tmp_path):
    settings = load(tmp_path)
    assert (settings.search, settings.patience, settings.planning_memory) == ("best", None, 1344)


@pytest.mark.parametrize("search", ["first", "best", "optimal"])
def test_each_search_is_taken(tmp_path, search):
    assert load(tmp_path, {"search": search}).search == search
    assert load(tmp_path, text=f'search = "{search}"').search == search


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("search", "optimum"),
        ("patience", "-1"),
        ("patience", "nan"),
        ("patience", "soon"),
        ("planning_memory", str(LEAST_MEMORY - 1)),
        ("planning_memory", "-1"),
        ("planning_memory", "much"),
        ("planning_seconds", "-1"),
        ("planning_seconds", "nan"),
    ],
)
def test_other_values_are_refused_by_name(tmp_path, name, value):
    with pytest.raises(SettingsError, match=name.replace("_", "[-_]")):
        load(tmp_path, {name: value})


def test_a_misspelt_search_names_the_nearest(tmp_path):
    with pytest.raises(SettingsError, match="optimal"):
        load(tmp_path, {"search": "optimum"})


@pytest.mark.parametrize(("value", "patience"), [("auto", None), ("0", 0.0), ("2.5", 2.5)])
def test_patience_is_automatic_or_a_number(tmp_path, value, patience):
    assert load(tmp_path, {"patience": value}).patience == patience


def test_the_least_memory_is_taken(tmp_path):
    assert load(tmp_path, {"planning_memory": str(LEAST_MEMORY)}).planning_memory == LEAST_MEMORY
