"""A stop while a model's server is deaf, slow, dripping, trickling or dying, in each kind of exchange with a model."""

import os
import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from affordances.elicitation import ClassInquiry
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.language.models import Fallback
from graftwork.language.openai_model import OpenAIModel
from robots.fake import FakeRobot
from semantics.body.layout import MovableObject
from semantics.body.protocols import Message
from semantics.errors import ModelUnreachableError
from tests.graftwork.blocked import GOAL, SENTENCE, blocked
from tests.loopback import Fault, LoopbackServer
from tests.silent_server import DeafServer, SilentServer

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
TAGINE = MovableObject("thing1", KITCHEN.classes["bowl"].shape, "on", "counter0", (0.3, 0.0), label="tagine")
QUESTION = (Message("user", "well?"),)
AT_ONCE = 5.0
"""Seconds: what is not abandoned at once lasts a minute here, whatever else the machine does."""
FAULTS = (Fault.SLOW, Fault.DRIPPING, Fault.TRICKLING, Fault.DYING)
MISSING = '{"reply": {"goal": ["(inhand glass0 human0)"], "prefer": null, "note": null}}'
APPLE = f'{{"reply": {{"goal": ["{GOAL}"], "prefer": null, "note": null}}}}'
REFUSAL = '{"reply": {"refusal": "nothing of that kind"}}'


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def model_at(server):
    return OpenAIModel("small", base_url=server.base_url, api_key="key", timeout=60.0, retries=9, pause=20.0)


def asked_for():
    return any(thread.name == "language-model-request" for thread in threading.enumerate())


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def until(condition):
    end = time.monotonic() + 30.0
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


@contextmanager
def ended_at_once(begun, stop):
    """Stop what is done inside once it has begun, and check that it ends."""
    stopped_at = []

    def watch():
        until(begun)
        stopped_at.append(time.monotonic())
        stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    yield
    watcher.join(30)
    assert time.monotonic() - stopped_at[0] < AT_ONCE


def reading(model):
    return "open sesame", Session(scene="small", robot="fake", memory=None, model=model)


def substituting(model):
    return "something glassy", Session(scene="small", robot="fake", memory=None, model=model, model_tries=1)


def knowing_a_thing(model):
    layout = replace(SMALL.layout, pieces=(*SMALL.layout.pieces, TAGINE))
    session = Session(scene="small", robot=FakeRobot(layout), memory=None, model=model)
    return "put the apple in the tagine", session


def consulting(model):
    return SENTENCE, blocked(model=model)[0]


KINDS = {"goal": (reading, ()), "substitute": (substituting, (MISSING,)), "thing": (knowing_a_thing, (REFUSAL,))}
KINDS["mid-run"] = (consulting, (APPLE,))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_is_stopped(kind, fault):
    opened, before = KINDS[kind]
    with LoopbackServer(*before, fault) as server:
        words, session = opened(Fallback([model_at(server)]))
        with session:
            run = session.start(words)
            with ended_at_once(lambda: server.count > len(before), lambda: run.say("stop")):
                episode = run.finish()
    assert episode.outcome is Outcome.STOPPED
    assert server.count == len(before) + 1


def test_a_run_is_stopped_before_a_connection_is_made():
    with DeafServer() as server:
        words, session = reading(model_at(server))
        with session:
            run = session.start(words)
            with ended_at_once(asked_for, lambda: run.say("stop")):
                assert run.finish().outcome is Outcome.STOPPED


@pytest.mark.parametrize("fault", FAULTS)
def test_asking_about_classes_is_interrupted(fault):
    with LoopbackServer(fault) as server:
        inquiry = ClassInquiry(["mug", "knife"], model_at(server), strategy="list")
        with pytest.raises(KeyboardInterrupt), ended_at_once(lambda: server.count, interrupt):
            inquiry.run()
    assert inquiry.outage is None
    assert server.count == 1  # the first request runs alone


def test_an_interrupted_inquiry_leaves_no_connection_behind():
    with SilentServer() as server:
        inquiry = ClassInquiry(["mug"], model_at(server), strategy="list")
        with pytest.raises(KeyboardInterrupt), ended_at_once(server.asked.is_set, interrupt):
            inquiry.run()
        assert server.left.wait(30)


def test_several_models_are_called_off_together():
    stopped = threading.Event()
    with LoopbackServer(Fault.SLOW) as first, LoopbackServer("good day") as second:
        chain = Fallback([model_at(first), model_at(second)])
        with (
            ended_at_once(lambda: first.count, stopped.set),
            pytest.raises(ModelUnreachableError, match="called off"),
        ):
            chain.complete_unless(stopped.is_set, QUESTION)
        assert second.count == 0


def test_a_stop_is_not_kept_waiting_by_the_package_of_the_protocol(monkeypatch):
    """The package takes a second to load; whoever asks does not wait for that."""
    loading, stopped = threading.Event(), threading.Event()

    def load(self):
        loading.set()
        time.sleep(30)

    monkeypatch.setattr(OpenAIModel, "_connect", load)
    with DeafServer() as server:
        model = model_at(server)
        with ended_at_once(loading.is_set, stopped.set), pytest.raises(ModelUnreachableError, match="called off"):
            model.complete_unless(stopped.is_set, QUESTION)
