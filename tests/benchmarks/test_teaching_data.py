"""What a person teaches is as its authors wrote it, and each entry has a name of its own."""

import hashlib
from pathlib import Path

import yaml

FOLDER = Path(__file__).parents[2] / "benchmarks" / "teaching"
HOW_MANY = {"corrections_a": 50, "corrections_b": 50, "near_a": 10, "near_b": 10, "poisoned": 20}
HOW_MANY |= {"variations_a": 30, "variations_b": 30}
HOW_MANY |= {f"errors_{author}_{part}": many for author in (1, 2) for part, many in (("seen", 28), ("unseen", 14))}


def test_the_files_are_those_whose_digests_were_kept():
    kept = dict(reversed(line.split()) for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert kept == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.yaml")}


def test_each_entry_has_a_name_of_its_own():
    entries = {name: yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")) for name in HOW_MANY}
    assert {name: len(of) for name, of in entries.items()} == HOW_MANY
    names = [entry["id"] for of in entries.values() for entry in of]
    assert len(set(names)) == len(names)
