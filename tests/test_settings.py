from pathlib import Path

import pytest

from graftwork.errors import SettingsError
from graftwork.memory import default_place
from graftwork.setup.limits import Weights
from graftwork.setup.settings import Settings, load_settings
from semantics.errors import UsageError


@pytest.fixture
def load(tmp_path):
    here, home = tmp_path / "here", tmp_path / "home"
    here.mkdir()
    home.mkdir()

    def loaded(given=None, environment=None, here_file="", home_file=""):
        (here / "graftwork.toml").write_text(here_file, encoding="utf-8")
        (home / "graftwork.toml").write_text(home_file, encoding="utf-8")
        return load_settings(given or {}, environment=environment or {}, folder=here, user_folder=home)

    return loaded


def test_without_any_source_the_defaults_hold(tmp_path):
    settings = load_settings({}, environment={"PATH": "/bin"}, folder=tmp_path, user_folder=tmp_path / "none")
    assert settings == Settings(memory=default_place())
    assert (settings.domain, settings.scene, settings.robot, settings.model, settings.seed) == (
        "kitchen",
        "auto",
        "auto",
        "offline",
        0,
    )


def test_each_source_overrides_the_one_before(load):
    sources = {"home_file": "seed = 1", "here_file": "seed = 2", "environment": {"GRAFTWORK_SEED": "3"}}
    assert load(home_file="seed = 1").seed == 1
    assert load(home_file="seed = 1", here_file="seed = 2").seed == 2
    assert load(**sources).seed == 3
    assert load(given={"seed": 4}, **sources).seed == 4


def test_every_setting_can_be_given_in_the_environment(load, tmp_path):
    variables = {
        "GRAFTWORK_DOMAIN": "tabletop",
        "GRAFTWORK_SCENE": "small",
        "GRAFTWORK_ROBOT": "fake",
        "GRAFTWORK_MODEL": "openai:small",
        "GRAFTWORK_PLANNER": "up:tamer",
        "GRAFTWORK_SEED": "7",
        "GRAFTWORK_MEMORY": "/m.sqlite",
        "GRAFTWORK_RECORD": "/r",
        "GRAFTWORK_PLANNING_SECONDS": "2.5",
        "GRAFTWORK_MODEL_SECONDS": "9",
        "GRAFTWORK_MODEL_TRIES": "2",
        "GRAFTWORK_AFFORDANCE_THRESHOLD": "0.7",
        "GRAFTWORK_RUN_SECONDS": "60",
    }
    expected = Settings(
        *("tabletop", "small", "fake", "openai:small", "up:tamer", 7, Path("/m.sqlite"), Path("/r"), 0.7),
        planning_seconds=2.5,
        model_seconds=9.0,
        model_tries=2,
        run_seconds=60.0,
    )
    assert load(environment=variables) == expected


def test_an_empty_variable_counts_as_unset(load):
    assert load(environment={"GRAFTWORK_SEED": ""}).seed == 0


@pytest.mark.parametrize("given", [False, None, "none", "off"])
def test_the_memory_can_be_switched_off(load, given):
    assert load(given={"memory": given}).memory is None
    assert load(here_file="memory = false").memory is None
    assert load(environment={"GRAFTWORK_MEMORY": "none"}).memory is None


def test_a_path_of_a_file_counts_from_the_files_folder(load, tmp_path):
    settings = load(here_file='scene = "rooms/mine.yaml"', home_file='memory = "kept.sqlite"\ndomain = "kitchen"')
    assert settings.scene == str(tmp_path / "here" / "rooms" / "mine.yaml")
    assert settings.memory == tmp_path / "home" / "kept.sqlite"
    assert settings.domain == "kitchen"


def test_a_misspelt_key_names_file_line_and_the_nearest_name(load):
    with pytest.raises(SettingsError) as caught:
        load(here_file='domain = "kitchen"\n\nsede = 3\n')
    assert "graftwork.toml:3: unknown setting 'sede'; did you mean seed" in str(caught.value)
    assert isinstance(caught.value, UsageError)


def test_a_table_is_no_setting_of_ours(load):
    with pytest.raises(SettingsError, match=r"graftwork\.toml:1: unknown setting 'robots'; did you mean robot"):
        load(here_file='[robots]\nname = "fake"\n')


@pytest.mark.parametrize(
    "text",
    [
        "# a folder, e.g. ../worlds\n",
        "# see https://www.example.org/a.b.c.html?x=seed\n",
        'record = "runs, v1.2.3.4.5"\n',
        'record = "runs"  # not [a.b.c.d.e]\n',
        "record = '''\na.b.c.d.e = runs'''\n",
    ],
)
def test_dots_in_comments_and_texts_are_no_parts_of_a_key(load, text):
    assert load(here_file=f"{text}seed = 3\n").seed == 3


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d.e = 1",
        '["a"."b". c .d.e]',
        "costs = {robot = 1, 'a'.b.c.d.e = 1}",
        'x = ["""a"""", {a.b.c.d.e = 1}]',
        "x = '''a'''\na.b.c.d.e = 1",
    ],
)
def test_a_key_of_five_parts_is_refused(load, text):
    with pytest.raises(SettingsError, match="more than 4 parts"):
        load(here_file=text)


def test_a_file_of_more_than_64_kb_is_refused(load):
    comment = f"#{'x' * 63_989}\n"
    assert load(here_file=f"{comment}seed = 3\n").seed == 3
    with pytest.raises(SettingsError, match=r"graftwork\.toml: cannot be read: .*64"):
        load(here_file=f"{comment}seed = 33\n")


@pytest.mark.parametrize("source", [{"environment": {"GRAFTWORK_SEDE": "3"}}, {"given": {"sede": 3}}])
def test_a_misspelt_variable_or_option_names_itself_and_the_nearest_name(load, source):
    with pytest.raises(SettingsError, match=r"(GRAFTWORK_SEDE|--sede): unknown setting 'sede'; did you mean seed"):
        load(**source)


@pytest.mark.parametrize(
    "line",
    [
        'seed = "three"',
        "seed = 1.5",
        "seed = true",
        "seed = -1",
        f"planning_seconds = {'9' * 400}",
        f"weights = {{risk = {'9' * 400}}}",
        "domain = 3",
        'robot = " "',
        "memory = 4",
        "memory = true",
        "planning_seconds = 0",
        "model_seconds = inf",
        "model_seconds = nan",
        "model_tries = 0",
    ],
)
def test_a_value_that_does_not_fit_says_what_is_expected(load, line):
    with pytest.raises(SettingsError, match=rf"graftwork\.toml:1: {line.split()[0]} must be "):
        load(here_file=line)


@pytest.mark.parametrize("text", ["seed =", "= 3", "seed = 1\nseed = 2"])
def test_a_broken_file_is_named_with_its_line(load, text):
    with pytest.raises(SettingsError, match=r"graftwork\.toml: cannot be read: .*(line|document)"):
        load(here_file=text)


def test_a_file_that_is_no_text_is_named(load, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "graftwork.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"graftwork\.toml: cannot be read"):
        load_settings({}, environment={}, folder=tmp_path / "other", user_folder=tmp_path)


def test_weights_parts_and_patience_are_read_from_every_source(load):
    file = "part = 'allow'\npatience = 1\n[weights]\nper_metre = 0.5\nrisk = 3"
    settings = load(here_file=file)
    assert (settings.part, settings.patience, settings.weights) == ("allow", 1.0, Weights(0.5, 0.0, 3.0))
    variables = {"GRAFTWORK_WEIGHTS": "per_second=2", "GRAFTWORK_PATIENCE": "auto", "GRAFTWORK_PART": "never"}
    settings = load(environment=variables, here_file=file)
    assert (settings.part, settings.patience, settings.weights) == ("never", None, Weights(per_second=2.0))
    assert load(given={"weights": ["per_metre=1", "risk=2"], "patience": "0"}).patience == 0.0


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("[weights]\nper_meter = 1", "per_metre"),
        ("[weights]\nrisk = -1", "not below zero"),
        ("weights = 3", "such as per_metre=0.5"),
        ("patience = -1", "a number of seconds from 0"),
        ("part = 'perhaps'", "'ask', 'allow' or 'never'"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_line(load, file, told):
    with pytest.raises(SettingsError, match=r"graftwork\.toml:1") as caught:
        load(here_file=file)
    assert told in str(caught.value)
