"""The geometry of a scene of a world whose domain is PDDL, with a YAML file beside it, is checked like any other."""

from pathlib import Path

from graftwork.checks import check_paths

PDDL = """\
(define (domain depot)
  (:requirements :strips :typing)
  (:types robot place - object locker bench - place)
  (:predicates (at ?r - robot ?p - place) (opened ?l - locker) (closed ?l - locker))
  (:action drive
    :parameters (?r - robot ?from ?to - place)
    :precondition (at ?r ?from)
    :effect (and (at ?r ?to) (not (at ?r ?from))))
  (:action open-up
    :parameters (?r - robot ?l - locker)
    :precondition (and (at ?r ?l) (closed ?l))
    :effect (and (opened ?l) (not (closed ?l)))))
"""
BESIDE = """\
pddl: domain.pddl
affordances: {open: it opens and closes}
classes:
  bench: {model: table}
  locker: {affordances: [open], model: cabinet}
  robot: {abstract: false}
agents:
  robot: {capabilities: all}
"""
SCENE = """\
domain: depot
things:
  bench0: {class: bench, pose: [2, 0, 3.1416], size: [1.2, 0.6, 0.72]}
  locker0: {class: locker, pose: [0, 2, -1.5708], size: [0.6, 0.5, 1.3]}
  bench1: {class: bench, pose: [0, Y, 0], size: [0.5, 0.5, 0.72]}
  robot0: {class: robot, pose: [0, 0, 0]}
"""


def told(folder: Path, y: str) -> list[tuple[str, str, int, int]]:
    (folder / "scenes").mkdir()
    (folder / "domain.pddl").write_text(PDDL)
    (folder / "domain.yaml").write_text(BESIDE)
    (folder / "scenes" / "room.yaml").write_text(SCENE.replace("Y", y))
    problems = check_paths([str(folder)]).problems
    return [(Path(found.file).name, found.code, found.line, found.column) for found in problems]


def test_a_door_that_is_blocked_is_told_in_the_scene(tmp_path: Path):
    assert ("room.yaml", "blocked-opening", 4, 28) in told(tmp_path, "1.3")


def test_a_door_with_room_is_not_told(tmp_path: Path):
    assert "blocked-opening" not in [code for _, code, _, _ in told(tmp_path, "-1.5")]
