"""Sentences on whose way things go wrong: each rung of the ladder, each pair, and rungs within rungs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from domains.repairs import Spending
from robots.fake import InjectedFault as Fault
from semantics.body.protocols import ModelReply
from semantics.logic.feedback import Code
from tests.golden.stories import Deed, Story, after, at, fault, moved, near_sighted, room, taken

__all__ = ["STORIES"]

CUPS = "  cup1: {class: cup, on: shelf0, level: 1, offset: [0.25, -0.03]}\n"
IN_CUPBOARD = ("milk0: {class: milk, in: fridge0", "milk0: {class: milk, in: cupboard0")
NO_BELIEF = ("  (in milk0 fridge0): last seen there\n", "")
HIDDEN = ("milk0: {class: milk,", "milk0: {class: milk, hidden: true,")
NEVER = {"substitute": "never", "part": "never"}
ONCE = dict.fromkeys(("again", "rule", "explore", "substitute", "part")) | {"replan": Spending(tries=1)}
SHELF, TABLE, COUNTER = "(on apple0 shelf0)", "(on apple0 table0)", "(on apple0 counter0)"
ON_SHELF = "put the apple on the shelf"
BLOCKED = (Fault(Code.OUT_OF_REACH, "put", {"target": "shelf0"}, culprits=("shelf0",)),)
SLIP = Fault(Code.NOT_GRASPED, "pick")
IN_THE_WAY = Fault(Code.OBSTRUCTED, "pick", {"object": "apple0"}, culprits=("cup0",))
TRAVELLED = "put cup0 on the counter"


def holding(name: str) -> Any:
    return lambda played: played.robot.world.held("robot0") == (name,)


def pressed(name: str) -> Any:
    """Return the deed of somebody who puts a thing into the robot's free hand."""
    return lambda played: played.robot.world.held("robot0") or played.robot.world.hold(name, "robot0")


@dataclass(frozen=True)
class Trouble:
    """What brings one rung about: a part of the goal, and what happens to it."""

    goal: str
    faults: tuple[Fault, ...] = ()
    deeds: tuple[Deed, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] | None = None
    instead: str = ""


HIGH = Fault(Code.OUT_OF_REACH, "put", {"object": "sponge0", "target": "shelf0"}, culprits=("shelf0",))
TROUBLES = {
    "again": Trouble("(on apple0 counter0)", (Fault(Code.NOT_GRASPED, "pick", {"object": "apple0"}),)),
    "rule": Trouble(
        "(on apple0 counter0)", (Fault(Code.OBSTRUCTED, "pick", {"object": "apple0"}, culprits=("banana0",)),)
    ),
    "replan": Trouble("(on juice0 table0)", deeds=((at(0.3), moved("juice0", "shelf0")),)),
    "explore": Trouble("(inhand milk0 human0)"),
    "substitute": Trouble(
        "(on cup0 counter0)",
        deeds=((at(0.25), taken("cup0")),),
        given=(("substitute", "allow"),),
        instead="(on cup1 counter0)",
    ),
    "part": Trouble("(on banana0 counter0)", deeds=((at(0.3), taken("banana0")),), given=(("part", "allow"),)),
    "consult": Trouble("(on sponge0 shelf0)", (HIGH,) * 9, instead="(on sponge0 table0)"),
    "ask": Trouble("(on sponge0 shelf0)", (HIGH,) * 9, answers=("put it on the table",), instead="(on sponge0 table0)"),
}
"""By the rung that is to answer."""


def troubled(*rungs: str) -> Story:
    """Return a story in which some rungs have to answer."""
    troubles = [TROUBLES[rung] for rung in rungs]
    goals = list(dict.fromkeys(trouble.goal for trouble in troubles))
    if rungs == ("part",):
        goals.append(TROUBLES["again"].goal)
    instead = dict.fromkeys(TROUBLES[rung].instead or TROUBLES[rung].goal for rung in rungs if rung != "part")
    model = [ModelReply(f'{{"goal": "{_and(list(instead))}"}}', 500)]
    faults = [one for trouble in troubles for one in trouble.faults]
    deeds = [deed for trouble in troubles for deed in trouble.deeds]
    if {"rule", "part"} <= {*rungs}:  # what stands in the way must be there
        faults = [replace(one, culprits=("cup0",)) if one.culprits == ("banana0",) else one for one in faults]
    if {"substitute", "part"} <= {*rungs}:  # one loss after the other
        deeds = [*TROUBLES["substitute"].deeds, (after("turn", rung="substitute"), taken("sponge0"))]
        goals[-1] = "(on sponge0 table0)"
    if rungs == ("consult", "ask"):  # what the model says does not go either
        faults += [replace(HIGH, roles={"object": "sponge0", "target": "table0"}, culprits=("table0",))] * 9
        model.append(ModelReply('{"goal": "(on sponge0 counter0)"}', 500))
    return Story(
        scene=room(*([IN_CUPBOARD] if "explore" in rungs else []), more=CUPS),
        goal=_and(goals),
        model=model if {"consult", "ask"} & {*rungs} else (),
        faults=faults,
        deeds=deeds,
        answers=next((trouble.answers for trouble in troubles if trouble.answers is not None), None),
        ladder={"consult": Spending(tries=1) if "consult" in rungs else None},
        given=NEVER | dict(pair for trouble in troubles for pair in trouble.given),
    )


def _and(goals: list[str]) -> str:
    return goals[0] if len(goals) == 1 else f"(and {' '.join(goals)})"


def blocked(times: int = 9, **more: Any) -> Story:
    """Return a story in which nothing can be put on the shelf for a while."""
    return Story(**{"said": ON_SHELF, "faults": BLOCKED * times, "ladder": ONCE, **more})


def consulted(*answers: Any, **more: Any) -> Story:
    return blocked(goal=SHELF, model=[ModelReply(f'{{"goal": "{one}"}}', 1000) for one in answers], **more)


def spent(rung: str, spending: Spending, faults: list[Fault], **more: Any) -> Story:
    """Return a story in which a budget is spent."""
    ladder = dict.fromkeys(("rule", "explore", "substitute", "part", "consult", "ask")) | {rung: spending}
    return Story(**{"said": ON_SHELF, "faults": faults, "ladder": ladder, **more})


STUCK = Fault(Code.STUCK, "put")

STORIES: dict[str, Story] = {
    **{f"rung-{rung}": troubled(rung) for rung in TROUBLES},
    **{f"pair-{one}-{other}": troubled(one, other) for one, other in combinations(TROUBLES, 2)},
    "replan-without-rules": Story(said=ON_SHELF, faults=[IN_THE_WAY], ladder={"rule": None}),
    "again-then-rule-then-replan": Story(
        said=ON_SHELF, faults=[SLIP, IN_THE_WAY, Fault(Code.OUT_OF_REACH, "put"), STUCK, STUCK]
    ),
    "rule-restores": Story(said=ON_SHELF, deeds=[(at(0.3), pressed("cup0"))]),
    "rule-cannot-restore": Story(
        said=ON_SHELF, deeds=[(at(0.3), pressed("cup0")), (holding("apple0"), taken("cup0"))]
    ),
    "replan-while-owing": Story(
        said=ON_SHELF, deeds=[(at(0.3), pressed("cup0")), (after("plan", why="rule"), moved("apple0", "counter0"))]
    ),
    "errand-again": Story(
        "bring me the milk", scene=room(IN_CUPBOARD), faults=[Fault(Code.STUCK, "open", {"object": "cupboard0"})]
    ),
    "errand-rule": Story(
        "bring me the milk", scene=room(IN_CUPBOARD), deeds=[(after("turn", rung="explore"), pressed("cup0"))]
    ),
    "errand-fails": Story(
        "bring me the milk",
        scene=room(IN_CUPBOARD),
        faults=[Fault(Code.OUT_OF_REACH, "open", {"object": "cupboard0"}, fraction=0.0)] * 20,
        given=NEVER,
    ),
    "errand-ends-early": Story(
        "bring me the milk",
        scene=room(NO_BELIEF, HIDDEN),
        deeds=[(after("turn", rung="explore", said=None), moved("milk0", "table0"))],
    ),
    "errand-first": Story("bring me the milk", scene=room(IN_CUPBOARD, NO_BELIEF, HIDDEN)),
    "errands-in-vain": Story("bring me the milk", scene=room(), deeds=[(at(0.1), taken("milk0"))], given=NEVER),
    "errands-near-sighted": Story(
        "bring me the juice", robot=near_sighted, deeds=[(at(0.1), moved("juice0", "shelf0"))], given=NEVER
    ),
    "errand-for-a-tool": Story(
        "chop the banana",
        scene=room(more="  knife0: {class: knife, hidden: true, in: cupboard0, offset: [0.0, 0.05]}\n"),
    ),
    "errand-left-out": Story("bring me the milk", scene=room(IN_CUPBOARD, NO_BELIEF, HIDDEN), ladder={"explore": None}),
    "believed-is-looked-at": Story("put the apple on the counter and the milk in fridge0", scene=room(IN_CUPBOARD)),
    "part-then-replan": Story(
        scene=room(),
        goal="(and (on apple0 shelf0) (on banana0 counter0))",
        deeds=[(at(0.3), taken("banana0")), (after("turn", rung="part"), moved("apple0", "counter0"))],
        ladder={"consult": None},
        given={"substitute": "never", "part": "allow"},
    ),
    "part-then-again": Story(
        scene=room(),
        goal="(and (on apple0 shelf0) (on banana0 counter0))",
        deeds=[(at(0.3), taken("banana0")), (after("turn", rung="part"), fault(Fault(Code.STUCK, "put")))],
        ladder={"consult": None},
        given={"substitute": "never", "part": "allow"},
    ),
    "substitute-asked": Story(
        TRAVELLED, scene=room(more=CUPS), deeds=[(at(0.25), taken("cup0"))], answers=["yes"], ladder={"part": None}
    ),
    "substitute-declined": Story(
        TRAVELLED,
        scene=room(more=CUPS),
        deeds=[(at(0.25), taken("cup0"))],
        answers=["no"],
        ladder={"part": None, "ask": None},
    ),
    "consult-mistake-first": consulted("(on apple0 moon0)", TABLE),
    "consult-question": blocked(
        goal=SHELF, model=['{"goal":null,"question":"Would the table do?","refusal":null}', f'{{"goal": "{TABLE}"}}'],
        answers=["yes, the table"],
    ),
    "consult-refusal": blocked(goal=SHELF, model=['{"goal":null,"question":null,"refusal":"nothing else would do"}']),
    "consult-then-ask": consulted(SHELF, SHELF, limits={"model_tries": 2}, answers=["put the apple on the table"]),
    "ask-two-questions": blocked(answers=["put the apple on the apple", "put the apple on the table"]),
    "ask-twice-under-way": blocked(times=3, answers=["try once more", "try once more"]),
    "ask-ambiguous": blocked(answers=["put the drink on the table", "juice0"]),
    "ask-done-by-the-person": blocked(
        times=4, answers=["I have done it"], deeds=[(after("asked"), moved("apple0", "shelf0"))]
    ),
    "ask-done-by-nobody": blocked(times=4, answers=["I have done it", "I have done it"]),
    "ask-stop": blocked(answers=["stop"]),
    "ask-declined": blocked(answers=["leave it"]),
    "ask-nobody-answers": blocked(answers=[None], limits={"answer_seconds": 5.0}),
    "ask-not-understood": blocked(answers=["dance"] * 9),
    "ask-after-a-turn-and-failure": blocked(
        answers=["put the apple on the counter"],
        deeds=[(after("turn"), fault(Fault(Code.STUCK, "put", {"target": "counter0"})))],
        ladder=ONCE | {"again": Spending()},
    ),
    "ask-without-replan": blocked(times=1, ladder={"replan": None}, answers=["try once more"]),
    "spent-again-tries": spent("again", Spending(tries=1, same=5), [SLIP, SLIP, STUCK]),
    "spent-again-same": spent("again", Spending(tries=9, same=2), [SLIP] * 5),
    "spent-again-seconds": spent("again", Spending(tries=9, same=9, seconds=3.0), [SLIP] * 9),
    "spent-rule-tries": spent("rule", Spending(tries=0), [IN_THE_WAY]),
    "spent-rule-same": spent("rule", Spending(tries=9, same=1), [IN_THE_WAY, IN_THE_WAY]),
    "spent-replan-tries": spent("replan", Spending(tries=1), [SLIP] * 4),
    "spent-replan-same": spent("replan", Spending(tries=9, same=1), [SLIP] * 9, ladder=None),
    "spent-replan-most": spent("replan", Spending(tries=9, same=9, most=2), [SLIP, STUCK] * 8),
    "spent-replan-seconds": spent("replan", Spending(tries=9, same=9, seconds=6.0), [SLIP] * 20),
    "spent-explore-tries": replace(
        Story("bring me the juice", robot=near_sighted, given=NEVER), deeds=[(at(0.1), taken("juice0"))],
        ladder={"explore": Spending(tries=2)},
    ),
    "spent-substitute-tries": replace(troubled("substitute"), ladder={"substitute": Spending(tries=0)}),
    "spent-part-tries": replace(troubled("part"), ladder={"part": Spending(tries=0), "consult": None}),
    "spent-consult-money": consulted(
        COUNTER,
        TABLE,
        faults=(*BLOCKED, Fault(Code.OUT_OF_REACH, "put", {"target": "counter0"}, culprits=("counter0",))) * 9,
        ladder=ONCE | {"consult": Spending(money=0.01)},
        limits={"model_price": 0.02},
    ),
    "spent-ask-tries": blocked(ladder=ONCE | {"ask": Spending(tries=1)}, answers=["try once more"] * 3),
    "spent-ask-seconds": blocked(ladder=ONCE | {"ask": Spending(seconds=4.0)}, answers=[None]),
}  # fmt: skip
STORIES["spent-replan-same"] = spent("replan", Spending(tries=9, same=1), [SLIP] * 9)
STORIES["errand-ends-early"] = replace(
    STORIES["errand-ends-early"],
    deeds=[
        (
            lambda played: any("fridge0" in str(event["said"]) for event in played.journal.of("turn")),
            moved("milk0", "table0"),
        )
    ],
)
