"""Whatever a model answers, nothing is carried out that the answer and its schema do not say.

Valid replies of every kind are spoilt in ways that models and lines spoil them. Each is read to a reply of a kind that
is allowed, which the strict schema accepts and whose words stand in the answer, or it is no answer; no error escapes.
``GRAFTWORK_FUZZ_EXAMPLES`` says how many answers are tried, of all kinds together.
"""

import json
import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from graftwork.language.replies import read_reply
from semantics.body.exchange import Unusable
from semantics.logic.reply import Reply
from semantics.logic.reply_form import FORMS, document_of, kind_of, read_document, reply_schema
from tests.semantics.logic.test_reply import misfits

EXAMPLES = int(os.environ.get("GRAFTWORK_FUZZ_EXAMPLES", "10000")) // len(FORMS)
LEAST_READ = 0.1
"""Share of the spoilt answers of each kind that are still read, so that the test does not only see nonsense."""
SAMPLES: dict[str, list[dict[str, Any]]] = {
    "goal": [
        {"goal": ["(inhand milk0 human0)"], "prefer": None},
        {"goal": ["(and (on cup0 table0) (not (opened fridge0)))", "(clean plate0) :speed 20cm/s"], "prefer": None},
        {"goal": ["(or (in a0 b0) (in a1 b0))"], "prefer": [{"fact": "(on cup0 shelf0)", "weight": 2.5}]},
    ],
    "program": [{"program": "for x in all('fruit'):\n    if not on(x, table0):\n        put(x, table0)\nsay('done')"}],
    "plan": [
        {"plan": ["(grasp robot0 milk0 counter0 counter0)", "(move robot0 counter0 table0)"], "brief": "bring it"},
        {"plan": ["take the milk", "put it on the table"], "brief": None},
    ],
    "correction": [
        {"correction": [{"replace": {"step": 2, "old": "table0", "new": "shelf0"}}, {"remove": {"step": "3.1"}}]},
        {"correction": [{"insert": {"before": 1, "text": "wait()"}}, {"move": {"step": 4, "before": 2}}]},
        {"correction": [{"wrap": {"step": 1, "head": "while true", "count": 2}}]},
    ],
    "control": [{"control": "stop", "request": None}, {"control": "instead", "request": "bring me the cola"}],
    "query": [{"query": {"ask": "where", "about": ["milk0"]}}, {"query": {"ask": "count", "about": ["cup", "mug"]}}],
    "question": [{"question": "Which cup?", "options": ["cup0", "cup1"]}, {"question": "How many?", "options": None}],
    "choice": [{"choice": "the red one"}],
    "answer": [{"answer": "There are three cups."}],
    "refusal": [{"refusal": "There is no knife.", "missing": ["knife"]}, {"refusal": "I cannot.", "missing": None}],
    "lesson": [
        {"lesson": {"asked": ["(on ?x ?p)"], "sorts": ["?x cup or mug"], "values": ["speed 20cm/s"]}},
        {"lesson": {"phrase": "a drink", "meaning": "the juice"}},
    ],
    "tool": [{"tool": "look for", "argument": "knife"}, {"tool": "ask", "argument": "Which cup?"}],
}
PIECES = (
    *"{}[]()\"'`,:;.\\/#<>|-\n\t\r\0",
    *(
        "\u2028",
        "\u202e",
        "\ud800",
        "\ufeff",
        "\u201c",
        "\u2019",
        "é",
        "\U0001d4b3",
        "\\u0000",
        "\\ud83d",
        "null",
        "true",
        "NaN",
        "1e999",
    ),
    *("9" * 5000, "-1", "[" * 300, '{"a":' * 300, "(" * 300, "```", "```json\n", "<think>", "</think>", "// not\n"),
    *("<tool_call>", "<|channel|>final<|message|>", '"goal": ["(on x0 y0)"]', '"refusal": "no"', "not ", "(not ", "#"),
)
OTHERS = (
    None,
    True,
    False,
    0,
    -1,
    3.5,
    10**400,
    "",
    " ",
    "x",
    "9" * 400,
    [],
    {},
    [[]],
    {"": ""},
    [None],
    ["x"],
    {"goal": 1},
)
WORD = re.compile(r"[a-z]+|[0-9]+")
Spoil = Callable[[str, dict[str, Any], random.Random], str]


def spoilt_bytes(text: str, _: dict[str, Any], chance: random.Random) -> str:
    """Flip bits."""
    raw = bytearray(text.encode(errors="surrogatepass"))
    for _ in range(chance.randint(1, 3)):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return raw.decode(errors=chance.choice(("replace", "surrogateescape", "ignore")))


def cut(text: str, _: dict[str, Any], chance: random.Random) -> str:
    """Leave out the end, the beginning or a part."""
    start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return chance.choice((text[:start], text[start:], text[:start] + text[end:]))


def doubled(text: str, _: dict[str, Any], chance: random.Random) -> str:
    """Say it, or a part of it, twice."""
    start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return chance.choice((text * 2, f"{text}\n{text}", text[:end] + text[start:]))


def with_pieces(text: str, _: dict[str, Any], chance: random.Random) -> str:
    """Put marks, brackets, strange characters and huge numbers in."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text) + 1)
        text = text[:start] + chance.choice(PIECES) + text[start + chance.choice((0, 0, 1, 5)) :]
    return text


def nested(_: str, reply: dict[str, Any], chance: random.Random) -> str:
    """Wrap it in objects and lists, a few or many."""
    value: Any = reply
    for _ in range(chance.choice((1, 2, 3, 7, 60))):
        key = chance.choice(("reply", "answer", "arguments", "x", "goal", "note"))
        value = chance.choice(({key: value}, [value], {key: json.dumps(value)} if len(str(value)) < 2000 else [value]))
    return json.dumps(value)


def dressed(text: str, reply: dict[str, Any], chance: random.Random) -> str:
    """Put prose, fences and the marks of templates around it, or spell it as Python does."""
    spelled = chance.choice((text, repr({"reply": reply}), json.dumps(reply, indent=1)))
    before = chance.choice(
        ("", "Sure: ", "<think>goal (on x0 y0)</think>", "```json\n", "<tool_call>", "The goal is: ")
    )
    after = chance.choice(
        ("", "\n```", ".", "</tool_call>", " But do not do it.", "<think>", "}", "\n{}", "<|eot_id|>")
    )
    return before + spelled + after


def with_other_keys(_: str, reply: dict[str, Any], chance: random.Random) -> str:
    """Rename, add or leave out keys, of the object or of one in it."""
    value: Any = json.loads(json.dumps(reply))
    inner = chance.choice([each for each in (value, *_objects(value)) if each])
    key = chance.choice(list(inner))
    kept = inner.pop(key) if chance.random() < 0.7 else inner[key]
    inner[chance.choice((key.upper(), f" {key}", f"{key}s", *FORMS, "step", "note", "version", ""))] = kept
    return json.dumps({"reply": value})


def with_other_values(_: str, reply: dict[str, Any], chance: random.Random) -> str:
    """Put a value of another type in the place of one."""
    value: Any = json.loads(json.dumps(reply))
    inner = chance.choice([each for each in (value, *_objects(value)) if each])
    key = chance.choice(list(inner))
    other = chance.choice((*OTHERS, [inner[key]], {"text": inner[key]}, [inner[key]] * 300))
    inner[key] = other
    return json.dumps({"reply": value})


SPOILS: tuple[Spoil, ...] = (
    spoilt_bytes, cut, doubled, with_pieces, nested, dressed, with_other_keys, with_other_values,
)  # fmt: skip


def _objects(value: Any) -> list[dict[str, Any]]:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [each for each in inner if isinstance(each, dict)] + [deep for each in inner for deep in _objects(each)]


def words_of(value: Any) -> set[str]:
    """Return the words and figures in the texts of a document, without the one that reading may add."""
    if isinstance(value, str):
        return {*WORD.findall(value.lower())} - {"and"}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(words_of, inner))


def said_in(answer: str) -> str:
    """Return the letters of an answer as they may be read: without escapes."""
    plain = answer.replace('\\"', '"').replace("\\n", "\n").replace("\\t", "\t").replace("\\", "")
    return f"{answer}\n{plain}".lower()


@pytest.mark.parametrize("kind", FORMS)
def test_nothing_is_read_that_the_answer_and_the_schema_do_not_say(kind: str):
    chance, read = random.Random(f"reply-{kind}"), 0
    for _ in range(EXAMPLES):
        sample = {**chance.choice(SAMPLES[kind]), "note": chance.choice((None, "as you wish"))}
        answer = chance.choice(SPOILS)(json.dumps({"reply": sample}), sample, chance)
        if chance.random() < 0.2:
            answer = chance.choice(SPOILS[:4])(answer or "{}", sample, chance)
        allowed = chance.choice(((), (kind,), tuple(chance.sample(list(FORMS), 4))))
        result = read_reply(answer, allowed)
        if isinstance(result, Unusable):
            assert result.feedback, answer
            continue
        read += 1
        document = document_of(result)
        assert kind_of(result.content) in (allowed or FORMS), answer
        assert list(misfits({"reply": document["reply"]}, reply_schema(allowed or FORMS))) == [], answer
        assert read_document(json.loads(json.dumps(document).encode()), allowed) == result, answer
        assert all(word in said_in(answer) for word in words_of(document["reply"])), (answer, document)
    assert read >= LEAST_READ * EXAMPLES, f"{read} of {EXAMPLES} are read"


@pytest.mark.parametrize("kind", FORMS)
def test_two_replies_in_one_answer_are_none(kind: str):
    chance = random.Random(f"two-{kind}")
    for _ in range(max(EXAMPLES // 10, 1)):
        first = chance.choice(SAMPLES[kind])
        other = chance.choice([reply for replies in SAMPLES.values() for reply in replies if reply != first])
        texts = [json.dumps({"reply": first}), json.dumps(chance.choice((other, {"reply": other})))]
        chance.shuffle(texts)
        assert isinstance(
            read_reply(chance.choice(("", "\n", " or ", "\n```\n```json\n", ",")).join(texts)), Unusable
        ), texts


@pytest.mark.parametrize("kind", FORMS)
def test_every_sample_is_a_reply_of_its_kind(kind: str):
    for sample in SAMPLES[kind]:
        reply = read_reply(json.dumps({"reply": {**sample, "note": None}}), (kind,))
        assert isinstance(reply, Reply)
        assert kind_of(reply.content) == kind
