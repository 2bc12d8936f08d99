import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from affordances.elicitation import STRATEGIES, AnswerCache, ClassInquiry
from affordances.elicitation.inquiry import evidence_of_answers
from affordances.mapping import ObjectAffordances
from graftwork.language.openai_model import OpenAIModel
from semantics.errors import UnknownNameError, UsageError
from semantics.logic.feedback import Code
from tests.affordances.elicitation.room import SMALL, TRUE, about, knowing
from tests.loopback import Answer, Fault, LoopbackServer, dead_address


def model_of(server: LoopbackServer, timeout: float = 20.0, retries: int = 0) -> OpenAIModel:
    return OpenAIModel(
        "stand-in", base_url=server.base_url, api_key="key", timeout=timeout, retries=retries, pause=0.01
    )


def asking(server: LoopbackServer, strategy: str, folder: Path | None = None, **options: int) -> ClassInquiry:
    cache = None if folder is None else AnswerCache(folder)
    return ClassInquiry(tuple(TRUE), model_of(server), ontology=SMALL, strategy=strategy, cache=cache, **options)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_finds_what_the_model_knows(strategy: str):
    with LoopbackServer(knowing) as server:
        found = asking(server, strategy).run()
    assert {asked.class_name: set(asked.affordances) for asked in found} == TRUE
    assert all(asked.complete and not asked.feedback for asked in found)


@pytest.mark.parametrize(("strategy", "requests"), [("list", 3), ("yes-no", 9), ("logic", 13)])
def test_a_strategy_sends_as_many_requests_as_it_must(strategy: str, requests: int):
    # logic: mug and table 1 of 2 for cut, knife 2 of 2; 1 each for drink; 2 each for grasp
    with LoopbackServer(knowing) as server:
        inquiry = asking(server, strategy)
        inquiry.run()
        assert server.count == inquiry.counts.asked == requests
    assert inquiry.counts.tokens == 10 * requests


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_second_time_nothing_is_asked(strategy: str, tmp_path: Path):
    with LoopbackServer(knowing) as server:
        first = asking(server, strategy, tmp_path).run()
        before = server.count
        again = asking(server, strategy, tmp_path)
        assert again.run() == first
        assert server.count == before
        assert (again.counts.asked, again.counts.cached) == (0, before)


def test_only_what_is_missing_is_asked(tmp_path: Path):
    with LoopbackServer(knowing) as server:
        model = model_of(server)
        ClassInquiry(["mug"], model, ontology=SMALL, strategy="yes-no", cache=AnswerCache(tmp_path)).run()
        both = ClassInquiry(["mug", "knife"], model, ontology=SMALL, strategy="yes-no", cache=AnswerCache(tmp_path))
        both.run()
    assert (both.counts.asked, both.counts.cached) == (3, 3)


def test_one_question_of_several_affordances_is_sent_once():
    same = {f"cut{number}": SMALL["cut"] for number in range(6)}
    with LoopbackServer(knowing) as server:
        inquiry = ClassInquiry(["knife"], model_of(server), ontology=same, strategy="logic")
        found = inquiry.run()
        assert server.count == 2
    assert found[0].affordances == set(same)


def test_several_requests_are_under_way_at_a_time_but_no_more_than_allowed():
    lock, waiting, most = threading.Lock(), [0], [0]
    meeting = threading.Barrier(3, timeout=20)
    first = threading.Event()

    def answer(messages: list[dict[str, str]]) -> str:
        with lock:
            waiting[0] += 1
            most[0] = max(most[0], waiting[0])
        if first.is_set():
            meeting.wait()  # passes only when three are here at once
        first.set()
        with lock:
            waiting[0] -= 1
        return "no"

    ontology = {f"a{number}": SMALL["cut"]._replace(sentence=f"it is {number}") for number in range(7)}
    with LoopbackServer(answer) as server:
        found = ClassInquiry(["mug"], model_of(server), ontology=ontology, strategy="yes-no", at_once=3).run()
    assert most[0] == 3
    assert found[0].complete
    assert not found[0].unknown


@pytest.mark.parametrize("nonsense", ["Well, that depends.", "", '{"answer": "perhaps"}'])
def test_an_answer_that_cannot_be_read_is_asked_again(nonsense: str):
    with LoopbackServer(nonsense, "yes") as server:
        inquiry = ClassInquiry(["mug"], model_of(server), ontology={"drink": SMALL["drink"]}, strategy="yes-no")
        found = inquiry.run()
        assert server.count == inquiry.counts.asked == 2
        roles = [message["role"] for message in server.requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert found[0].affordances == {"drink"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_never_readable_is_unknown_and_not_yes(strategy: str, tmp_path: Path):
    with LoopbackServer("Yes and no!") as server:
        found = ClassInquiry(
            ["mug"], model_of(server), ontology=SMALL, strategy=strategy, tries=2, cache=AnswerCache(tmp_path)
        ).run()
    assert found[0].affordances == frozenset()
    assert found[0].unknown == tuple(SMALL)
    assert found[0].complete
    assert {each.code for each in found[0].feedback} == {Code.UNREADABLE}
    assert not evidence_of_answers(found[0], model="stand-in", strategy=strategy)
    with LoopbackServer(knowing) as server:  # nonsense is not kept: it is asked again the next time
        again = ClassInquiry(["mug"], model_of(server), ontology=SMALL, strategy=strategy, cache=AnswerCache(tmp_path))
        assert again.run()[0].affordances == TRUE["mug"]


def test_unknown_names_in_a_list_are_reported_and_the_others_taken():
    with LoopbackServer('{"affordances": ["drink", "fly", "Grasp"]}') as server:
        found = ClassInquiry(["mug"], model_of(server), ontology=SMALL, strategy="list").run()
    assert found[0].affordances == {"drink", "grasp"}
    assert [each.culprits for each in found[0].feedback] == [("fly",)]


def test_a_list_request_offers_the_names_in_its_schema():
    with LoopbackServer(knowing) as server:
        ClassInquiry(["mug"], model_of(server), ontology=SMALL, strategy="list").run()
        schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["affordances"]["items"]["enum"] == list(SMALL)


def test_a_server_without_schemas_is_met_by_one_request_and_not_by_eight():
    with LoopbackServer(Fault.NO_SCHEMA, knowing) as server:
        found = asking(server, "yes-no").run()
        assert server.count == 10
        kinds = [request["response_format"]["type"] for request in server.requests]
        assert kinds == ["json_schema", *["json_object"] * 9]
    assert {asked.class_name: set(asked.affordances) for asked in found} == TRUE


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.ERROR, Fault.NONSENSE, Fault.NOT_JSON, Fault.EMPTY_CHOICES])
def test_a_lost_request_is_unknown_and_the_rest_goes_on(fault: Fault):
    ontology = {f"a{number}": SMALL["drink"]._replace(sentence=f"drink {number}") for number in range(5)}
    with LoopbackServer(knowing, fault, knowing) as server:
        inquiry = ClassInquiry(["mug"], model_of(server), ontology=ontology, strategy="yes-no")
        found = inquiry.run()
    assert inquiry.outage is None
    assert len(found[0].unknown) == 1
    assert len(found[0].affordances) == 4
    assert [each.code for each in found[0].feedback] == [Code.UNAVAILABLE]


def test_a_slow_answer_is_given_up_and_the_rest_goes_on():
    ontology = {f"a{number}": SMALL["drink"]._replace(sentence=f"drink {number}") for number in range(3)}
    with LoopbackServer(knowing, Fault.SLOW, knowing) as server:
        found = ClassInquiry(["mug"], model_of(server, timeout=0.5), ontology=ontology, strategy="yes-no").run()
    assert len(found[0].unknown) == 1
    assert len(found[0].affordances) == 2


def test_a_server_that_is_gone_ends_the_inquiry_after_few_requests():
    ontology = {f"a{number}": SMALL["drink"]._replace(sentence=f"drink {number}") for number in range(500)}
    model = OpenAIModel("stand-in", base_url=dead_address(), api_key="key", timeout=5.0, retries=0)
    inquiry = ClassInquiry(["mug"], model, ontology=ontology, strategy="yes-no")
    found = inquiry.run()
    assert inquiry.outage is not None
    assert inquiry.counts.asked <= 20
    assert not found[0].complete
    assert found[0].affordances == frozenset()


@pytest.mark.parametrize("fault", [Fault.KEY_REFUSED, Fault.ERROR, Fault.CUT])
def test_a_model_that_never_answered_counts_as_gone_after_a_single_request(fault: Fault, tmp_path: Path):
    with LoopbackServer(knowing) as server:
        asking(server, "list", tmp_path).run()
    with LoopbackServer(fault) as server:
        inquiry = ClassInquiry(["mug"], model_of(server), ontology=SMALL, strategy="list", cache=AnswerCache(None))
        inquiry.run()
        assert server.count == 1
        assert inquiry.outage is not None
        cached = asking(server, "list", tmp_path)
        assert all(asked.complete for asked in cached.run())
        assert (cached.outage, server.count) == (None, 1)


def interrupted_after(pieces: int) -> Callable[[object], None]:
    seen = [0]

    def on_piece(_: object) -> None:
        seen[0] += 1
        if seen[0] == pieces:
            os.kill(os.getpid(), signal.SIGINT)

    return on_piece


def test_an_interruption_leaves_at_once_keeps_what_is_done_and_asks_no_more(tmp_path: Path):
    answers: list[Answer] = [knowing] * 4
    with LoopbackServer(*answers, Fault.SLOW) as server:  # the fifth would hold it for a minute
        inquiry = asking(server, "yes-no", tmp_path, at_once=2)
        with pytest.raises(KeyboardInterrupt):
            inquiry.run(interrupted_after(3))
        done = {(asked.class_name, name) for asked in inquiry.asked for name in asked.answers}
        assert 3 <= len(done) <= 4
        assert not all(asked.complete for asked in inquiry.asked)
    with LoopbackServer(knowing) as server:
        again = asking(server, "yes-no", tmp_path)
        assert {asked.class_name: set(asked.affordances) for asked in again.run()} == TRUE
        assert again.counts.cached >= len(done)
        assert again.counts.asked + again.counts.cached == 9


def test_a_fault_of_the_model_is_an_outage_that_names_it():
    class Broken:
        name = "broken"

        def complete(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError

    inquiry = ClassInquiry(["mug"], Broken(), ontology=SMALL, strategy="logic")
    inquiry.run()
    assert "ZeroDivisionError" in str(inquiry.outage)


def test_answers_become_evidence_that_asking_again_does_not_double():
    with LoopbackServer(knowing) as server:
        found = asking(server, "logic").run()
    evidence = [piece for asked in found for piece in evidence_of_answers(asked, model="stand-in", strategy="logic")]
    mapping = ObjectAffordances(evidence)
    assert {name: mapping.affordances_of(name) for name in TRUE} == TRUE
    assert mapping.with_evidence(*evidence) == mapping
    assert all(piece.at is not None for piece in mapping)


def test_what_cannot_be_asked_is_refused_at_once():
    with LoopbackServer(knowing) as server:
        model = model_of(server)
        with pytest.raises(UnknownNameError, match="yes-no"):
            ClassInquiry(["mug"], model, strategy="yesno")
        for options in ({"at_once": 0}, {"at_once": 1000}, {"tries": 0}):
            with pytest.raises(UsageError):
                ClassInquiry(["mug"], model, **options)
        with pytest.raises(UsageError):
            ClassInquiry([" "], model)
        assert server.count == 0


def test_a_class_is_asked_about_as_people_write_it():
    with LoopbackServer(knowing) as server:
        ClassInquiry(["mug"], model_of(server), ontology=SMALL, strategy="list").run()
        ClassInquiry(["tea_towel"], model_of(server), ontology={"drink": SMALL["drink"]}, strategy="logic", tries=1)
        assert about(server.requests[0]["messages"]) == "mug"
