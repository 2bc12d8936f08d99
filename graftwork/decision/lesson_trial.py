"""`try_lesson`: a lesson is tried on the model before a person is asked whether it shall be kept.

The sentence that was corrected is done again in scenes like the present one: things stand elsewhere, a further one of a
sort that was spoken of is there, and what was asked for is asked of another thing of the same sort. A lesson has to
have plans there, and the judge of them is the lesson itself, as a condition on every state that a plan leads through;
what was taught before has to stay true, too (AutoGPT+P checks goals, LYRA a person's tests; both on one scene).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from affordances.scene import completed, computed_predicates
from domains.relations import RESTING
from domains.world import World
from graftwork.decision.context import DecisionContext
from graftwork.decision.model import Decision, FinalDecision
from graftwork.decision.taught import Situation, Teaching
from graftwork.record.episode import Outcome
from semantics.logic.atoms import Atom, Formula, names_in, rebuilt
from semantics.logic.feedback import Feedback
from semantics.logic.goal import Goal, Rejection
from semantics.logic.lesson import Lesson, NumberedLesson
from semantics.logic.state import Operator, State
from semantics.plain_text import together

Decide = Callable[[DecisionContext, Goal, State], Decision]
SAMPLES, MOST_SECONDS, MOST_SIMULATED = 20, 6.0, 60.0
"""How many scenes a lesson is tried in, and after how many seconds no further one is begun, also on a simulated clock,
where a run is to be the same on each machine."""
LEAST_SOLVABLE = 0.75  # the share of the scenes in which there has to be a plan
MOVED = 0.4  # how probable it is that a thing stands elsewhere in a scene
NEW = 0  # the number of a lesson that is not kept yet


@dataclass(slots=True)
class TrialResult:
    """What came of trying a lesson.

    Attributes:
        scenes: In how many scenes what was asked for can be done without the lesson.
        solved: In how many of them there is a plan with it.
        right: In how many of them it is kept.
        broken: The lessons from before that cannot be kept with it.
        why: Why there is no plan in the first scene without one.
        aside: What it does to things that it does not name, in the first scene in which it does.
    """

    scenes: int = 0
    solved: int = 0
    right: int = 0
    broken: dict[int, NumberedLesson] = field(default_factory=dict)
    why: Feedback | None = None
    aside: str = ""

    @property
    def solvable(self) -> bool:
        """Whether enough scenes have a plan in which the lesson is kept."""
        return self.scenes > 0 and self.right >= LEAST_SOLVABLE * self.scenes


@dataclass(frozen=True, slots=True)
class Done:
    """What a plan does from a state: its steps, and the states that they lead through."""

    steps: tuple[Operator, ...]
    states: tuple[State, ...]

    @classmethod
    def of(cls, decided: Decision, state: State) -> Done | None:
        """Return what a decision does; None if it does nothing because it cannot."""
        if isinstance(decided, FinalDecision):
            return cls((), (state,)) if decided.outcome is Outcome.ALREADY else None
        states = [state]
        for step in decided.foreseen.steps:
            states.append(step.apply(states[-1]))
        return cls(decided.foreseen.steps, tuple(states))

    def moved(self, world: World) -> frozenset[Atom]:
        """Return where things are in the end that were elsewhere, and what is open that was shut."""
        shown = {name for name, model in world.domain.predicates.items() if model.sensed in RESTING}
        shown |= {world.domain.conventions.opened}
        new = self.states[-1].atoms - self.states[0].atoms
        return frozenset(atom for atom in new if atom.predicate in shown)


def try_lesson(lesson: Lesson, goal: Goal, context: DecisionContext, state: State, decide: Decide) -> TrialResult:
    """Try a lesson in scenes like the present one.

    Args:
        lesson: The lesson.
        goal: What was asked for when it was taught, without lessons.
        context: The services of the decision, with the lessons from before.
        state: The believed state.
        decide: Decides about a goal in a state.
    """
    is_simulated = context.environment is None or context.environment.robot.clock.simulated
    tried, ends = TrialResult(), time.monotonic() + (MOST_SIMULATED if is_simulated else MOST_SECONDS)
    kept = NumberedLesson(NEW, lesson)
    for world, sampled, asked in _scenes(goal, lesson, context, state):
        if time.monotonic() > ends:
            break
        _Scene(asked, _offline(context, world), sampled, decide).judge(kept, tried)
    return tried


def _offline(context: DecisionContext, world: World) -> DecisionContext:
    """Return the context of a decision on the model alone, in another world."""
    return replace(context.foreseeing(), plans=context.plans.options.plans(world), environment=None, model=None)


@dataclass(frozen=True, slots=True)
class _Scene:
    """A scene in which a lesson is tried: what is asked for there, and from which state."""

    asked: Goal
    context: DecisionContext
    state: State
    decide: Decide

    def judge(self, kept: NumberedLesson, tried: TrialResult) -> None:
        """Try a lesson, and add what comes of it."""
        lessons = self.context.lessons
        before = self._done(lessons)
        if isinstance(before, Feedback):
            return
        tried.scenes += 1
        after = self._done((*lessons, kept))
        if isinstance(after, Feedback):
            tried.why = tried.why or after
            if lessons and not isinstance(self._done((kept,)), Feedback):
                tried.broken |= {each.number: each for each in lessons if self._excludes(kept, each)}
            return
        believed = Situation(self.context.vocabulary, self.state)
        tried.solved += 1
        is_right = is_kept(kept, self.asked, after, believed)
        tried.right += is_right
        for each in lessons:
            if not is_kept(each, self.asked, before, believed, alone=True):
                continue
            is_broken = not is_kept(each, self.asked, after, believed, alone=True)
            if is_broken or (not is_right and self._is_kept_without(kept, each, believed)):
                tried.broken[each.number] = each
        lesson = kept.lesson
        named = {name for step in before.steps for name in step.action.args}
        for part in (*lesson.also, *lesson.first, *lesson.after, *lesson.instead):
            named |= {*part.atom.args}
        strange = after.moved(self.context.world) - before.moved(self.context.world)
        told = together(str(atom) for atom in sorted(strange) if atom.args[0] not in named)
        tried.aside = tried.aside or told

    def _is_kept_without(self, kept: NumberedLesson, other: NumberedLesson, believed: Situation) -> bool:
        """Return whether a lesson is kept where another one does not hold."""
        done = self._done((*(each for each in self.context.lessons if each != other), kept))
        return isinstance(done, Done) and is_kept(kept, self.asked, done, believed)

    def _excludes(self, kept: NumberedLesson, other: NumberedLesson) -> bool:
        """Return whether there is no plan with two lessons."""
        return isinstance(self._done((other, kept)), Feedback)

    def _done(self, lessons: Sequence[NumberedLesson]) -> Done | Feedback:
        """Return what is done for the goal by some lessons, or why nothing can be."""
        context = replace(self.context, lessons=tuple(lessons))
        taught = Teaching(lessons, Situation(context.vocabulary, self.state), self.asked.text).apply(self.asked)
        if isinstance(taught, Rejection):
            return taught.feedback[0]
        decided = self.decide(context, taught, self.state)
        done = Done.of(decided, self.state)
        if done is None:
            assert isinstance(decided, FinalDecision)
            return decided.feedback[0]
        return done


def is_kept(kept: NumberedLesson, asked: Goal, done: Done, believed: Situation, *, alone: bool = False) -> bool:
    """Return whether what was done is as a lesson wants it; a lesson that is not about it is kept.

    Args:
        kept: The lesson.
        asked: What was asked for.
        done: What was done.
        believed: What was so at the beginning.
        alone: Whether what was asked for need not hold itself, since another lesson may want something instead; for an
            order, and for a choice, it has to all the same.
    """
    teaching = Teaching((kept,), believed, asked.text)
    never = [atom for atom in teaching.forbidden(kept.lesson) if atom not in done.states[0].atoms]
    if any(atom in state.atoms for state in done.states for atom in never):
        return False
    asks = kept.lesson.choose or kept.lesson.choose_sorts or kept.lesson.first or kept.lesson.after
    ways = teaching.wanted(asked, kept)
    wanted = (replace(way, main=()) if alone and not asks else way for way in ways)
    return any(way.is_so(done.steps, done.states) for way in wanted)


def _scenes(goal: Goal, lesson: Lesson, context: DecisionContext, state: State) -> Iterator[tuple[World, State, Goal]]:
    """Yield the present scene and others like it, each with the goal as it is asked for there."""
    yield context.world, state, goal
    draw = random.Random(str(goal))
    seen = {(state, str(goal))}
    for _ in range(2 * SAMPLES):
        world, sampled = _sampled(context.world, state, goal, draw)
        asked = _with_others(goal, context, draw)
        if (sampled, str(asked)) not in seen:
            seen.add((sampled, str(asked)))
            yield world, sampled, asked
        if len(seen) == SAMPLES:
            return


def _sampled(world: World, state: State, goal: Goal, draw: random.Random) -> tuple[World, State]:
    """Return a scene in which things stand elsewhere."""
    domain, things = world.domain, world.objects
    resting = {name for name, model in domain.predicates.items() if model.sensed in RESTING}
    loose = {name for name, thing in things.items() if domain.conventions.carry in thing.affordances}
    facts = sorted(atom for atom in state.atoms if atom.predicate in resting and len(atom.args) == 2)
    under = {atom.args[1] for atom in facts}
    places = sorted({(atom.predicate, atom.args[1]) for atom in facts if atom.args[1] not in loose})
    atoms = {atom for atom in state.atoms if atom.predicate not in computed_predicates(domain)}
    believed = Situation(world.vocabulary, state)
    for atom in facts:
        if atom.args[0] not in loose or atom.args[0] in under or atom.args[1] in loose or draw.random() > MOVED:
            continue
        able = [Atom(name, (atom.args[0], place)) for name, place in places]
        able = [each for each in able if believed.can_be(each)]
        atoms = (atoms - {atom}) | {draw.choice(able or [atom])}
    return world, completed(world.problem(State(frozenset(atoms), state.numbers)))


def _with_others(goal: Goal, context: DecisionContext, draw: random.Random) -> Goal:
    """Return a goal that asks the same of other things of the same classes."""
    things = context.world.objects
    named = sorted({name for stage in goal.stages for name in names_in(stage.formula) if name in things})
    swapped: dict[str, str] = {}
    for name in named:
        alike = context.vocabulary.of_class(things[name].class_name)
        able = [other for other in alike if other == name or other not in (*named, *swapped.values())]
        swapped[name] = draw.choice(able or [name])

    def renamed(formula: Formula) -> Formula:
        return formula.replaced(swapped) if isinstance(formula, Atom) else rebuilt(formula, renamed)

    first, *later = (replace(stage, formula=renamed(stage.formula), every=(), jobs=()) for stage in goal.stages)
    return replace(first, later=tuple(later))
