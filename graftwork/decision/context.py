"""`DecisionContext`: what one decision uses besides the request and the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from domains.model import Domain
from domains.planned_values import distances_of
from domains.world import World
from graftwork.decision.substitute import Substitutes
from graftwork.language.offline.patterns import relation_words
from graftwork.setup.limits import Consent
from graftwork.setup.plans import Plans
from semantics.body.exchange import ModelUse
from semantics.body.protocols import LanguageModel
from semantics.geometry.relations import SEEN_FROM
from semantics.logic.atoms import And, conjoined, literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.goal_check import check_goal
from semantics.logic.state import State
from semantics.logic.vocabulary import Vocabulary
from semantics.words.embedding import Embedder
from semantics.words.positions import Positions

if TYPE_CHECKING:
    from affordances.watcher import Watcher
    from graftwork.decision.model import Doings, Wanted
    from graftwork.language.conversation import Turn
    from graftwork.memory import Memory
    from graftwork.setup.environment import Environment
    from semantics.logic.lesson import NumberedLesson


@dataclass(frozen=True, slots=True)
class DecisionContext:
    """The inputs of a decision other than the state and the instruction.

    Two contexts with the same plans, model, memory and consents make the same decision from the same state.

    Attributes:
        plans: Calls the planner, in the world that the decision is about.
        model: A language model, or None for the offline interpreter.
        memory: The memory of earlier runs, or None.
        embedder: Suggests names with a similar meaning for unknown words, or None.
        environment: The body and the beliefs; None when only the scene as written is known.
        model_tries: Maximum number of requests to the model for one instruction.
        consent: Whether a substitute may replace a missing object.
        part: Whether the robot may pursue only a part of a goal.
        new_things: Whether a thing of an unknown class may be treated as one of a similar class.
        unsaid: Whether a model's goal may name what nobody has spoken of.
        looks: Whether the robot may look for missing objects.
        foresees: Whether it is a decision about later, when something else will be sensed.
        guesses: Whether a language model may propose substitutes.
        said: What the model has said that things are, by what they are called, with the probability; it is added to.
        use: Counts the requests to the model.
        called_off: Returns whether the decision is no longer needed, so that a request to the model is abandoned.
        doings: What was done before; the last is told about.
        turns: What was said before in the same conversation, oldest first.
        lessons: What a person has taught that holds in this world, oldest first.
        learn: Whether what a person corrects afterwards is kept.
    """

    plans: Plans
    model: LanguageModel | None = None
    memory: Memory | None = None
    embedder: Embedder | None = None
    environment: Environment | None = None
    model_tries: int = 5
    consent: Consent = Consent.NEVER
    part: Consent = Consent.NEVER
    new_things: Consent = Consent.NEVER
    unsaid: Consent = Consent.ASK
    looks: bool = False
    foresees: bool = False
    guesses: bool = True
    said: dict[str, tuple[str, float]] = field(default_factory=dict)
    use: ModelUse = field(default_factory=ModelUse)
    called_off: Callable[[], object] = lambda: False
    doings: Sequence[Doings] = ()
    turns: tuple[Turn, ...] = ()
    lessons: tuple[NumberedLesson, ...] = ()
    learn: Consent = Consent.ASK

    @property
    def world(self) -> World:
        """The world that the decision is about."""
        return self.plans.world

    @property
    def domain(self) -> Domain:
        """The model of the world."""
        return self.plans.world.domain

    @property
    def vocabulary(self) -> Vocabulary:
        """The names that a goal may use."""
        return self.plans.world.vocabulary

    @property
    def substitutes(self) -> Substitutes:
        """Finds substitutes for missing objects."""
        return Substitutes(self.world, self.model if self.guesses else None, self.use, self.called_off)

    @property
    def positions(self) -> Positions | None:
        """Where things are sensed to be; None if nothing senses."""
        return None if self.senses is None else self.senses.positions

    @property
    def senses(self) -> Watcher | None:
        """What is sensed now; None without a body, and where later is decided about."""
        return None if self.environment is None or self.foresees else self.environment.watcher

    @property
    def may_be_taught(self) -> bool:
        """Whether words can be about what was done before, and be kept as a lesson."""
        is_kept = self.memory is not None and self.learn is not Consent.NEVER
        return is_kept and any(turn.goal is not None or turn.program for turn in self.turns)

    @property
    def taught_words(self) -> tuple[str, ...]:
        """What a person has said to teach something, and what it was understood as."""
        predicates = self.vocabulary.predicates
        return tuple(f"{lesson.text} {lesson.told(predicates)}" for _, lesson in self.lessons)

    def means_alone(self, words: str) -> bool:
        """Return whether words mean the same whatever was said before."""
        if not self.turns:
            return True
        from graftwork.language.conversation import stands_alone

        return stands_alone(words)

    def in_own_words(self, wanted: Wanted) -> Wanted:
        """Return a request; of words, those that a person has taught have the place of what they mean."""
        if not isinstance(wanted, str) or not any(lesson.meaning for _, lesson in self.lessons):
            return wanted
        from graftwork.decision.taught import reworded  # nobody has taught most robots anything

        return reworded(wanted, self.lessons)

    def in_world(self, world: World) -> DecisionContext:
        """Return the context of the same decision about another world."""
        return self if world is self.world else replace(self, plans=self.plans.options.plans(world))

    def foreseeing(self) -> DecisionContext:
        """Return the context for a goal that comes later: what a person takes, and what is sensed then, is open."""
        never = Consent.NEVER
        return replace(self, consent=never, part=never, new_things=never, memory=None, foresees=True)

    def check(self, goal: Goal, state: State, vocabulary: Vocabulary | None = None) -> CheckedGoal | Rejection:
        """Check the names, the types and the semantic conditions of a goal; `vocabulary` replaces the own one.

        Mutually exclusive facts come from the planner, which is asked for them only when nothing else is wrong.
        """
        distances = distances_of(self.domain, goal) if goal.values else {}
        if distances and self.senses is not None and not self.senses.arrangement.things:
            told = " ".join(f":{name} {said}" for name, said in goal.values)
            why = "this body senses no positions, so no distance can be kept."
            how = "Leave it out, or use another body."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, told, why, how),))
        names, rules = vocabulary or self.vocabulary, self.world.rules
        exclusions = partial(self.plans.options.service.exclusions, self.domain, self.world.objects)
        checked = check_goal(goal, names, rules=rules, state=state, exclusions=exclusions)
        if isinstance(checked, Rejection) and goal.jobs:
            return self._one_by_one(goal, state, names, checked)
        return checked

    def _one_by_one(self, goal: Goal, state: State, names: Vocabulary, refused: Rejection) -> CheckedGoal | Rejection:
        """Check the jobs of a goal that cannot all hold at once: those that exclude the last one come before it."""
        *earlier, last = (replace(job, values=goal.values) for job in goal.jobs)
        before = list[Goal]()
        for job in reversed(earlier):
            joined = replace(last, formula=And((*conjoined(job.formula), *conjoined(last.formula))))
            if isinstance(self.check(joined, state, names), CheckedGoal):
                last = joined
            else:
                before.insert(0, job)
        first, *later = (*before, replace(last, every=goal.every))
        if not before or any(isinstance(self.check(job, state, names), Rejection) for job in (*before, last)):
            return refused
        note = f"What comes before what is to hold in the end: {', '.join(job.text for job in before)}."
        anew = replace(goal, formula=first.formula, notes=(*goal.notes, note), later=tuple(later), jobs=())
        return self.check(anew, state, names)

    def knowing(self, state: State, goal: Goal) -> State:
        """Return a state with those facts of a goal that are sensed on demand and hold, at the distance it says."""
        wanted = [atom for atom, _ in literals(goal.formula) if atom.predicate in self.domain.on_demand]
        if self.senses is None or not wanted:
            return state
        return state.with_atoms(self.senses.related(wanted, distances_of(self.domain, goal)), wanted)

    def described(self, state: State, words: str) -> State:
        """Return a state with all facts that are sensed on demand if the words say such a relation."""
        said = words.lower()
        if self.senses is None or not any(spoken in said for spoken in relation_words(self.vocabulary)):
            return state
        return state.with_atoms(self.senses.related(None, {}))

    def told_from(self, goal: CheckedGoal) -> CheckedGoal:
        """Return a goal with notes that say from whose view its directions are meant, if it has some."""
        atoms = {literal.atom for conjunct in goal.conjuncts for literal in conjunct}
        asked = [atom for atom in atoms if atom.predicate in self.domain.on_demand]
        if not asked:
            return goal
        viewer = self.environment.watcher.viewer if self.environment is not None else ""
        notes = [self._view(name) for name in sorted({atom.args[-1] for atom in asked if atom.predicate in SEEN_FROM})]
        if viewer and any(atom.predicate in SEEN_FROM.values() for atom in asked):
            notes = [f"Left, right, in front and behind are meant as {viewer} sees them.", *notes]
        if not notes:
            return goal
        return replace(goal, goal=replace(goal.goal, notes=tuple(dict.fromkeys((*goal.goal.notes, *notes)))))

    def _view(self, viewer: str) -> str:
        """Return what it means that directions are said as seen from somebody or something."""
        thing = self.world.objects.get(viewer)
        known = None if thing is None else self.domain.classes.get(thing.class_name)
        if known is not None and known.model is not None:
            return f"'Seen from {viewer}' is meant as one sees who stands at the front of {viewer} and faces it."
        return f"'Seen from {viewer}' is meant as {viewer} sees, from where {viewer} stands in the end."
