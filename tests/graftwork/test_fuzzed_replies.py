"""Whatever a model answers, a session ends its decision, and does nothing that the answer does not say.

``GRAFTWORK_FUZZ_EXAMPLES`` says how many answers are tried, of all kinds together.
"""

import json
import os
import random

import pytest

from graftwork import Session
from graftwork.decision import FinalDecision, PlanDecision
from graftwork.language.dialogue import KINDS
from graftwork.language.replies import read_reply
from semantics.body.protocols import ModelReply
from semantics.logic.reply import Reply
from semantics.logic.reply_form import FORMS, kind_of
from tests.language.test_reply_fuzz import SAMPLES, SPOILS, said_in

EXAMPLES = int(os.environ.get("GRAFTWORK_FUZZ_EXAMPLES", "220")) // len(FORMS)
DOING = ("goal", "plan", "program")


class Saying:
    """A model that says one thing, whatever it is asked."""

    name, text = "saying", ""

    def complete(self, messages, *, schema=None):
        return ModelReply(self.text)


@pytest.mark.parametrize("kind", FORMS)
def test_a_session_does_nothing_that_a_spoilt_answer_does_not_say(kind):
    chance, model = random.Random(f"session-{kind}"), Saying()
    settings = {"memory": None, "model": model, "model_tries": 1, "unsaid": "allow", "substitute": "never"}
    with Session("kitchen", "small", robot="symbolic", **settings) as session:
        for _ in range(EXAMPLES):
            sample = {**chance.choice(SAMPLES[kind]), "note": chance.choice((None, "as you wish"))}
            model.text = chance.choice(SPOILS)(json.dumps({"reply": sample}), sample, chance)
            run = session.start("put the milk on the table")
            run.wait()
            decision, program = run.decision, run.program
            run.leave()
            if isinstance(decision, FinalDecision) and program is None:
                assert decision.message, model.text
                continue
            read = read_reply(model.text, KINDS)
            assert isinstance(read, Reply), model.text
            assert kind_of(read.content) in DOING, model.text
            if isinstance(decision, PlanDecision) and kind_of(read.content) == "goal":
                facts = [fact.atom for conjunct in decision.goal.conjuncts for fact in conjunct]
                assert all(name in said_in(model.text) for fact in facts for name in (fact.predicate, *fact.args))
