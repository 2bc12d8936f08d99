"""A small bar with the names of CoPAL's, for texts of the stand-in."""

from random import Random

from benchmarks.copal.recipes import Recipe
from benchmarks.copal_ladder.running.sequencing import Sequencer
from benchmarks.copal_ladder.standin.model import StandIn
from benchmarks.copal_ladder.standin.writing import Wish
from domains.reader import load_domain, load_scene
from graftwork.setup.model_body import symbolic_robot
from semantics.logic.state import State

SCENE = """
domain: barman
things:
  robot: {class: robot}
  hand_left: {class: hand}
  hand_right: {class: hand}
  table: {class: table}
  shelf: {class: shelf}
  tray: {class: tray}
  fridge: {class: fridge}
  electric_shaker: {class: shaker}
  mixing_container: {class: mixing_container}
  first_glass: {class: glass}
  gin: {class: liquid}
  gin_bottle: {class: bottle}
  milk: {class: liquid}
  milk_bottle: {class: bottle}
  rum: {class: liquid}
  rum_bottle: {class: bottle}
  lime_slice: {class: ingredient}
  lime_slice_bowl: {class: bowl}
  lime_slice1: {class: piece}
facts:
  - (free hand_left)
  - (free hand_right)
  - (on mixing_container electric_shaker)
  - (on first_glass table)
  - (on lime_slice_bowl table)
  - (on lime_slice1 lime_slice_bowl)
  - (made_of lime_slice1 lime_slice)
  - (on gin_bottle shelf)
  - (filled gin_bottle gin)
  - (closed gin_bottle)
  - (on rum_bottle shelf)
  - (filled rum_bottle rum)
  - (closed rum_bottle)
  - (on milk_bottle fridge)
  - (inside milk_bottle)
  - (filled milk_bottle milk)
  - (closed milk_bottle)
  - (closed fridge)
numbers:
  (level gin_bottle): 1.0
  (level rum_bottle): 1.0
  (level milk_bottle): 1.0
"""
RECIPE = Recipe("a test", "barman", frozenset({"gin", "milk", "lime_slice"}), frozenset())
AIM = Wish(("gin", "lime_slice", "milk"), "hand_left", frozenset({"gin"}))


class SmallBar:
    """The bar, a body in it, and a model that errs as it is told."""

    def __init__(self, folder, *mistakes, again=(0.0, 0.0, 0.0), aim=AIM):
        path = folder / "bar.yaml"
        path.write_text(SCENE, encoding="utf-8")
        self.domain = load_domain("barman")
        self.scene = load_scene(self.domain, path)
        self.state = State(self.scene.facts, self.scene.numbers)
        self.robot = symbolic_robot(self.domain, self.scene)
        self.model = StandIn(aim, mistakes, again, Random(0))
        self.text = self.model.text(self.state)

    def sequencer(self, rules=False, fields=0):
        return Sequencer(self.domain, self.scene, self.robot, self.model, rules, fields)
