from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from benchmarks.affordances.truth import TruthError, read_truth

NAMES = ("carry", "cut", "drink", "heat-resistance")


def written(folder: Path, content: bytes) -> Path:
    file = folder / "truth.csv"
    file.write_bytes(content)
    return file


@pytest.mark.parametrize(
    "content",
    [
        b"object,affordance\nmug,carry\nmug,drink\nknife,cut\n",
        b"mug,carry\nmug,drink\nknife,cut",
        b"\xef\xbb\xbfobject,affordance\r\nmug,carry\r\nmug,drink\r\nknife,cut\r\n",
        b'"object","affordance"\n"mug","carry"\n "mug" , "drink" \nknife,cut\n\n\n',
        b"\nMug,Carry\n\n mug ,\tdrink\nKNIFE,cut\r",
        b"Object;x,Affordances\nmug,carry\nmug,drink\nknife,cut",
    ],
)
def test_a_file_is_read_however_it_was_saved(tmp_path: Path, content: bytes):
    truth = read_truth(written(tmp_path, content), NAMES)
    assert truth.classes == {"mug": {"carry", "drink"}, "knife": {"cut"}}
    assert truth.pairs == 3
    assert not truth.notes


def test_names_may_hold_blanks_commas_and_quotes(tmp_path: Path):
    truth = read_truth(written(tmp_path, b'"a ""big"", red mug",carry\ntea_towel,heat resistance\n'), NAMES)
    assert truth.classes == {'a "big", red mug': {"carry"}, "tea towel": {"heat-resistance"}}


def test_every_mistake_is_told_with_its_place(tmp_path: Path):
    lines = [
        b"object,affordance",
        b"mug,carry",
        b"mug",  # 3
        b"mug;carry",  # 4
        b"mug,carry,drink",  # 5
        b"mug,",  # 6
        b",carry",  # 7
        b'"mug,carry',  # 8
        b'"mug"x,carry',  # 9
        b'mu"g,carry',  # 10
        b"mug,\xff",  # 11
        b"mug,carry\x00",  # 12
        b"mug,heat-resistence",  # 13
        b"ok,cut",
    ]
    file = written(tmp_path, b"\n".join(lines))
    with pytest.raises(TruthError) as caught:
        read_truth(file, NAMES)
    places = [mistake.removeprefix(f"{file}:").split(": ")[0] for mistake in caught.value.mistakes]
    assert places == ["3:1", "4:1", "5:11", "6:5", "7:1", "8:1", "9:6", "10:3", "11:5", "12:10", "13:5"]
    assert "not by ';'" in caught.value.mistakes[1]
    assert "did you mean heat-resistance?" in caught.value.mistakes[-1]
    assert str(caught.value).count("\n") == 10


def test_an_affordance_of_another_ontology_is_left_out_and_noted(tmp_path: Path):
    file = written(tmp_path, b"mug,carry\nmug,fly-high\nmug,carry\n")
    truth = read_truth(file, NAMES)
    assert truth.classes == {"mug": {"carry"}}
    assert [note.removeprefix(f"{file}:").split(": ")[0] for note in truth.notes] == ["2:5", "3:1"]
    assert "line 1" in truth.notes[1]


@pytest.mark.parametrize("content", [b"", b"object,affordance\n", b"\xef\xbb\xbf", "mug,carry".encode("utf-16")])
def test_a_file_without_a_pair_is_a_mistake(tmp_path: Path, content: bytes):
    with pytest.raises(TruthError, match=":1:1: "):
        read_truth(written(tmp_path, content), NAMES)


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(TruthError, match="cannot be read"):
            read_truth(path, NAMES)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_with_places(tmp_path_factory: pytest.TempPathFactory, content: bytes):
    file = written(tmp_path_factory.getbasetemp(), content)
    try:
        told = tuple(read_truth(file, NAMES).classes)
    except TruthError as error:
        told = tuple(mistake for mistake in error.mistakes if mistake.startswith(f"{file}:"))
    assert told
