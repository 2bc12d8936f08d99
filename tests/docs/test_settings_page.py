"""The page of settings lists what can be set, with its default."""

from dataclasses import MISSING
from pathlib import Path

from graftwork.setup.settings import FIELDS, setting_texts

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:4] for line in PAGE.splitlines() if line.startswith("| `")]


def test_every_setting_is_listed_with_its_variable_and_default():
    listed = {name.strip(" `"): (variable.strip(" `"), default.strip(" `")) for name, variable, default in ROWS}
    assert list(listed) == list(FIELDS)
    for field in FIELDS.values():
        variable, default = listed[field.name]
        assert variable == f"GRAFTWORK_{field.name.upper()}"
        assert field.default in (None, (), MISSING) or float_or_text(default) == field.default


def test_the_table_is_what_the_settings_say_of_themselves():
    text = {"memory": "in your data folder", "patience": "`auto`", "real_time": "`false`", "conversation": "`false`"}
    rows = []
    for field in FIELDS.values():
        default = text.get(field.name, f"`{field.default:g}`" if is_number(field.default) else f"`{field.default}`")
        default = "none" if field.name not in text and field.default in (None, (), MISSING) else default
        variable = f"`GRAFTWORK_{field.name.upper()}`"
        rows.append(f"| `{field.name}` | {variable} | {default} | {setting_texts()[field.name]['meaning']} |")
    assert rows == [line for line in PAGE.splitlines() if line.startswith("| `")]


def is_number(value: object) -> bool:
    return isinstance(value, int | float)


def float_or_text(text: str) -> float | str | bool:
    if text == "false":
        return False
    return float(text) if text.replace(".", "").isdigit() else text
