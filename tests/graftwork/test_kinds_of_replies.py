"""Whatever a language model answers goes where it belongs: a goal, a program, a plan, a tool, a refusal, words."""

import json

import pytest

from graftwork import Outcome, Session
from graftwork.testing import ScriptedModel
from semantics.logic.atoms import Atom

MILK = {"goal": ["(inhand milk0 human0)"], "prefer": None}


def reply(**content):
    return json.dumps({"reply": {**content, "note": None}})


def handled(words, *answers, answer=None, **more):
    """Return the episode of some words to a model with these answers, the model, and the facts at the end."""
    model = ScriptedModel([each if isinstance(each, str) else reply(**each) for each in answers])
    with Session("kitchen", "small", robot="fake", memory=None, model=model, **more) as session:
        episode = session.handle(words, answer)
        return episode, model, session.environment.watcher.state.atoms


def said(model):
    """Return what the model was told after its first answer."""
    return [request.messages[-1].content for request in model.requests[1:]]


def test_a_program_is_rehearsed_and_carried_out():
    text = "for x in objects('fruit'):\n    achieve(on(x, counter0))"
    episode, _, facts = handled("put each fruit on the counter", {"program": text})
    assert (episode.outcome, episode.program) == (Outcome.ACHIEVED, text)
    assert {Atom("on", ("apple0", "counter0")), Atom("on", ("banana0", "counter0"))} <= facts


def test_a_program_that_fails_on_the_model_goes_back_with_the_reason():
    programs = ({"program": "place(apple0)\n"}, {"program": "achieve(on(apple0, counter0))\n"})
    episode, model, _ = handled("put the apple on the counter", *programs)
    assert episode.outcome is Outcome.ACHIEVED
    assert "does not hold" in said(model)[0] or "inhand" in said(model)[0]


def test_functions_that_nobody_has_defined_are_asked_for_and_joined():
    fetch = {"program": "def fetch_all():\n    achieve(on(apple0, counter0))\n"}
    episode, model, _ = handled("the apple on the counter", {"program": "fetch_all()\n"}, fetch)
    assert episode.outcome is Outcome.ACHIEVED
    assert "'fetch_all': there is no capability and no function of this name" in said(model)[0]
    assert episode.program == "def fetch_all():\n    achieve(on(apple0, counter0))\n\nfetch_all()"


def test_a_plan_is_mended_and_carried_out():
    lines = ["go to table0", "pick up apple0", "go to counter0", "put down apple0"]
    episode, _, facts = handled("put the apple on the counter", {"plan": lines, "brief": "(on apple0 counter0)"})
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert Atom("on", ("apple0", "counter0")) in facts


def test_a_tool_tells_and_costs_no_try():
    look = {"tool": "look for", "argument": "milk0"}
    episode, model, _ = handled("bring me the milk", look, look, MILK)
    assert episode.outcome is Outcome.ACHIEVED
    assert said(model)[0] == "milk0 is in fridge0."
    assert "it was used already" in said(model)[1]
    assert [bool(turn["told"]) for turn in episode.exchange] == [True, False, False]
    assert any("The model used the tool 'look for' for 'milk0'" in note for note in episode.notes)


def test_no_more_than_eight_tools_are_used():
    tools = [{"tool": "look up", "argument": name} for name in ("apple0", "banana0", "cup0", "mug0", "milk0", "cola0")]
    tools += [{"tool": "look for", "argument": name} for name in ("apple0", "banana0", "cup0")]
    episode, model, _ = handled("bring me the milk", *tools, MILK)
    assert episode.outcome is Outcome.ACHIEVED
    assert "8 tools were used already" in said(model)[8]


def test_the_tools_tell_of_substitutes_and_parts():
    part = {"tool": "part", "argument": "(and (on apple0 counter0) (clean table0))"}
    _, model, _ = handled("bring me the milk", {"tool": "substitute", "argument": "glass"}, part, MILK)
    assert "cup0" in said(model)[0]
    assert "this can be reached: (and (on apple0 counter0))" in said(model)[1]
    assert "wet" in said(model)[1]


def test_why_there_is_no_plan_goes_back_with_what_there_is():
    wet = {"goal": ["(clean table0)"], "prefer": None}
    episode, model, _ = handled("clean the table", wet, wet, wet, wet, wet, substitute="never")
    assert (episode.outcome, episode.model_calls) == (Outcome.REFUSED, 5)
    assert "it needs that sponge0 is wet" in said(model)[0]
    assert "What the world does offer" in said(model)[0]
    assert "sponge0 is on counter0" in said(model)[0]


def test_a_refusal_for_something_that_is_known_is_reconsidered():
    refusal = {"refusal": "I see no milk.", "missing": ["milk0"]}
    episode, model, _ = handled("bring me the milk", refusal, MILK)
    assert episode.outcome is Outcome.ACHIEVED
    assert "milk0 is known here, and looked for where necessary" in said(model)[0]


def test_a_refusal_for_something_absent_leads_to_a_substitute():
    refusal = {"refusal": "There is no glass.", "missing": ["glass"]}
    glass = {"goal": ["(inhand glass0 human0)"], "prefer": None}
    others = (json.dumps({"affordances": ["drink"]}), json.dumps({"substitute": "cup"}))
    asked, _, _ = handled("bring me a glass", refusal, glass, *others)
    assert asked.outcome is Outcome.QUESTION
    assert "There is no glass here" in asked.message
    taken, _, _ = handled("bring me a glass", refusal, glass, *others, substitute="allow")
    assert taken.outcome is Outcome.ACHIEVED, taken.message
    assert any("instead of a glass" in note for note in taken.notes)


@pytest.mark.parametrize("substitute", ["allow", "ask"])
def test_a_substitute_is_no_consent_to_what_else_nobody_has_spoken_of(substitute):
    refusal = {"refusal": "There is no glass.", "missing": ["glass"]}
    both = {"goal": ["(and (inhand glass0 human0) (opened fridge0))"], "prefer": None}
    others = (json.dumps({"affordances": ["drink"]}), json.dumps({"substitute": "cup"}))
    asked = []

    def answer(question):
        asked.append(question.text)
        return "yes" if len(asked) == 1 and substitute == "ask" else "no"

    replies = (refusal, both, *others) + (refusal, both, *others) * (substitute == "ask")
    episode, _, _ = handled("bring me a glass", *replies, substitute=substitute, answer=answer)
    assert episode.outcome is Outcome.REFUSED
    assert asked[-1] == "Is this meant: cup0 is in the hand of human0 and fridge0 is open? Nothing was said of fridge0."


def test_what_nobody_has_spoken_of_is_asked_first():
    apple = {"goal": ["(inhand apple0 human0)"], "prefer": None}
    episode, _, _ = handled("bring me the milk", apple)
    assert episode.outcome is Outcome.QUESTION
    assert "Nothing was said of apple0" in episode.message
    agreed, _, _ = handled("bring me the milk", apple, answer=lambda question: "yes")
    assert (agreed.outcome, agreed.goal) == (Outcome.ACHIEVED, "(inhand apple0 human0)")
    declined, _, _ = handled("bring me the milk", apple, answer=lambda question: "no")
    assert declined.outcome is Outcome.REFUSED


def test_words_of_a_model_are_told_as_its_own():
    episode, _, _ = handled("who are you", {"answer": "A robot."})
    assert (episode.outcome, episode.exit_code, episode.message) == (Outcome.ANSWERED, 0, "The model says: A robot.")


def test_a_goal_may_quantify_and_wish():
    each = {"goal": ["(forall (?x - fruit) (on ?x counter0))"], "prefer": None}
    episode, _, facts = handled("put all fruits on the counter", each)
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert {Atom("on", ("apple0", "counter0")), Atom("on", ("banana0", "counter0"))} <= facts
    wishes = {"goal": ["(on cup0 counter0)"], "prefer": [{"fact": "(clean table0)", "weight": 2}]}
    episode, _, _ = handled("put the cup on the counter, and clean the table if you can", wishes)
    assert episode.outcome is Outcome.ACHIEVED, episode.message
    assert episode.part["left_out"][0]["literal"] == "(clean table0)"


def test_a_variable_that_nothing_binds_and_an_unknown_class_go_back():
    texts = ("(on ?x counter0)", "(forall (?x - gem) (clean ?x))")
    free, unknown = ({"goal": [text], "prefer": None} for text in texts)
    episode, model, _ = handled("bring me the milk", free, unknown, MILK)
    assert episode.outcome is Outcome.ACHIEVED
    assert "?x stands there without a forall or exists" in said(model)[0]
    assert "gem" in said(model)[1]


@pytest.mark.parametrize("kind", ["control", "choice", "correction"])
def test_what_is_about_a_run_is_no_answer_when_nothing_is_under_way(kind):
    contents = {
        "control": {"control": "stop", "request": None},
        "choice": {"choice": "the red one"},
        "correction": {"correction": [{"remove": {"step": 1}}]},
    }
    episode, model, _ = handled("bring me the milk", contents[kind], MILK)
    assert episode.outcome is Outcome.ACHIEVED
    assert f"the reply '{kind}': it is no answer here" in said(model)[0]


def query(ask, *about, that=None):
    return reply(query={"ask": ask, "about": list(about), "that": that})


def test_queries_are_computed_from_what_is_known_and_was_done():
    answers = [query("where", "milk0"), reply(goal=["(on apple0 counter0)"], prefer=None), query("done")]
    answers += [query("count", "fruit", that="(on ?x table0)"), query("where", "unicorn0"), query("where", "apple0")]
    with Session("kitchen", "small", robot="fake", memory=None, model=ScriptedModel(answers)) as session:
        where, moved, done, count, again = (
            session.handle(words)
            for words in ("where is the milk", "put the apple on the counter", "what did you do", "how many", "it?")
        )
    assert moved.outcome is Outcome.ACHIEVED
    assert {each.outcome for each in (where, done, count, again)} == {Outcome.ANSWERED}
    assert where.message.startswith("milk0 is in fridge0")
    assert "robot0 puts apple0 on counter0" in done.message
    assert count.answer["count"] == 1
    assert (again.model_calls, again.message) == (2, "apple0 is on counter0 (seen just now).")


def test_whether_there_is_another_one_is_answered_with_yes_by_the_ones_there_are():
    answers = [query("which", "fruit", that="(not (on ?x counter0))"), query("which", "fruit", that="(in ?x fridge0)")]
    answers += [query("which", "drink", that="(in ?x fridge0)")]
    asked = ("Is there another fruit?", "is there any fruit in it", "is there nothing to drink in the fridge?")
    with Session("kitchen", "small", robot="fake", memory=None, model=ScriptedModel(answers)) as session:
        some, none, listed = map(session.handle, asked)
    assert (listed.answer["yes"], listed.message.startswith("2: cola0")) == (None, True)  # a yes would be wrong
    assert (some.answer["yes"], some.message.startswith("yes, 2: apple0")) == (True, True)
    assert none.message.startswith("none that I know of")


@pytest.mark.parametrize(
    ("words", "is_asked"), [("put the other one in the fridge", False), ("look after the milk", True)]
)
def test_what_was_spoken_of_before_needs_no_words_where_words_may_look_back(words: str, is_asked: bool):
    answers = [reply(goal=[goal], prefer=None) for goal in ("(on apple0 counter0)", "(in apple0 fridge0)")]
    with Session("kitchen", "small", robot="fake", memory=None, model=ScriptedModel(answers)) as session:
        session.handle("put the apple on the counter")
        episode = session.handle(words)
    assert episode.outcome is (Outcome.QUESTION if is_asked else Outcome.ACHIEVED), episode.message


def test_what_was_done_before_something_else_was_wanted_afterwards_is_told_with_the_words_for_it():
    control = {"control": "afterwards", "request": "Put the cup in the sink."}
    replies = [{"goal": ["(on mug0 table0)"], "prefer": None}, control, {"goal": ["(in cup0 sink0)"], "prefer": None}]
    model = ScriptedModel([*(reply(**each) for each in replies), reply(answer="I see.")])
    with Session("kitchen", "small", robot="fake", memory=None, model=model) as session:
        run = session.start("put the mug on the table")
        run.wait()
        run.tick()
        assert session.say("when that is done the cup needs to go in the sink")
        episode = run.finish()
        assert episode.outcome is Outcome.ACHIEVED
        session.handle("it looked better before")
    told = model.requests[-1].messages[-1].content
    assert 'Before: "put the mug on the table"; "Done. Wanted: (on mug0 table0). Before: (on mug0 shelf0)."' in told
    assert 'Before: "Put the cup in the sink."; "Done: ' in told
