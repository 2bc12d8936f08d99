"""Worlds with a body in them, and programs that are ticked there for real."""

from dataclasses import dataclass, field

from affordances.scene import Scene
from affordances.watcher import Watcher
from bt import Entries, Runner
from bt.programs import CheckedProgram, Routine, check_program, compile_program
from bt.runner import Ended
from domains.reader import load_domain, load_scene
from graftwork.setup.bodies import robot_for
from semantics.logic.program import ProgramLimits

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
BLOCKS = load_domain("blocks")
SUSSMAN = load_scene(BLOCKS, "sussman")
TABLETOP = load_domain("tabletop")
FOUR = load_scene(TABLETOP, "four")
MOST_SECONDS = 900.0


@dataclass
class Person:
    """Listens, and answers from a list."""

    answers: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.heard.append(text)

    def ask(self, text: str) -> str:
        self.asked.append(text)
        return self.answers.pop(0)


class Stage:
    """A program in a world."""

    def __init__(self, text, domain=KITCHEN, scene=SMALL, body="symbolic", answers=(), limits=None, **options):
        checked = check_program(text, domain, scene.things, limits=limits or ProgramLimits())
        assert isinstance(checked, CheckedProgram), str(checked)
        self.program = checked.program
        self.robot = robot_for(body, domain, scene)
        self.beliefs = Watcher(self.robot, Scene.start(scene, domain))
        self.beliefs.refresh()
        self.person = Person(list(answers))
        self.journal = Entries()
        self.tree: Routine = compile_program(
            checked, beliefs=self.beliefs, robot=self.robot, voice=self.person, journal=self.journal, **options
        )

    def runner(self) -> Runner:
        return Runner(self.tree, self.robot, self.beliefs)

    def run(self) -> Ended:
        return self.runner().run(MOST_SECONDS)

    def holds(self, *facts: str) -> bool:
        return {*facts} <= {str(atom) for atom in self.beliefs.state.atoms}

    @property
    def heard(self) -> list[str]:
        return self.person.heard


def said(text, **options) -> list[str]:
    """Run a program that is to succeed; return what it said."""
    stage = Stage(text, **options)
    end = stage.run()
    assert end.status == "success", str(end.reason)
    return stage.heard


def failure(text, **options):
    """Run a program that is to fail; return why it did."""
    end = Stage(text, **options).run()
    assert end.status == "failure", end
    return end.reason


def mistakes(text, domain=KITCHEN, scene=SMALL, **limits):
    """Check a program that is to be refused; return its mistakes."""
    refused = check_program(text, domain, scene.things, limits=ProgramLimits(**limits))
    assert not isinstance(refused, CheckedProgram), text
    return refused.mistakes
