"""Compiles a checked program to a behaviour tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from py_trees.behaviour import Behaviour

from bt.background import Cancellation
from bt.compiler import EFFECT_PATIENCE
from bt.execution.improvement import WorldBeliefs
from bt.programs.checker import CheckedProgram, is_done
from bt.programs.nodes.calls import AchieveGoal, AskStatement, Fail, Invoke, Perform, Say
from bt.programs.nodes.flow import Block, IfElse, Instead, Keep, Leap, Loop, Rounds, Routine
from bt.programs.nodes.statement import Asking, Flow, Frame, GoalCheck, GoalPlanner, ProgramContext, Pursuer, Recall
from bt.programs.writer import blocks_of, head_of, value_of
from bt.record import Journal
from semantics.body.interlock import interlocked
from semantics.body.protocols import Beliefs, Robot, Skill
from semantics.logic import program as syntax


def compile_program(
    checked: CheckedProgram,
    *,
    beliefs: Beliefs,
    robot: Robot,
    planner: GoalPlanner | None = None,
    check: GoalCheck | None = None,
    voice: syntax.Voice | None = None,
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
    delay: float | None = 0.1,
    around: Callable[[Behaviour], Behaviour] | None = None,
    pursuer: Pursuer | None = None,
    recall: Recall | None = None,
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
        recall: Returns the steps that an ``achieve`` gives as a plan, if they still reach its goal; called off the
            tick. By default, they are simulated on the model.
        asking: The mailbox for questions to a person; by default `voice` is asked, on a separate thread.
        cancellation: Says whether the run was cancelled; pass the same to `Runner`.
    """
    context = ProgramContext(
        checked.language.names,
        None if isinstance(beliefs, WorldBeliefs) else checked.language,
        {function.name: function for function in checked.program.functions},
        checked.limits,
        beliefs,
        interlocked(robot),
        skills or {},
        effect_patience,
        journal,
        build_block,
        check=check,
        planner=planner,
        voice=voice,
        delay=delay if robot.clock.simulated else None,
        around=around,
        pursuer=pursuer,
        recall=recall,
        asking=asking,
        cancellation=cancellation,
    )
    frame, place = Frame(), syntax.TextPosition()
    body = build_block(checked.program.body, place, context, frame)
    routine = Routine("program", "a program", place, context, frame, [body])
    routine.functions, routine.program = checked.program.functions, checked.program
    return routine


def build_block(
    statements: Sequence[syntax.Statement], place: syntax.TextPosition, setting: ProgramContext, frame: Frame
) -> Block:
    """Return the node of a block of statements."""
    return Block([_built(statement, setting, frame) for statement in statements], place, setting, frame)


def _built(statement: syntax.Statement, setting: ProgramContext, frame: Frame) -> Behaviour:
    kind, node = _kind_of(statement, setting)
    blocks = () if isinstance(statement, syntax.Achieve) else blocks_of(statement)
    if isinstance(statement, syntax.If) and not statement.otherwise:
        blocks = blocks[:1]
    children = [build_block(block, statement.place, setting, frame) for block in blocks]
    return node(kind, head_of(statement), statement.place, setting, frame, children, statement)


def _kind_of(statement: syntax.Statement, setting: ProgramContext) -> tuple[str, type[Flow]]:
    if isinstance(statement, syntax.Do | syntax.Assign | syntax.Return):
        call = value_of(statement)
        if is_done(call, setting.functions):
            assert isinstance(call, syntax.Call)
            return ("ask", AskStatement) if call.name == "ask" else ("call", Invoke)
    if isinstance(statement, syntax.Do):
        name = statement.call.name
        return (name, WISHES[name]) if name in WISHES else ("capability", Perform)
    return NODES[type(statement)]


WISHES: Mapping[str, type[Flow]] = {"say": Say, "fail": Fail}
NODES: Mapping[type[syntax.Statement], tuple[str, type[Flow]]] = {
    syntax.Achieve: ("achieve", AchieveGoal),
    syntax.Assign: ("assign", Keep),
    syntax.Return: ("return", Leap),
    syntax.If: ("if", IfElse),
    syntax.For: ("for", Loop),
    syntax.While: ("while", Rounds),
    syntax.Fall: ("try", Instead),
    syntax.Break: ("break", Leap),
    syntax.Continue: ("continue", Leap),
    syntax.Pass: ("pass", Leap),
}
