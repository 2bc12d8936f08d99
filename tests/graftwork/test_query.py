"""Queries are answered from what is believed and from what was done, and no answer says what nobody knows."""

import itertools
import json
import random
import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from affordances.scene import Scene
from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Doings
from graftwork.decision.query import Answered, answer_query
from graftwork.run.doings import doings_of
from graftwork.setup.plans import PlanningOptions
from planning import make_planner
from planning.service import InProcess
from robots.fake import InjectedFault
from semantics.logic.atoms import And, Atom, Compare, Equal, Exists, ForAll, Literal, Not, Or, Variable
from semantics.logic.feedback import Code
from semantics.logic.goal import Rejection
from semantics.logic.parsing import parse_formula
from semantics.logic.reply import Query, QueryKind, Reply
from semantics.logic.reply_form import read_document
from semantics.logic.sentences import sentence_of
from tests.graftwork.upper import opened, scene

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "words" / "questions_a.yaml"
FORMS = {
    "question-a01": {"ask": "where", "about": ["milk0"]},
    "question-a02": {"ask": "where", "about": ["apple0"]},
    "question-a03": {"ask": "what", "about": ["table0"]},
    "question-a04": {"ask": "count", "about": ["mug"], "that": "(on ?x shelf0)"},
    "question-a05": {"ask": "which", "about": ["fruit"], "that": "(not (on ?x table0))"},
    "question-a06": {"ask": "holds", "about": ["(opened fridge0)"]},
    "question-a07": {"ask": "where", "about": ["banana0"]},
    "question-a08": {"ask": "holds", "about": [], "that": "(inhand cup0 robot0)"},
    "question-a09": {"ask": "why", "about": [], "that": "(opened fridge0)"},
    "question-a10": {"ask": "done", "about": []},
    "question-a11": {"ask": "next", "about": []},
    "question-a12": {"ask": "able", "about": []},
    "question-a13": {"ask": "able", "about": ["chop", "vegetable"]},
    "question-a14": {"ask": "able", "about": ["unscrew", "jar0"]},
    "question-a15": {"ask": "count", "about": ["fridge0"]},
    "question-a16": {"ask": "which", "about": ["block"], "that": "(in ?x green_bowl)"},
    "question-a17": {"ask": "count", "about": ["block"], "that": "(exists (?y - bowl) (in ?x ?y))"},
    "question-a18": {
        "ask": "which",
        "about": ["block"],
        "that": "(and (ontable ?x) (exists (?a - block ?b - block) (and (on ?a ?x) (on ?b ?a) (on yellow_block ?b))))",
    },
    "question-a19": {"ask": "what", "about": ["liquid"], "that": "(filled ginger_bottle ?x)"},
    "question-a20": {"ask": "holds", "about": [], "that": "(contains dough0 cheese)"},
}
"""What a language model would answer with to the sentences of half a."""


def query(ask, *about, that=None):
    read = read_document({"query": {"ask": ask, "about": list(about), "that": that}})
    assert isinstance(read, Reply), read
    return read.content


def asked(session, *form, run=None, **that):
    session.environment.watcher.refresh()
    context = session._services.decide_in(session.environment.world)
    doings = Doings()
    if run is not None:
        ended = run.episode.message if run.episode else ""
        doings = doings_of(run._state, run.runner, run.goal, ended)
    return answer_query(query(*form, **that), context, session.environment.watcher.state, doings)


@pytest.fixture
def session():
    with Session("kitchen", "small", robot="fake", memory=None) as session:
        yield session


def wait(session, seconds):
    session.environment.robot.clock.sleep(seconds)
    session.environment.watcher.refresh()


def stated(literal, answer, sentences):
    """Return whether an answer states a fact or its denial, as data or in words."""
    is_data = any(each.fact == literal.atom and each.truth is literal.positive for each in answer.facts)
    return is_data or (literal.positive and sentence_of(str(literal.atom), sentences) in answer.text)


def literal_of(text):
    formula = parse_formula(text)
    return Literal(formula.part, False) if isinstance(formula, Not) else Literal(formula)


@pytest.mark.parametrize("entry", yaml.safe_load(QUESTIONS.read_text(encoding="utf-8")), ids=lambda entry: entry["id"])
def test_the_questions_of_half_a_are_answered_right(entry):
    body = "symbolic" if entry["world"] in ("barman", "pizza") else "fake"
    with Session(entry["world"], entry["scene"], robot=body, memory=None) as session:
        run = None
        for goal in entry["done"]:
            run = session.start(goal=goal)
            assert run.finish().outcome == "achieved"
        state = session.environment.watcher.state
        answer = asked(
            session,
            *(FORMS[entry["id"]][key] for key in ("ask",)),
            *FORMS[entry["id"]]["about"],
            run=run,
            that=FORMS[entry["id"]].get("that"),
        )
        assert session.environment.watcher.state == state
        sentences = session.environment.world.domain.sayings["facts"]
    assert isinstance(answer, Answered)
    wanted = entry["answer"]
    assert all(stated(literal_of(fact), answer, sentences) for fact in wanted.get("facts", ()))
    assert "count" not in wanted or (len(answer.things), answer.unknown) == (wanted["count"], ())
    assert "count" not in wanted or re.search(rf"\b{wanted['count']}\b", answer.text)
    assert answer.yes is wanted.get("yes")
    assert "things" not in wanted or set(answer.things) == set(wanted["things"])
    assert all(name in answer.text for name in wanted.get("things", ()))
    assert all(re.search(words, answer.text.lower()) for words in wanted.get("words", ()))
    assert not any(stated(literal_of(fact), answer, sentences) for fact in entry["false"])


def test_what_is_believed_is_told_with_its_source_and_age(session):
    assert (
        asked(session, "where", "milk0").text
        == "milk0 is in fridge0 (I believe: last seen there; nobody has looked yet)."
    )
    assert session.handle(goal="(opened fridge0)").outcome == "achieved"
    assert asked(session, "where", "milk0").text == "milk0 is in fridge0 (seen just now)."
    assert session.handle(goal="(closed fridge0)").outcome == "achieved"
    wait(session, 30.0)
    assert re.fullmatch(r"milk0 is in fridge0 \(seen 3\d seconds ago\)\.", asked(session, "where", "milk0").text)
    wait(session, 210.0)
    assert asked(session, "where", "milk0").text == "milk0 is in fridge0 (I believe, last seen four minutes ago)."
    wait(session, 7200.0)
    assert asked(session, "where", "milk0").text == "I last saw milk0 two hours ago in fridge0."
    assert asked(session, "holds", that="(in milk0 fridge0)").yes is None


def test_what_nobody_has_sensed_is_told_as_unknown(session):
    answer = asked(session, "holds", that="(clean table0)")
    assert (answer.yes, answer.text) == (None, "I do not know: it is not known whether table0 is clean.")
    assert asked(session, "which", "table", "counter", that="(clean ?x)").unknown == ("counter0", "table0")


def test_what_may_be_behind_a_shut_door_is_not_counted_silently(session):
    unseen = "what else is there is not known: fridge0 was not {}seen as a whole."
    answer = asked(session, "count", "fridge0")
    assert answer.things == ("cola0", "milk0")
    assert answer.text.endswith(unseen.format(""))
    assert session.handle(goal="(opened fridge0)").outcome == "achieved"
    assert asked(session, "count", "fridge0").text == "2: cola0 and milk0 (seen just now)."
    assert session.handle(goal="(closed fridge0)").outcome == "achieved"
    wait(session, 5.0)
    assert asked(session, "count", "fridge0").text.endswith(unseen.format("lately "))
    text = asked(session, "which", "apple", that="(on ?x table0)").text
    assert text == "1: apple0 (seen just now); apple0 is on table0 (seen just now)."


def test_a_thing_that_nobody_has_seen_is_neither_counted_nor_denied(tmp_path):
    hidden = "  cup9: {class: cup, in: cupboard0, level: 1, offset: [0.0, 0.0], hidden: true}\n"
    session, _ = opened(scene(tmp_path, more=hidden))
    with session:
        answer = asked(session, "count", "cup")
        assert (answer.things, answer.unknown) == (("cup0",), ("cup9",))
        assert asked(session, "holds", that="(in cup9 cupboard0)").yes is None
        assert asked(session, "holds", that="(on cup9 table0)").yes is False  # the table is in view
        assert asked(session, "where", "cup9").text == "it is not known on or in what cup9 is."


def test_of_a_class_that_is_not_here_nothing_is_counted(session):
    assert asked(session, "where", "knife").text == "no knife is known here."
    assert asked(session, "count", "knife").things == ()
    assert asked(session, "count", "knife", "table0").things == ()
    assert asked(session, "which", "knife", that="(not (on ?x table0))").text.startswith("none that I know of")


def test_a_denial_rests_on_a_sensing_that_would_have_seen_it(session):
    answer = asked(session, "holds", that="(on cup0 counter0)")
    assert (answer.yes, answer.text) == (False, "no: cup0 is not on counter0; cup0 is on table0 (seen just now).")
    answer = asked(session, "holds", that="(not (on cup0 table0))")
    assert (answer.yes, answer.text) == (False, "no: cup0 is on table0 (seen just now).")
    assert asked(session, "holds", that="(in apple0 fridge0)").yes is False  # it is in view elsewhere
    assert asked(session, "holds", that="(on milk0 counter0)").yes is False  # the counter is in view
    assert asked(session, "holds", that="(on cola0 milk0)").yes is False  # a carton carries nothing


def written(world="kitchen", name="small"):
    domain = load_domain(world)
    described = Scene.as_written(load_scene(domain, name), domain)
    planning = PlanningOptions(InProcess(make_planner("fast-downward")), seconds=20.0, patience=20.0)
    return DecisionContext(planning.plans(described.world)), described.state


def test_without_a_body_the_file_is_the_source_and_relations_are_not_known():
    context, state = written()
    where = answer_query(query("where", "milk0"), context, state, Doings())
    assert where.text == "milk0 is in fridge0 (as the scene file says)."
    assert answer_query(query("count", "fridge0"), context, state, Doings()).text.startswith(
        "2: cola0 and milk0 (as the"
    )
    assert answer_query(query("holds", that="(opened fridge0)"), context, state, Doings()).yes is False
    assert answer_query(query("holds", that="(left_of cup0 apple0)"), context, state, Doings()).yes is None


def test_relations_are_sensed_for_the_question(session):
    left = asked(session, "which", "banana", "cup", that="(left_of ?x apple0)")
    right = asked(session, "which", "banana", "cup", that="(right_of ?x apple0)")
    assert {*left.things, *right.things} == {"banana0", "cup0"}
    assert not left.unknown


def test_attributes_are_asked_for_and_one_that_nobody_states_is_unknown():
    context, state = written("tabletop", "four")
    red = answer_query(query("which", "block", that="(colour ?x red)"), context, state, Doings())
    assert (red.things, red.unknown) == (("red_block",), ())
    other = answer_query(query("which", "corner", that="(not (colour ?x red))"), context, state, Doings())
    assert other.things == ()
    assert len(other.unknown) == 4
    every = "(forall (?y - bowl ?c - colour) (imply (and (colour ?x ?c) (colour ?y ?c)) (in ?x ?y)))"
    assert answer_query(query("which", "block", that=every), context, state, Doings()).things == ()
    matching = "(exists (?y - bowl ?c - colour) (and (colour ?x ?c) (not (colour ?y ?c)) (in ?x ?y)))"
    odd = answer_query(query("which", "block", that=matching), context, state, Doings())
    assert odd.things == ("blue_block",)


@pytest.mark.parametrize(
    ("form", "that", "code", "how"),
    [
        (("where", "mlik0"), None, Code.UNKNOWN_NAME, "did you mean milk0"),
        (("which", "frut"), "(on ?x table0)", Code.UNKNOWN_NAME, "did you mean fruit"),
        (("able", "chpo"), None, Code.UNKNOWN_NAME, "did you mean chop"),
        (("which",), "(onn ?x table0)", Code.UNKNOWN_PREDICATE, "Did you mean on"),
        (("which",), "(on ?x tabel0)", Code.UNKNOWN_NAME, "Did you mean table0"),
        (("holds",), "(on cup0)", Code.WRONG_ARITY, "(on carry support)"),
        (("holds",), "(colour cup0)", Code.WRONG_ARITY, "takes 2 arguments"),
        (("holds",), "(exists (?y - frut) (on ?y table0))", Code.UNKNOWN_NAME, "did you mean fruit"),
        (("which",), "(on ?x ?y)", Code.NOT_UNDERSTOOD, "?y stands in the condition"),
        (("which",), "(> (size ?x) 10)", Code.NOT_UNDERSTOOD, "compares numbers"),
        (("holds", "cup0"), None, Code.NOT_UNDERSTOOD, "nothing that may hold"),
        (("where",), None, Code.NOT_UNDERSTOOD, "nothing to look for"),
    ],
)
def test_what_is_wrong_with_a_query_is_told_with_the_nearest_name(session, form, that, code, how):
    refused = asked(session, *form, that=that)
    assert isinstance(refused, Rejection)
    assert refused.feedback[0].code == code
    assert how in str(refused)


def test_all_wrong_names_of_a_condition_are_told_at_once(session):
    refused = asked(session, "holds", that="(and (on cup7 table0) (onn cup0 table0) (on cup0 table7))")
    assert len(refused.feedback) == 3


def test_all_mistakes_of_the_text_of_a_query_are_told_at_once():
    read = read_document({"query": {"ask": "holds", "about": ["(on cup0"], "that": "on cup0"}})
    assert isinstance(read, Rejection)
    assert len(read.feedback) == 2


def test_a_condition_among_the_names_is_one_in_its_place():
    assert query("holds", "(opened fridge0)", "fridge0") == Query(
        QueryKind.HOLDS, ("fridge0",), Atom("opened", ("fridge0",))
    )


def test_why_something_cannot_be_is_the_reason_of_the_planner(session):
    answer = asked(session, "why", that="(in fridge0 milk0)")
    assert (answer.yes, answer.feedback[0].code) == (False, Code.WRONG_AFFORDANCE)
    jar = asked(session, "able", that="(chopped apple0)")
    assert (jar.yes, jar.feedback[0].code) == (False, Code.NO_PLAN)
    assert "`cut`" in jar.text or "cut" in jar.text
    possible = asked(session, "able", that="(in apple0 fridge0)")
    assert possible.yes is True
    assert possible.steps[-1].action.name == "putin"
    assert asked(session, "able", that="(on apple0 table0)").yes is True


def test_why_something_was_not_done_is_what_failed():
    faults = [InjectedFault(Code.OUT_OF_REACH, "open", {"object": "fridge0"}, fraction=0.0) for _ in range(20)]
    with Session(
        "kitchen", "small", robot="fake", memory=None, substitute="never", part="never", ladder={"ask": None}
    ) as session:
        for fault in faults:
            session.environment.robot.add_fault(fault)
        run = session.start(goal="(inhand milk0 human0)")
        assert run.finish().outcome == "failed"
        answer = asked(session, "why", that="(opened fridge0)", run=run)
    assert Code.OUT_OF_REACH in [reason.code for reason in answer.feedback]
    assert "fridge0" in answer.text


def test_what_is_done_and_what_comes_next_are_told_in_mid_run(session):
    run = session.start("put the apple on the counter, then close the fridge")
    assert run.wait()
    before = asked(session, "next", run=run)
    assert [step.action.name for step in before.steps] == ["move", "grasp", "move", "place"]
    while not any(step.action.name == "grasp" for step, _ in doings_of(run._state, run.runner, run.goal).done):
        assert run.tick()
    done, after = asked(session, "done", run=run), asked(session, "next", run=run)
    assert [step.action.name for step in done.steps] == ["move", "grasp"]
    assert re.search(r"robot0 takes apple0 from table0 \(\d seconds? ago\)", done.text)
    assert [step.action.name for step in (*done.steps, *after.steps)] == ["move", "grasp", "move", "place"]
    why = asked(session, "why", "grasp", run=run)
    assert why.text.startswith("robot0 takes apple0 from table0; so that later: robot0 puts apple0 on counter0")
    while run.tick():
        pass
    assert asked(session, "next", run=run).steps == ()
    assert asked(session, "done", "banana0", run=run).text.startswith("nothing was done")


def test_before_a_run_is_decided_nothing_is_said_of_what_comes(session):
    assert asked(session, "next").text == "nothing is left to do; nothing is under way."
    context = session._services.decide_in(session.environment.world)
    undecided = answer_query(query("next"), context, session.environment.watcher.state, Doings(ended=""))
    assert undecided.text == "what comes next is not decided yet."
    failed = Doings(later=("(opened fridge0)",), ended="the hand is stuck")
    ended = answer_query(query("next"), context, session.environment.watcher.state, failed)
    assert ended.text == "nothing is left to do; the hand is stuck."


def test_what_each_agent_can_do_is_told(session):
    everything = asked(session, "able")
    assert everything.yes is None
    assert "robot0 opens something" in everything.text
    assert asked(session, "able", "open", "fridge0").yes is True
    assert asked(session, "able", "open", "apple0").yes is False
    assert asked(session, "able", "chop").yes is False  # there is no knife here


def test_an_answer_is_data_for_json(session):
    told = json.loads(json.dumps(asked(session, "where", "apple0").as_dict()))
    assert told["facts"][0] == {"fact": "(on apple0 table0)", "holds": True, "source": "sensed", "last_seen": 0.0}
    told = json.loads(json.dumps(asked(session, "able", that="(opened fridge0)").as_dict()))
    assert told["steps"][-1] == "(open robot0 fridge0 fridge0)"


ATOMS = [Atom("clear", (f"{colour}_block",)) for colour in ("red", "yellow", "green", "white", "black")]
ATOMS += [Atom("on", (f"{a}_block", f"{b}_block")) for a, b in itertools.permutations(("red", "green", "black"), 2)]
CONDITIONS = st.recursive(
    st.sampled_from(ATOMS),
    lambda parts: st.one_of(
        parts.map(Not),
        st.lists(parts, min_size=1, max_size=3).map(lambda each: And(tuple(each))),
        st.lists(parts, min_size=1, max_size=3).map(lambda each: Or(tuple(each))),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(condition=CONDITIONS)
def test_where_everything_is_known_a_condition_has_the_truth_that_it_has_in_the_state(condition):
    context, state = written("blocks", "towers")
    answer = answer_query(Query(QueryKind.HOLDS, that=condition), context, state, Doings())
    assert answer.yes is state.judge(condition)
    assert all((each.fact in state.atoms) is each.truth for each in answer.facts)


@pytest.mark.parametrize("name", ["full", "small", "tea"])
def test_no_fact_of_a_scene_is_told_otherwise_than_it_is(name):
    """The truth is the file's; what stands in the shut fridge and in the drawers is not in view."""
    domain = load_domain("kitchen")
    truth = load_scene(domain, name).facts
    with Session("kitchen", name, robot="fake", memory=None) as session:
        things = session.environment.world.objects
        every = [
            Atom(predicate, names)
            for predicate in ("on", "in", "at", "inhand", "opened", "closed", "overturned")
            for kinds in (domain.predicates[predicate].predicate.parameters,)
            for names in itertools.product(
                *([thing for thing in sorted(things) if things[thing].affords((kind,))] for kind in kinds)
            )
        ]
        told = {
            fact: asked(session, "holds", that=str(fact)).yes
            for fact in random.Random(7).sample(every, min(150, len(every)))
        }
        told |= {fact: asked(session, "holds", that=str(fact)).yes for fact in every if fact in truth}
    assert {True, False} <= {*told.values()}
    assert not [fact for fact, yes in told.items() if yes is not None and yes is not (fact in truth)]


NAMES = st.sampled_from(
    ["milk0", "fridge0", "cup0", "table0", "robot0", "human0", "?x", "?y", "red", "fruit", "chop", "mlik0", "object"]
)
FACTS = st.builds(
    lambda predicate, args: Atom(predicate, tuple(args)),
    st.sampled_from(["on", "in", "opened", "colour", "size", "left_of", "filled", "chopped", "at", "onn", "inhand"]),
    st.lists(NAMES, max_size=3),
)
ANYTHING = st.recursive(
    st.one_of(FACTS, st.builds(Equal, NAMES, NAMES), st.builds(Compare, st.just(">"), FACTS, st.just(1.0))),
    lambda parts: st.one_of(
        parts.map(Not),
        st.lists(parts, max_size=2).map(lambda each: And(tuple(each))),
        st.lists(parts, max_size=2).map(lambda each: Or(tuple(each))),
        parts.map(lambda part: Exists((Variable("y", "fruit"),), part)),
        parts.map(lambda part: ForAll((Variable("y", "cupp"),), part)),
    ),
    max_leaves=3,
)


@pytest.fixture(scope="module")
def answer_to():
    """Return a function that answers with a body or without one."""
    with Session("kitchen", "small", robot="fake", memory=None) as session:
        watcher = session.environment.watcher
        known = [(session._services.decide_in(session.environment.world), watcher.state), written()]
        yield lambda asked, number: answer_query(asked, *known[number], Doings())


@settings(max_examples=150, deadline=None)
@given(
    ask=st.sampled_from([each for each in QueryKind if each not in (QueryKind.WHY, QueryKind.ABLE)]),
    about=st.lists(NAMES, max_size=2),
    that=st.one_of(st.none(), ANYTHING),
    number=st.integers(0, 1),
)
def test_any_query_is_answered_or_refused_with_a_reason(answer_to, ask, about, that, number):
    answer = answer_to(Query(ask, tuple(about), that), number)
    if isinstance(answer, Rejection):
        assert answer.feedback
        return
    assert answer.text.endswith(".")
    assert len(answer.text) > 2
    json.dumps(answer.as_dict())


def said(session, words):
    run = session.start(words)
    assert run.finish().outcome == "answered", run.episode.message
    return run.decision.answer


def test_what_a_person_asks_in_words_is_answered_from_what_was_done(session):
    assert said(session, "is there any milk left?")["yes"] is True
    assert said(session, "is there any cheese in the fridge?")["yes"] is None
    assert said(session, "did you open the fridge?")["yes"] is False
    assert session.handle("put the apple on the counter").outcome == "achieved"
    assert session.handle("bring me the trombone").outcome == "refused"
    assert session.handle("bring me the milk").outcome == "achieved"
    opened = said(session, "did you open the fridge?")
    assert (opened["yes"], opened["steps"]) == (True, ["(open robot0 fridge0 fridge0)"])
    earlier = said(session, "when did you put the apple on the counter?")
    assert earlier["steps"] == ["(place robot0 apple0 counter0)"]
    assert said(session, "what did you put on the counter?")["steps"] == earlier["steps"]
    was = said(session, "where was the apple before?")
    assert "apple0 was on table0, before robot0 takes apple0 from table0" in was["text"]
    assert was["about"] == ("apple0", "table0")
    assert "'bring me the trombone'" in said(session, "what didn't you understand?")["text"]
    remembered = said(session, "what do you remember?")["text"]
    assert "'bring me the milk' (achieved)" in remembered
    assert "what didn't you" not in remembered
    assert said(session, "what colour is the apple?")["things"] == ("red",)
    assert said(session, "what's on top of the fridge?")["text"].startswith("of fridge0 I know: ")
    assert said(session, "why is the fridge closed?")["text"].startswith(
        "nothing that I have done here is about that; no"
    )


def test_that_nothing_is_behind_a_shut_door_is_not_said_before_somebody_has_looked(tmp_path):
    session, _ = opened(
        scene(tmp_path, more="  cup9: {class: cup, in: cupboard0, level: 1, offset: [0.0, 0.0], hidden: true}\n")
    )
    with session:
        assert said(session, "is there nothing in cupboard0?")["yes"] is None
        assert said(session, "is there no cup in cupboard0?")["yes"] is None
        assert said(session, "is the sink empty?")["yes"] is True


def test_a_question_is_about_what_is_spoken_of_next(session):
    assert said(session, "where is the apple?")["about"] == ("apple0", "table0")
    assert said(session, "what is on the table?")["about"] == ("table0",)  # "it" is none of three things
    assert session.handle("put the apple on the counter").outcome == "achieved"
    assert "apple0 is on counter0" in said(session, "where is it now?")["text"]


def test_a_question_in_mid_run_is_answered_and_changes_nothing(session):
    run = session.start("put the apple on the counter")
    assert run.wait()
    while run.tick() and not session.environment.watcher.state.judge(Atom("inhand", ("apple0", "robot0"))):
        pass
    for words, answer in {
        "what are you holding?": "1: apple0",
        "did you put the apple on the counter?": "not yet; that is still to come: robot0 puts apple0 on counter0",
        "where is the cup": "cup0 is on table0",
        "why did you take the apple?": "robot0 takes apple0 from table0; so that later",
    }.items():
        assert run.say(words)
        while answer not in run.reply and run.tick():
            pass
        assert answer in run.reply, (words, run.reply)
    while run.tick():
        pass
    assert run.episode.outcome == "achieved"


def test_whether_something_holds_or_can_be_reached_of_some_thing_is_asked_with_a_variable(session):
    assert asked(session, "holds", that="(on ?x table0)").yes is True
    assert asked(session, "able", "fruit", that="(on ?x counter0)").yes is True
