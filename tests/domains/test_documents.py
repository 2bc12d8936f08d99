"""Files that are no usable YAML at all."""

import os
from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain
from tests.domains.toy import write

UNREADABLE = {
    "empty": (b"", "1:1: the file is empty"),
    "only a comment": (b"# nothing\n", "1:1: the file is empty"),
    "a tab": (b"name: toy\n\tkinds: {}\n", "2:1: a tab; expected spaces for indentation"),
    "not UTF-8": (b"name: toy\nkinds: {caf\xe9: []}\n", "2:12: byte 0xe9 is not UTF-8; expected a text in UTF-8"),
    "a control character": (b"name: t\x00y\n", "1:8: a control character; expected printable text"),
    "an anchor": (b"a: &x [1]\nb: *x\n", "1:4: an anchor '&x'; expected the text itself, without anchors"),
    "an alias": (b"a: *x\n", "1:4: an alias '*x'; expected the text itself, without aliases"),
    "a tag": (b"a: !!set {x}\n", "1:4: a tag 'tag:yaml.org,2002:set'; expected plain values, without tags"),
    "a second document": (
        b"a: b\n---\nc: d\n",
        "2:1: a second document begins here; expected one document in a file",
    ),
    "a list as a key": (b"? [a]\n: b\n", "1:3: a key that is not a single text; expected a name"),
    "a quote left open": (
        b"a: 'x",
        "1:6: not YAML: found unexpected end of stream while scanning a quoted scalar",
    ),
    "a bracket left open": (
        b"a: [b\n",
        "2:1: not YAML: did not find expected ',' or ']' while parsing a flow sequence",
    ),
    "two colons": (b"a: b: c\n", "1:5: not YAML: mapping values are not allowed in this context"),
    "a deep nest": (b"[" * 100_000, "1:21: nested deeper than 20"),
    "far too large": (b"#" * 2_000_001, "1:1: the file is too large; expected at most 2000000 bytes"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_yaml_is_told_with_its_place(tmp_path: Path, name: str):
    data, message = UNREADABLE[name]
    path = write(tmp_path, "toy.yaml", data)
    with pytest.raises(DomainFileError) as caught:
        load_domain(path)
    assert str(caught.value) == f"{path}:{message}"


@pytest.mark.parametrize(
    "text",
    [
        "root:x:0:0:root:/root:/bin/sh\n" * 200,
        "it's said\n" * 200,
        f"? '{'k ' * 500}'\n: v\n",
        f"name: {'n ' * 500}\n",
        f"kinds: {{{'k' * 900}: []}}\nkinds2: {{? '{'z ' * 300}' : []}}\n",
        f"phrases: [{{pattern: '{'Ö' * 900}', goal: (x)}}]\n",
    ],
)
def test_a_file_is_never_repeated_in_a_message(tmp_path: Path, text: str):
    path = write(tmp_path, "toy.yaml", text.encode())
    with pytest.raises(DomainFileError) as caught:
        load_domain(path)
    assert all(len(problem.message) < 300 for problem in caught.value.problems)


def test_a_list_is_no_domain(tmp_path: Path):
    with pytest.raises(DomainFileError, match=r":1:1: a domain is a list; expected a table with the keys name, "):
        load_domain(write(tmp_path, "toy.yaml", b"- 1\n"))


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    path = tmp_path / "toy.yaml"
    with pytest.raises(DomainFileError) as caught:
        load_domain(str(path))
    assert str(caught.value) == f"{path}:1:1: the file cannot be read: No such file or directory"


def test_a_directory_without_a_domain_is_told(tmp_path: Path):
    with pytest.raises(DomainFileError, match="1:1: this is a directory; expected a YAML file"):
        load_domain(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(DomainFileError, match="1:1: this is not a regular file; expected a YAML file"):
        load_domain(tmp_path / "pipe.yaml")


@pytest.mark.parametrize("path", ["a\0b.yaml", "x" * 5000 + ".yaml"], ids=["a zero byte", "a long name"])
def test_a_path_that_cannot_exist_is_told(path: str):
    with pytest.raises(DomainFileError, match="1:1: the file cannot be read: "):
        load_domain(path)
