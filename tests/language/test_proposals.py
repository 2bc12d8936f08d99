"""What an answer proposes is understood when it is said: over the gallery, the corpora, and sentences that say more."""

import itertools
import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from affordances.scene import Scene
from domains.reader import available_scenes, load_domain, load_scene
from domains.world import World
from graftwork.language.answers import with_answer
from semantics.logic.feedback import Code
from semantics.logic.goal import CheckedGoal, Question, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.reply import Answer, ProgramText, Query
from tests.language.reading import read_checked

ROOT = Path(__file__).parents[2]
NOT_READ = {Code.NOT_UNDERSTOOD, Code.UNKNOWN_NAME, Code.AMBIGUOUS}
ORDERS = [
    json.loads(line)["text"]
    for name in ("order/a", "order/b", "stop/under_way", "stop/under_way_more")
    for line in (ROOT / "tests" / "corpora" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
]
GALLERY = [
    (entry["say"], entry.get("domain", "kitchen"), entry.get("scene", ""))
    for group in yaml.safe_load((ROOT / "benchmarks" / "gallery" / "sentences.yaml").read_text("utf-8")).values()
    for entry in group["sentences"]
    if "say" in entry
]
ENDINGS = (
    "in a row",
    "in the drawer",
    "by 90 degrees",
    "in ten seconds",
    "at 3 cm",
    "on the table's left edge",
    "later",
)
OF_A_KIND = (
    "put the furniture on the counter",
    "put the apple on the furniture",
    "put the milk in the furniture",
    "put the fork on the furnitur",
    "wipe the furniture",
    "put the row of mugs in the sink",
)
SHORT = {"90 degrees": "90deg", "ten seconds": "10s", "3 cm": "3cm"}
SENTENCES = [
    *((text, "kitchen", "full") for text in OF_A_KIND),
    *((text, "kitchen", "full") for text in ORDERS),
    *((text, domain, scene) for text, domain, scene in GALLERY),
    *(
        (f"{text.rstrip('.!?')} {ENDINGS[number % len(ENDINGS)]}", domain, scene)
        for number, (text, domain, scene) in enumerate(GALLERY)
    ),
    *((text.replace("the ", "half of the ", 1), domain, scene) for text, domain, scene in GALLERY),
]


@cache
def world(name, scene):
    domain = load_domain(name)
    scene = scene or next(iter({"full"}.intersection(available_scenes(domain)) or available_scenes(domain)))
    written = load_scene(domain, ROOT / scene if "/" in scene else scene)
    state = Scene.as_written(written, domain).state
    return World.of(written, domain), state


def read(sentence, domain, scene):
    known, state = world(domain, scene)
    check = lambda goal: check_goal(goal, known.vocabulary, rules=known.rules, state=state)  # noqa: E731
    return read_checked(sentence, known, state, check)


def proposals(reason):
    """Return what a reason proposes to say, word by word, as a reader of its text finds it."""
    if named := re.search(
        r"(?:Did you mean|What would do here:|that there is, such as) ([\w ,]+?)(?: and others .*)?[.?]$", reason.how
    ):
        return re.split(r", | or ", named[1])
    return [] if "…" in reason.how else re.findall(r"(?:Say|or) '([^']+)'", reason.how)


def refused_again(sentence, domain, scene, reason, proposal):
    """Return why a sentence is not understood with a proposal in it; the reasons that it had before do not count."""
    for said, short in SHORT.items():  # as the reason quotes it
        sentence = sentence.replace(said, short)
    again = read(with_answer(sentence, Question("", (proposal,), reason), proposal), domain, scene)
    return [each for each in again.feedback if each.code in NOT_READ] if isinstance(again, Rejection) else []


@pytest.mark.parametrize("number", range(4))
def test_what_an_answer_proposes_is_understood(number):
    proposed = 0
    for sentence, domain, scene in SENTENCES[number::4]:
        answer = read(sentence, domain, scene)
        if isinstance(answer, CheckedGoal | Query | Answer | ProgramText):
            continue
        if isinstance(answer, Question):
            for option in answer.options:
                again = read(with_answer(sentence, answer, option), domain, scene)
                assert not isinstance(again, Rejection), (sentence, option, str(again))
            proposed += len(answer.options)
            continue
        known = {(each.code, each.what) for each in answer.feedback}
        for reason in answer.feedback:
            for proposal in proposals(reason):
                wrong = refused_again(sentence, domain, scene, reason, proposal)
                assert {(each.code, each.what) for each in wrong} <= known, (sentence, proposal, wrong)
                proposed += 1
    assert proposed > 5  # else nothing was tried


@pytest.mark.parametrize("number", range(4))
def test_a_phrase_that_is_proposed_can_be_said(number):
    for sentence, domain, scene in SENTENCES[number::4]:
        answer = read(sentence, domain, scene)
        forms = [
            form
            for reason in (answer.feedback if isinstance(answer, Rejection) else ())
            for form in re.findall(r"'([^']*…[^']*)'", reason.how)
            if not form.startswith("wait")
        ]
        names = sorted(world(domain, scene)[0].objects)
        for form in dict.fromkeys(forms):
            words = form.split()
            filled = itertools.islice(itertools.product(names, repeat=words.count("…")), 400)
            said = (" ".join(next(parts) if word == "…" else word for word in words) for parts in map(iter, filled))
            assert any(not refuses_the_words(read(each, domain, scene)) for each in said), (sentence, form)


def refuses_the_words(answer):
    return isinstance(answer, Rejection) and any(each.code is Code.NOT_UNDERSTOOD for each in answer.feedback)


def test_a_verb_of_the_world_is_no_word_of_time():
    (reason,) = read("turn the blue block inside out", "tabletop", "four").feedback
    assert "times" not in reason.why
    assert "angle" not in str(reason)
    assert "'turn' is not something that can be asked for here" in reason.why
    (reason,) = read("turn on the stove", "tabletop", "four").feedback
    assert "times" not in reason.why


def test_a_phrase_with_a_choice_of_words_is_proposed_as_it_can_be_said():
    (reason,) = read("open the furniture", "tabletop", "four").feedback
    (said,) = re.findall("'([^']+)'", reason.how)
    assert not refuses_the_words(read(said, "tabletop", "four"))


@pytest.mark.parametrize("domain", ["pizza", "barman"])
def test_a_phrase_of_a_world_may_begin_with_turn(domain):
    words = world(domain, "")[0].vocabulary
    phrases = [phrase.pattern for phrase in words.phrases if re.search(r"\bturn\b", phrase.pattern.split()[0])]
    assert phrases
    devices = [name for name, thing in words.things.items() if read(f"turn on {name}", domain, "") and thing]
    answers = [read(f"turn on the {name}", domain, "") for name in devices]
    assert not any("times" in str(answer) for answer in answers if isinstance(answer, Rejection))
    assert any(isinstance(answer, CheckedGoal) for answer in answers)


@pytest.mark.parametrize("words", ["in turn"])
def test_words_of_order_stay_words_of_order(words):
    answer = read(f"put the apple and the banana on the shelf {words}", "kitchen", "full")
    assert "conditions and times cannot be said" in str(answer)


@pytest.mark.parametrize(
    ("sentence", "unsaid"),
    [
        ("put the mugs in a row on the counter", "tray"),
        ("put the cup on the table's left edge", "kitchen table"),
        ("bring me half of the apple", "piece of fruit"),
        ("put the fork in the drawer", "furniture"),
    ],
)
def test_a_word_that_is_not_known_is_not_guessed_where_no_guess_is_taken(sentence, unsaid):
    assert unsaid not in str(read(sentence, "kitchen", "full"))
