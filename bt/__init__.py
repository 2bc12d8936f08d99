"""How acting is decided: plans compiled to behaviour trees, repaired, ticked, recorded and shown."""

from py_trees.behaviour import Behaviour as Tree

from bt.checking import Flaw, examine
from bt.compiling import compile_plan, pursue
from bt.document import document, plan_document, plan_from_document
from bt.improving import Improve, Improver, Improving
from bt.interrupts import signals
from bt.programs import Routine, check_program, compile_program, program_from_document, program_of
from bt.reactive.reach import Reach
from bt.reactive.resume import Resume
from bt.reactive.walking import failure_of
from bt.record import Entries, Journal, Journals, Recorder, read_record
from bt.repair import Rung
from bt.replanning import Replan, Replanner, plan_fields
from bt.requests import Requests
from bt.runner import Ended, Ending, Listener, Runner
from bt.watching import Watch

__all__ = [
    "Ended",
    "Ending",
    "Entries",
    "Flaw",
    "Improve",
    "Improver",
    "Improving",
    "Journal",
    "Journals",
    "Listener",
    "Reach",
    "Recorder",
    "Replan",
    "Replanner",
    "Requests",
    "Resume",
    "Routine",
    "Rung",
    "Runner",
    "Tree",
    "Watch",
    "check_program",
    "compile_plan",
    "compile_program",
    "document",
    "examine",
    "failure_of",
    "plan_document",
    "plan_fields",
    "plan_from_document",
    "program_from_document",
    "program_of",
    "pursue",
    "read_record",
    "signals",
]
