from bt import Entries, Replan, Runner, pursue
from bt.listeners import Requests
from bt.runner import Ending
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan
from tests.bt.toy import ToyBeliefs, ToyRobot, atom, conjunct, operator

UNSCREW = operator("unscrew human0 jar0", "inhand jar0 human0", "opened jar0, !closed jar0")
HELD = [atom("inhand jar0 human0"), atom("closed jar0")]


def asked(persons=("human0",), failures=()):
    robot = ToyRobot([UNSCREW], HELD)
    robot.failures["unscrew"] = list(failures)
    beliefs, told = ToyBeliefs(robot), Entries()
    plan = Plan((UNSCREW,), conjunct("opened jar0"))
    root = pursue(plan, [Replan(lambda request: plan)], beliefs=beliefs, robot=robot, journal=told)
    end = Runner(root, robot, beliefs, listeners=[Requests(told, persons)]).run(60)
    return end, told.of("request")


def test_a_step_of_a_person_is_asked_for_once_in_words():
    end, told = asked()
    assert end.status is Ending.SUCCESS
    (request,) = told
    assert request["text"] == "please: unscrew jar0"
    assert (request["agent"], request["step"]) == ("human0", "(unscrew human0 jar0)")


def test_it_is_asked_for_again_when_it_has_to_be_done_again():
    end, told = asked(failures=[Feedback(Code.DROPPED, "unscrew", "it slipped", culprits=("jar0",))])
    assert end.status is Ending.SUCCESS
    assert len(told) == 2
    assert told[0]["t"] < told[1]["t"]


def test_what_the_body_does_is_no_request():
    assert asked(persons=())[1] == []
