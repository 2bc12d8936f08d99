"""How acting is decided: plans compiled to behaviour trees, repaired, ticked, recorded and shown."""

from py_trees.behaviour import Behaviour as Tree

from bt.compiler import compile_plan, pursue
from bt.document import document, plan_document, plan_from_document
from bt.examination import Flaw, examine
from bt.execution import Execute, Improver, Improving
from bt.execution.goal import GoalNode
from bt.execution.step import interlocked
from bt.listeners import Requests, Watch
from bt.node import failure_of
from bt.programs import Routine, check_program, compile_program, program_from_document, program_of
from bt.record import Entries, Journal, Journals, Recorder, plan_fields, read_record
from bt.recovery import Recover, Replan, Replanner, Retry, Rule, Strategy
from bt.runner import Ended, Ending, Listener, Runner, signals

__all__ = [
    "Ended",
    "Ending",
    "Entries",
    "Execute",
    "Flaw",
    "GoalNode",
    "Improver",
    "Improving",
    "Journal",
    "Journals",
    "Listener",
    "Recorder",
    "Recover",
    "Replan",
    "Replanner",
    "Requests",
    "Retry",
    "Routine",
    "Rule",
    "Runner",
    "Strategy",
    "Tree",
    "Watch",
    "check_program",
    "compile_plan",
    "compile_program",
    "document",
    "examine",
    "failure_of",
    "interlocked",
    "plan_document",
    "plan_fields",
    "plan_from_document",
    "program_from_document",
    "program_of",
    "pursue",
    "read_record",
    "signals",
]
