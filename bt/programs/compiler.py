"""Compiles a checked program to a behaviour tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from py_trees.behaviour import Behaviour

from bt.background import Cancellation
from bt.compiler import EFFECT_PATIENCE
from bt.execution.step import interlocked
from bt.programs.checker import CheckedProgram, is_done
from bt.programs.cursor import Frame, Jump
from bt.programs.nodes.achieve import Achieve, Fail, Say
from bt.programs.nodes.actions import Perform
from bt.programs.nodes.calls import AskStatement, Invoke, Receive
from bt.programs.nodes.flow import Block, Choice, Instead, Keep, Leap, Loop, Rounds
from bt.programs.nodes.routine import Routine
from bt.programs.nodes.statement import (
    Asking,
    Flow,
    GoalCheck,
    GoalPlanner,
    ProgramContext,
    Pursuer,
)
from bt.record import Journal
from semantics.goal_check import check_goal
from semantics.program import (
    Assign,
    Break,
    Call,
    Continue,
    Do,
    Fall,
    For,
    If,
    Pass,
    Program,
    Return,
    Statement,
    TextPosition,
    Voice,
    While,
)
from semantics.protocols import Beliefs, Robot, Skill
from semantics.rules import RuleBook

__all__ = ["Routine", "compile_program"]


def compile_program(
    checked: CheckedProgram,
    *,
    beliefs: Beliefs,
    robot: Robot,
    planner: GoalPlanner | None = None,
    check: GoalCheck | None = None,
    voice: Voice | None = None,
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
    delay: float | None = 0.1,
    around: Callable[[Behaviour], Behaviour] | None = None,
    pursuer: Pursuer | None = None,
    asking: Asking | None = None,
    cancellation: Cancellation | None = None,
) -> Routine:
    """Return the tree that carries out a program; Python never executes any part of the program.

    It is an ordinary py_trees behaviour; `Runner` calls `beliefs.refresh()` before each tick.

    Args:
        checked: The result of `check_program`.
        beliefs: The beliefs about the world.
        robot: The body.
        planner: Returns a plan for an ``achieve``, or why there is none; called off the tick.
        check: Checks the goal of an ``achieve``; by default names, affordances and the rules of the domain.
        voice: The person who is spoken to.
        skills: By capability name, the skills that replace the motion primitive of the capability.
        journal: The journal for the decisions of the tree.
        effect_patience: How long to wait for an effect to be sensed, in seconds of the body's clock.
        delay: The duration of planning and answering on a simulated clock; None to take an answer when it is ready.
        around: Puts the step of a capability below another node, such as a recovery.
        pursuer: Returns the tree for an ``achieve``; by default one that plans again when necessary.
        asking: The mailbox for questions to a person; by default `voice` is asked, on a separate thread.
        cancellation: Says whether the run was cancelled; pass the same to `Runner`.
    """
    services = (planner, check or _checking(checked), voice, delay if robot.clock.simulated else None, around)
    functions = {function.name: function for function in checked.program.functions}
    means = (
        beliefs,
        interlocked(robot),
        skills or {},
        effect_patience,
        journal,
        *services,
        pursuer,
        asking,
        cancellation,
    )
    return _routine(checked.program, ProgramContext(checked.language, functions, checked.limits, *means))


def _routine(program: Program, setting: ProgramContext) -> Routine:
    frame = Frame()
    routine = Routine(
        "program",
        "a program",
        TextPosition(),
        setting,
        frame,
        [build_block(program.body, TextPosition(), setting, frame)],
    )
    routine.functions, routine.program = program.functions, program
    return routine


def _checking(checked: CheckedProgram) -> GoalCheck:
    domain, things = checked.language.domain, checked.language.things
    vocabulary, rules = domain.vocabulary(things), RuleBook(domain.rules)
    return lambda goal, state: check_goal(goal, vocabulary, rules=rules, state=state)


def build_block(statements: Sequence[Statement], place: TextPosition, setting: ProgramContext, frame: Frame) -> Block:
    """Return the node of a block of statements."""
    return Block([_built(statement, setting, frame) for statement in statements], place, setting, frame)


def _built(statement: Statement, setting: ProgramContext, frame: Frame) -> Behaviour:
    made: Behaviour = BUILDERS[type(statement)](statement, setting, frame)
    return made


def _do(statement: Do, setting: ProgramContext, frame: Frame) -> Flow:
    call = statement.call
    if call.name in setting.functions or call.name == "ask":
        return _receiving(statement, call, setting, frame)
    capability = setting.language.capabilities.get(call.name)
    if call.name in WISHES or capability is None:
        node = WISHES[call.name].of(call.name, statement, setting, frame)
    else:
        node = Perform.of("capability", statement, setting, frame)
        node.capability = capability
    node.call = call
    made: Flow = node
    return made


def _receiving(statement: Do | Assign | Return, call: Call, setting: ProgramContext, frame: Frame) -> Receive:
    node: Receive
    if call.name == "ask":
        node = AskStatement.of("ask", statement, setting, frame)
    else:
        invoke: Invoke = Invoke.of("call", statement, setting, frame)
        invoke.function, invoke.build = setting.functions[call.name], build_block
        node = invoke
    node.call = call
    node.targets = statement.targets if isinstance(statement, Assign) else ()
    node.returns = isinstance(statement, Return)
    return node


def _assign(statement: Assign, setting: ProgramContext, frame: Frame) -> Flow:
    if is_done(statement.value, setting.functions):
        assert isinstance(statement.value, Call)
        return _receiving(statement, statement.value, setting, frame)
    node = Keep.of("assign", statement, setting, frame)
    node.statement = statement
    made: Flow = node
    return made


def _return(statement: Return, setting: ProgramContext, frame: Frame) -> Flow:
    if is_done(statement.value, setting.functions):
        assert isinstance(statement.value, Call)
        return _receiving(statement, statement.value, setting, frame)
    node = Leap.of("return", statement, setting, frame)
    node.jump, node.statement = Jump.RETURN, statement
    made: Flow = node
    return made


def _if(statement: If, setting: ProgramContext, frame: Frame) -> Flow:
    blocks = [statement.body, statement.otherwise] if statement.otherwise else [statement.body]
    children = [build_block(block, statement.place, setting, frame) for block in blocks]
    node: Choice = Choice.of("if", statement, setting, frame, children)
    node.test = statement.test
    return node


def _for(statement: For, setting: ProgramContext, frame: Frame) -> Flow:
    body = build_block(statement.body, statement.place, setting, frame)
    node: Loop = Loop.of("for", statement, setting, frame, [body])
    node.over, node.targets = statement.over, statement.targets
    return node


def _while(statement: While, setting: ProgramContext, frame: Frame) -> Flow:
    body = build_block(statement.body, statement.place, setting, frame)
    node: Rounds = Rounds.of("while", statement, setting, frame, [body])
    node.test = statement.test
    return node


def _fall(statement: Fall, setting: ProgramContext, frame: Frame) -> Flow:
    blocks = [build_block(branch, statement.place, setting, frame) for branch in (statement.body, statement.instead)]
    node: Instead = Instead.of("try", statement, setting, frame, blocks)
    return node


def _leap(statement: Break | Continue | Pass, setting: ProgramContext, frame: Frame) -> Flow:
    kind = type(statement).__name__.lower()
    node: Leap = Leap.of(kind, statement, setting, frame)
    node.jump = None if isinstance(statement, Pass) else Jump(kind)
    return node


WISHES: dict[str, Any] = {"achieve": Achieve, "say": Say, "fail": Fail}
BUILDERS: dict[type[Statement], Any] = {
    Do: _do,
    Assign: _assign,
    Return: _return,
    If: _if,
    For: _for,
    While: _while,
    Fall: _fall,
    Break: _leap,
    Continue: _leap,
    Pass: _leap,
}
