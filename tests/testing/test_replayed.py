import json
import threading

import pytest

from domains.reader import load_domain, load_scene
from domains.world import World
from graftwork.language import model_from_name
from graftwork.language.replayed import request_key
from graftwork.testing import RecordingError, ReplayedModel, ScriptedModel, UnrecordedRequestError
from semantics.body.protocols import Message, ModelReply
from semantics.errors import OutsideError
from semantics.logic.goal import CheckedGoal
from semantics.logic.state import State
from tests.language.reading import read_checked

SYSTEM = Message("system", "You turn words into goals.")
MILK, JUICE = ((SYSTEM, Message("user", f"bring me the {drink}")) for drink in ("milk", "juice"))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "recording.jsonl"


def recorded(file, *requests, schema=None):
    """Record requests, each answered with its last words."""
    model = ReplayedModel(file, record=ScriptedModel([ModelReply(asked[-1].content.upper(), 3) for asked in requests]))
    for asked in requests:
        model.complete(asked, schema=schema)
    return model


def test_what_was_recorded_is_answered_without_the_model(file):
    recorded(file, MILK, JUICE)
    again = ReplayedModel(file)
    assert again.complete(JUICE) == ModelReply("BRING ME THE JUICE", 3)
    assert again.complete(list(MILK)).text == "BRING ME THE MILK"
    assert len(again) == 2


def test_a_request_that_was_recorded_is_asked_of_the_model_only_once(file):
    inner = ScriptedModel(["once"])
    model = ReplayedModel(file, record=inner)
    assert [model.complete(MILK).text for _ in range(3)] == ["once"] * 3
    assert ReplayedModel(file, record=inner).complete(MILK).text == "once"
    assert len(inner.requests) == 1


def test_the_key_depends_on_words_roles_and_schema_and_not_on_the_order_of_keys():
    key = request_key(MILK, {"a": 1, "b": 2})
    assert key == request_key(list(MILK), {"b": 2, "a": 1})
    others = [
        request_key(MILK),
        request_key(JUICE, {"a": 1, "b": 2}),
        request_key((Message("user", SYSTEM.content), MILK[1]), {"a": 1, "b": 2}),
        request_key((Message("system", "You turn words into"), MILK[1]), {"a": 1, "b": 2}),
    ]
    assert len({key, *others}) == 5


def test_the_key_is_the_same_in_every_process():
    assert request_key(MILK) == "114a1afcd80f506b7b9fcae9c87d3ef101d2473cf5fcdf6544b85541e1bc26ea"


def test_what_was_never_recorded_names_the_request_and_the_nearest(file):
    recorded(file, MILK, (SYSTEM, Message("user", "open the window at the back of the house")))
    with pytest.raises(UnrecordedRequestError, match="was never recorded: bring me the silk") as caught:
        ReplayedModel(file).complete((SYSTEM, Message("user", "bring me the silk")))
    assert caught.value.nearest == request_key(MILK)
    assert caught.value.key[:12] in str(caught.value)
    assert "differs in message 2 (user) from character 14: 'bring me the milk', here 'bring me the silk'" in str(
        caught.value
    )
    assert isinstance(caught.value, OutsideError)


@pytest.mark.parametrize(
    ("asked", "schema", "told"),
    [
        (MILK, {"type": "object"}, "has another schema"),
        ((*MILK, Message("user", "now")), None, "has 2 messages, here 3"),
    ],
)
def test_what_else_may_differ_is_told(file, asked, schema, told):
    recorded(file, MILK)
    with pytest.raises(UnrecordedRequestError, match=told):
        ReplayedModel(file).complete(asked, schema=schema)


def test_an_empty_recording_says_so(file):
    file.touch()
    with pytest.raises(UnrecordedRequestError, match="nothing is recorded"):
        ReplayedModel(file).complete(MILK)


def test_a_recording_that_was_killed_within_a_line_goes_on_after_the_one_before(file):
    recorded(file, MILK)
    whole = file.read_bytes()
    for cut in range(1, 60, 7):
        file.write_bytes(whole + whole[:cut])
        assert len(ReplayedModel(file)) == 1
        model = recorded(file, JUICE)
        assert len(model) == 2
        assert len(ReplayedModel(file)) == 2
        file.write_bytes(whole)


@pytest.mark.parametrize("line", ["{}", "[1]", "no JSON", '{"key": "0", "request": {}, "reply": {}}'])
def test_any_other_line_that_cannot_be_read_is_told_with_its_number(file, line):
    recorded(file, MILK)
    file.write_text(f"{file.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")
    recorded_lines = file.read_text(encoding="utf-8")
    with pytest.raises(RecordingError, match=":2: no recorded request"):
        ReplayedModel(file)
    assert file.read_text(encoding="utf-8") == recorded_lines


def test_a_tampered_request_is_noticed(file):
    recorded(file, MILK)
    file.write_text(file.read_text(encoding="utf-8").replace("milk", "silk"), encoding="utf-8")
    with pytest.raises(RecordingError, match="not that of its request"):
        ReplayedModel(file)


def test_a_missing_recording_is_bad_usage(file):
    with pytest.raises(RecordingError, match="there is no such recording"):
        model_from_name(f"replay:{file}")


def test_nothing_but_words_is_kept(file):
    class Hosted:
        name = "hosted"
        api_key = "sk-very-secret-0123"

        def complete(self, messages, *, schema=None):
            return ModelReply("yes", 5, {"headers": {"authorization": self.api_key}})

    ReplayedModel(file, record=Hosted()).complete(MILK)
    entry = json.loads(file.read_text(encoding="utf-8"))
    assert entry["reply"] == {"text": "yes", "tokens": 5}
    assert Hosted.api_key not in file.read_text(encoding="utf-8")


def test_several_threads_may_record_at_once(file):
    asked = [(SYSTEM, Message("user", f"bring me cup {number}")) for number in range(20)]
    model = ReplayedModel(file, record=ScriptedModel(["yes"] * 20))
    threads = [threading.Thread(target=model.complete, args=(each,)) for each in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = ReplayedModel(file)
    assert all(again.complete(each).text == "yes" for each in asked)


def test_words_that_are_no_unicode_are_recorded_too(file):
    asked = (Message("user", "caf\udce9 \N{SNOWMAN} \x00"),)
    recorded(file, asked)
    assert ReplayedModel(file).complete(asked).tokens == 3


def test_a_whole_conversation_is_replayed(file):
    domain = load_domain("kitchen")
    world = World.of(load_scene(domain, "small"), domain)

    def ask(model):
        return read_checked("shut it", world, State(), lambda goal: CheckedGoal(goal, (frozenset(),)), model=model)

    recording = ReplayedModel(file, record=ScriptedModel(["nonsense", {"goal": "(closed fridge0)"}]))
    assert ask(recording) == ask(ReplayedModel(file))
