"""Any edit at any tick: what was done is not done again, what runs goes on, the rest is as the edited program says."""

from hypothesis import HealthCheck, given, settings, strategies as st

from bt.correction.midway import exchange_program
from bt.programs.nodes.statement import Asking
from bt.recovery import UserPrompt
from semantics.logic.correction import Correction
from semantics.logic.goal import Rejection
from tests.bt.correction.midway.stories import Part, Point, inserted, moved, removed, replaced, text_of, word, wrapped
from tests.bt.correction.trial import correct_midway
from tests.bt.programs.worlds import Stage

accepted: list[bool] = []


class Telling(Stage):
    """A program of words; a question is answered after three ticks."""

    def __init__(self, text):
        self.desk = UserPrompt()
        super().__init__(text, asking=Asking(self.desk))
        self.ticker = self.runner()
        self.waited = 0

    @property
    def trace(self):
        told = (one for one in self.journal.events if one["e"] in ("note", "asked"))
        return [one.get("text") or one["question"] for one in told]

    def tick(self):
        self.ticker.step()
        self.waited = self.waited + 1 if self.desk.question is not None else 0
        if self.waited == 3:
            self.desk.answer("yes")
            self.waited = 0


@st.composite
def edits_in_mid_course(draw):
    leaf = st.builds(lambda asked: Part(word(), asked), st.booleans())
    loop = st.builds(
        lambda n, body: Part(rounds=n, body=body), st.integers(2, 3), st.lists(leaf, min_size=1, max_size=3)
    )
    attempt = st.builds(lambda body: Part(body=body), st.lists(leaf, min_size=1, max_size=3))
    top = draw(st.lists(st.one_of(leaf, leaf, loop, attempt), min_size=2, max_size=4))
    top.append(Part(word(), True))
    number = draw(st.integers(0, len(top) - 1))
    place: tuple[int, ...] = (number,)
    size = len(top)
    if top[number].body and draw(st.booleans()):
        size = len(top[number].body)
        place = (number, 0, draw(st.integers(0, size - 1)))
    kind = draw(st.sampled_from([inserted, removed, replaced, moved, wrapped]))
    more = []
    if kind is moved:
        more = [draw(st.integers(0, size - 1))]
    elif kind is wrapped:
        more = [draw(st.sampled_from([0, 2])), draw(st.integers(1, min(2, size - place[-1])))]
    return top, draw(st.integers(1, 24)), kind, place, more


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(edits_in_mid_course())
def edited_at_any_tick(drawn):
    top, ticks, kind, place, more = drawn
    stage = Telling(text_of(top))
    plain = [word for one in top for word in one.whole()]
    for _ in range(ticks):
        stage.tick()
    done = stage.trace
    assert done == plain[: len(done)]
    if stage.ticker.ended is not None:
        return
    point = Point(top, len(done))
    edit = kind(top, place, point, *more)
    if edit is None:
        return
    found = correct_midway(stage.tree, Correction((edit,)), stage.beliefs.state)
    accepted.append(not isinstance(found, Rejection))
    if isinstance(found, Rejection):
        expected = plain[len(done) :]
    else:
        assert not isinstance(exchange_program(stage.tree, found.checked, found.stand), Rejection)
        expected = point.rest(top)
    while stage.ticker.ended is None:
        stage.tick()
    assert stage.trace == done + expected, (stage.trace, edit, str(found) if isinstance(found, Rejection) else found)


def test_an_edit_at_any_tick_lets_what_is_left_be_done_as_it_says_and_nothing_twice():
    accepted.clear()
    edited_at_any_tick()
    assert min(accepted.count(True), accepted.count(False)) > len(accepted) / 5 > 10  # many come too late, too
