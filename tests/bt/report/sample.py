"""A made-up, realistic record: the milk is fetched, the fridge is pushed shut, a grasp fails, the milk is dropped."""

import json

from tests.bt.report.records import FIRST_PLAN, FRIDGE, MILK, SECOND_PLAN, Writer
from tests.bt.report.trees import tree


def events(instruction="bring me the milk"):
    """Return the record as a list of events, and its pictures as encoded bytes."""
    told = Writer()
    told.say(
        "start",
        instruction=instruction,
        domain="kitchen",
        scene="full",
        robot="pybullet",
        model="offline",
        seed=3,
        date="2026-11-20T10:15:00",
    )
    told.say(
        "goal",
        text=instruction,
        formula="(inhand milk0 human0)",
        notes=["'me' is human0, the person who speaks", "'the milk' is milk0, the only milk here"],
    )
    told.say(
        "plan", steps=FIRST_PLAN, cost=5, optimal=True, planner="fast-downward astar(lmcut)", seconds=0.034, why="first"
    )
    told.say("tree", root=tree(FIRST_PLAN, "a"))
    told.at("note", text="The milk is believed to be in fridge0 (the scene says so); it has not been seen yet.")
    told.ticked(
        facts=(["(at robot0 floor0)", "(closed fridge0)", "(in milk0 fridge0)", "(on apple0 table0)"], []), resume=0
    )
    told.picture()
    _first_plan(told)
    _second_plan(told)
    told.at(
        "end", outcome="achieved", seconds=round(told.time, 2), summary="milk0 is in the hand of human0, as sensed."
    )
    return told.events, told.pictures


def _first_plan(told):
    told.begin(0)
    told.drive(FRIDGE, 5.0)
    told.end(0, facts=(["(at robot0 fridge0)"], ["(at robot0 floor0)"]))
    _open(told)
    told.begin(2)
    told.pass_time(1.5)
    _pushed_shut(told)
    _open(told)
    told.begin(2)
    told.pass_time(2.0)
    told.at(
        "feedback",
        node="replan/goal/resume/take_out/pick(object=milk0, source=fridge0, at=fridge0)",
        feedback={
            "level": "physical",
            "code": "not-grasped",
            "what": "pick milk0",
            "why": "only the left finger touched milk0 when the gripper closed.",
            "how": "Grip it from another side.",
            "culprits": ["milk0"],
            "recoverable": True,
        },
    )
    _failure(told, FIRST_PLAN[2], "not-grasped", "only the left finger touched milk0 when the gripper closed.")
    told.at("rung", rung="again", code="not-grasped", solved=True, seconds=2.5)
    told.pass_time(2.5)
    told.held = [MILK]
    told.end(2, facts=(["(inhand milk0 robot0)"], ["(in milk0 fridge0)"]))
    told.picture()
    told.begin(3)
    told.drive("drop", 2.0)
    _dropped(told)


def _open(told):
    told.begin(1)
    told.swing(0.95, 4.0)
    told.seen = True
    told.end(1, facts=(["(opened fridge0)"], ["(closed fridge0)"]))
    told.picture()


def _pushed_shut(told):
    told.swing(0.0, 0.5)
    told.at(
        "feedback",
        node="replan/goal/resume/take_out",
        feedback={
            "level": "runtime",
            "code": "precondition",
            "what": "(take_out robot0 milk0 fridge0 fridge0)",
            "why": "(closed fridge0) holds and must not.",
            "how": "Open fridge0 first.",
            "culprits": ["fridge0"],
            "recoverable": True,
        },
    )
    told.ticked({"a2.act": "invalid", "a2.before": "failure", "a2": "failure"})
    told.at("resume", **{"from": 2, "to": 1, "why": "fridge0 was sensed closed again; step 2 opens it."})
    told.ticked({"a2": "invalid"}, resume=1, facts=(["(closed fridge0)"], ["(opened fridge0)"]))
    told.picture()


def _failure(told, step, code, why):
    feedback = {"level": "physical", "code": code, "what": step, "why": why, "recoverable": True}
    told.at("failure", node="goal/resume", step=step, plan=FIRST_PLAN, feedback=feedback)


def _dropped(told):
    told.held = []
    told.milk = [-0.6, 0.25, 0.1]
    told.at(
        "feedback",
        node="replan/goal/resume/move/drive(to=human0)",
        feedback={
            "level": "physical",
            "code": "dropped",
            "what": "carry milk0",
            "why": "milk0 was in the gripper and is not any more; it lies on floor0.",
            "how": "Make a new plan from here.",
            "culprits": ["milk0"],
            "recoverable": True,
        },
    )
    told.end(3, "failure")
    told.ticked({"a3.act": "invalid"}, resume=None, facts=(["(on milk0 floor0)"], ["(inhand milk0 robot0)"]))
    _failure(told, FIRST_PLAN[3], "dropped", "milk0 was in the gripper and is not any more; it lies on floor0.")
    told.at("rung", rung="rule", code="dropped", solved=False, seconds=0.0)
    told.at("rung", rung="replan", code="dropped", solved=True, seconds=0.08)


def _second_plan(told):
    told.mark, told.resume = "b", None
    told.say(
        "plan",
        steps=SECOND_PLAN,
        cost=4,
        optimal=True,
        planner="fast-downward astar(lmcut)",
        seconds=0.03,
        why="replan",
    )
    told.say("tree", root=tree(SECOND_PLAN, "b"))
    told.ticked({}, resume=0)
    told.begin(0)
    told.pass_time(1.0)
    told.end(0, facts=(["(at robot0 floor0)"], []))
    told.begin(1)
    told.pass_time(3.0)
    told.held = [MILK]
    told.end(1, facts=(["(inhand milk0 robot0)"], ["(on milk0 floor0)"]))
    told.picture()
    told.begin(2)
    told.drive("human0", 4.0)
    told.end(2, facts=(["(at robot0 human0)"], ["(at robot0 floor0)"]))
    told.begin(3)
    told.pass_time(2.0)
    told.held = []
    told.milk = [1.4, -1.3, 1.0]
    told.end(3, facts=(["(inhand milk0 human0)"], ["(inhand milk0 robot0)"]))
    told.view()
    told.ticked({"bgoal": "success", "replan": "success", "bresume": "success"}, resume=4)
    told.picture()


def write_sample(directory, instruction="bring me the milk"):
    """Write the record and its pictures into `directory`, and return the directory."""
    told, pictures = events(instruction)
    (directory / "pictures").mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in told)
    (directory / "record.jsonl").write_text(lines, encoding="utf-8")
    for number, picture in enumerate(pictures, 1):
        (directory / "pictures" / f"{number:04}.png").write_bytes(picture)
    return directory
