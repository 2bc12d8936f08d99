"""What changes while an upper rung thinks, while somebody answers, or on an errand: nothing is done blindly."""

import shutil
import threading

import pytest

from bt.recovery import Ask, NewGoal, Nothing, Obstacles, Request
from domains.reader import load_domain, load_scene
from domains.repairs import Spending
from graftwork import Limits, Outcome, Session
from graftwork.decision.exploration import Exploring, Looking, _Search
from graftwork.recovery.consent import MOST_ROUNDS, YES, ProposedGoal, asked_first
from graftwork.testing import ScriptedModel
from robots.fake import FakeRobot, InjectedFault
from semantics.body.protocols import ModelReply, NoPlan
from semantics.logic.atoms import Atom, dnf
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question
from semantics.logic.parsing import parse_formula
from semantics.logic.state import State
from tests.graftwork.blocked import GOAL, ONCE, OTHER, SENTENCE, blocked
from tests.graftwork.test_upper_substituting import CUPS, lost_half_way
from tests.graftwork.upper import errands, opened, scene

IN_CUPBOARD = ("milk0: {class: milk, in: fridge0", "milk0: {class: milk, in: cupboard0")
NO_BELIEF = ("  (in milk0 fridge0): last seen there\n", "")
HIDDEN = ("milk0: {class: milk,", "milk0: {class: milk, hidden: true,")
NEVER = {"substitute": "never", "part": "never"}
LOST = Feedback(Code.WHEREABOUTS_UNKNOWN, "milk0", "nobody has seen it", culprits=("milk0",))


def finding(what: str) -> ProposedGoal:
    return ProposedGoal(NewGoal((), said=what), Question(f"Would this do: {what}?", (YES, "no")))


def test_who_agrees_to_one_thing_is_not_given_another():
    query = asked_first(finding("the cup"), lambda request: finding("the bowl"))
    again = query.heard("yes", Request(LOST, State()))
    assert isinstance(again, Ask)
    assert again.question.text == "Would this do: the bowl?"
    assert again.heard("yes", Request(LOST, State())) == NewGoal((), said="the bowl")


def test_who_says_neither_yes_nor_no_is_asked_four_times_and_no_more():
    query, asked = asked_first(finding("the cup"), lambda request: finding("the cup")), 1
    while isinstance(query := query.heard("dance", Request(LOST, State())), Ask):
        asked += 1
        assert asked <= MOST_ROUNDS
    assert isinstance(query, Nothing)
    assert asked == MOST_ROUNDS


def test_what_is_so_already_is_not_offered_instead_of_what_is_gone(tmp_path):
    there = CUPS.replace("on: shelf0, level: 1, offset: [0.25, -0.03]", "on: counter0")
    session, journal = opened(scene(tmp_path, more=there), substitute="allow", ladder={"ask": None, "part": None})
    with session:
        episode = lost_half_way(session, "cup0").finish()
    assert episode.goal != "(on cup1 counter0)"
    assert not any("cup1" in str(event["goal"]) for event in journal.of("turn"))


def test_an_errand_ends_when_what_is_looked_for_comes_into_view_elsewhere(tmp_path):
    session, journal = opened(scene(tmp_path, NO_BELIEF, HIDDEN))
    with session:
        robot = session.environment.robot
        run = session.start("bring me the milk")
        while run.tick() and "fridge0" not in errands(journal):
            pass
        robot.move_piece("milk0", "on", "table0")  # somebody has taken it out and shut the door
        episode = run.finish()
        assert Atom("opened", ("fridge0",)) not in session.environment.watcher.state.atoms
        assert robot.world.carriers["milk0"] == ("held", "human0")
    assert episode.outcome is Outcome.ACHIEVED
    assert errands(journal)[-1] == "fridge0"


def test_an_errand_does_not_go_where_the_body_was_refused_twice(tmp_path):
    session, _ = opened(scene(tmp_path, IN_CUPBOARD, NO_BELIEF, HIDDEN))
    with session:
        exploring, obstacles, state = explorer(session)
        near = exploring.next(bring_milk(), request(obstacles, state), session._services.plans)
        assert isinstance(near, Looking)  # where the robot stands
        state = state.with_atoms([fact.atom for fact in near.plan.goal])
        first = exploring.next(bring_milk(), request(obstacles, state), session._services.plans)
        assert isinstance(first, Looking)
        way = first.plan.steps[0]
        for _ in range(2):  # what a further try may not meet is an obstacle from the second time on
            assert obstacles.note(Feedback(Code.STUCK, "move", "said the body"), way)
        (met,) = obstacles.standing
        again = exploring.next(bring_milk(), request(obstacles, state.with_atoms([met.atom])), session._services.plans)
        assert isinstance(again, NoPlan)  # no detour leads to where a drive was refused, and all else was seen
        assert f"{first.place} cannot be looked at" in again.feedback.why


def test_who_is_called_off_plans_no_further(tmp_path, monkeypatch):
    session, _ = opened(scene(tmp_path, IN_CUPBOARD, NO_BELIEF, HIDDEN))
    with session:
        exploring, obstacles, state = explorer(session)
        asked = []

        def called_off(goal, *given, **named):
            asked.append(goal)
            return NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"))

        monkeypatch.setattr(session._services.planning.service, "solve", called_off)
        found = exploring.next(bring_milk(), request(obstacles, state), session._services.plans)
        assert isinstance(found, NoPlan)
        assert (found.feedback.code, len(asked)) == (Code.CANCELLED, 1)
        assert exploring.barred == {}


def test_where_a_thing_was_seen_again_since_it_is_looked_for_once_more(tmp_path):
    session, _ = opened(scene(tmp_path, IN_CUPBOARD, NO_BELIEF, HIDDEN))
    with session:
        exploring, obstacles, state = explorer(session)
        first = exploring.next(bring_milk(), request(obstacles, state), session._services.plans)
        there = state.with_atoms([fact.atom for fact in first.plan.goal])
        assert exploring.next(bring_milk(), request(obstacles, there), session._services.plans).place != first.place
        session.environment.watcher._looked["seen", "milk0"] = first.at + 5.0
        assert first.place in list(_Search(exploring, session._services.plans)._open_places("milk0"))


def test_a_consultation_in_vain_is_off_the_budget_of_money():
    refusal = ModelReply('{"refusal": "nothing else would do"}', 1000)
    model = ScriptedModel([ModelReply(f'{{"goal": "{GOAL}"}}', 1000), refusal, refusal])
    session, journal = blocked(model=model, model_price=0.02, ladder={"consult": Spending(money=0.01)})
    with session:
        episode = session.handle(SENTENCE, lambda question: "try once more")
    assert episode.outcome is Outcome.FAILED
    assert len(journal.of("turn")) == 2  # the person has had it tried again, and the model was not paid again
    assert model.left == 1


@pytest.mark.parametrize("words", ["try once more", "I have done it"])
def test_without_planning_anew_the_plan_is_tried_once_more_at_a_persons_word(words):
    session, _ = blocked(times=1, ladder={"replan": None})
    with session:
        episode = session.handle(SENTENCE, lambda question: words)
    assert episode.outcome is Outcome.ACHIEVED
    assert not any(record.code is Code.PRECONDITION for record in episode.feedback)


def test_a_run_broken_off_after_a_turn_goes_on_with_its_goal_and_without_what_was_in_the_way(tmp_path):
    layout = load_scene(load_domain("kitchen"), "small").arrangement
    robot = FakeRobot(layout)
    robot.close = lambda: None  # it outlives the session that was killed
    for _ in range(9):
        robot.add_fault(InjectedFault(Code.OUT_OF_REACH, "put", {"target": "shelf0"}, culprits=("shelf0",)))
    given = {"scene": "small", "robot": robot, "memory": None, "limits": Limits(ladder=ONCE)}
    with Session(record=tmp_path / "first", **given) as session:
        run = session.start(SENTENCE)
        run.wait()
        while run.tick() and run.question is None:
            pass
        run.say("put the apple on the table")
        for _ in range(25):
            run.tick()
        assert any("out_of_reach" in atom.predicate for atom in session._services.beliefs.state.atoms)
        shutil.copytree(tmp_path / "first", tmp_path / "killed")
        run.cancel()
        run.finish()
    with Session(**given) as session:
        run = session.resume(tmp_path / "killed")
        assert not any("out_of_reach" in atom.predicate for atom in session._services.beliefs.state.atoms)
        episode = run.finish()
    assert (episode.outcome, episode.goal) == (Outcome.ACHIEVED, OTHER)


class Slow:
    """A model that takes its time with all but the first answer."""

    name = "slow"

    def __init__(self):
        self.asked, self.go = threading.Event(), threading.Event()
        self.calls = 0

    def complete(self, messages, *, schema=None):
        self.calls += 1
        if self.calls == 1:
            return ModelReply(f'{{"goal": "{GOAL}"}}', 10)
        self.asked.set()
        assert self.go.wait(30)
        return ModelReply('{"goal": "(on apple0 moon0)"}', 1000)  # it would be asked again


def test_a_run_that_is_stopped_while_a_model_thinks_asks_and_plans_and_counts_no_more():
    model = Slow()
    session, _ = blocked(model=model)
    with session:
        run = session.start(SENTENCE)
        run.wait()
        threading.Thread(target=lambda: (model.asked.wait(60), run.say("stop"))).start()
        assert run.finish().outcome is Outcome.STOPPED
        (finder,) = [one for one in threading.enumerate() if one.name == "bt-consult"]
        model.go.set()
        finder.join(30)
        assert not finder.is_alive()
        assert model.calls == 2
        assert run._state.use.tokens == 10


def explorer(session) -> tuple[Exploring, Obstacles, State]:
    """Return who explores in a session's environment, what was met, and what is believed."""
    environment = session.environment
    environment.watcher.refresh()
    obstacles = Obstacles(environment.watcher)
    return Exploring(environment, environment.watcher.scene.time), obstacles, environment.watcher.state


def request(obstacles: Obstacles, state: State) -> Request:
    return Request(LOST, state, world=obstacles.world, learned=obstacles.model(), proven=obstacles.model(proven=True))


def bring_milk() -> CheckedGoal:
    formula = parse_formula("(inhand milk0 human0)")
    return CheckedGoal(Goal(formula), dnf(formula))
