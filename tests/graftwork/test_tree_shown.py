"""The tree that is shown is the tree that runs: by ``plan --tree``, in the record, in the report and in a benchmark."""

import json
import os

import pytest

from bt.document import document
from bt.node import walk
from bt.record import read_record
from graftwork import Session
from tests.commands import commanded

SENTENCE = "bring me the milk"


def shape(node):
    """Return a tree as names, what they are about, and children; the kind is called type in a document."""
    kind = node.get("type") or node["kind"]
    return kind.lower(), node["name"], [shape(child) for child in node["children"]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return the tree that a session ticks after two ticks, with the record of the run."""
    folder = tmp_path_factory.mktemp("shown") / "record"
    with Session(scene="small", robot="fake", memory=None, record=folder) as session:
        run = session.start(SENTENCE)
        run.wait()
        run.tick()
        run.tick()
        ticked = document(run.runner.root)
        nodes = list(walk(run.runner.root))
        episode = run.finish()
    return ticked, nodes, read_record(folder), episode


def test_plan_shows_the_tree_that_a_session_ticks(recorded, tmp_path):
    ticked, *_ = recorded
    words = ("plan", SENTENCE, "--scene", "small", "--tree", "--json")
    shown = json.loads(commanded(words, tmp_path, os.environ).stdout)["tree"]
    assert shape(shown) == shape(ticked)


def test_the_record_and_so_the_report_and_the_terminal_have_it(recorded):
    ticked, _, events, _ = recorded
    (tree,) = [event["root"] for event in events if event["e"] == "tree"]
    assert shape(tree) == shape(ticked)


def test_a_plan_of_five_steps_has_at_most_25_nodes_and_depth_6(recorded):
    ticked, nodes, _, episode = recorded
    assert len(episode.plan) == 5
    assert len(nodes) <= 25

    def depth(node):
        return 1 + max((depth(child) for child in node["children"]), default=0)

    assert depth(ticked) <= 6
    assert [ticked["type"], ticked["children"][0]["type"], ticked["children"][0]["children"][0]["type"]] == [
        "goal",
        "recover",
        "execute",
    ]
