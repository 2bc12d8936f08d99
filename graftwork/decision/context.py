"""`DecisionContext`: the immutable set of services that all decisions in a scene share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from domains.model import Domain
from domains.planned_values import distances_of
from graftwork.decision.substitute import Substitutes
from graftwork.language.offline.patterns import relation_words
from graftwork.setup.limits import Consent
from graftwork.setup.plans import Plans
from semantics.atoms import Atom, Literal, literals
from semantics.embedding import Embedder
from semantics.exclusions import Exclusion
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal, Rejection
from semantics.goal_check import check_goal
from semantics.protocols import LanguageModel
from semantics.relations import SEEN_FROM, Arrangement
from semantics.rules import RuleBook
from semantics.state import State
from semantics.vocabulary import Vocabulary

if TYPE_CHECKING:
    from graftwork.memory import Memory
    from graftwork.setup.stage import Stage


@dataclass(frozen=True, slots=True)
class DecisionContext:
    """The inputs of a decision other than the state and the instruction.

    Two contexts with the same plans, model, memory and consents make the same decision from the same state.

    Attributes:
        plans: Calls the planner; it holds the world and its objects.
        vocabulary: The names that a goal may use.
        rules: The semantic conditions of the world.
        substitutes: Finds substitutes for missing objects.
        model: A language model, or None for the offline interpreter.
        memory: The memory of earlier runs, or None.
        embedder: Suggests names with a similar meaning for unknown words, or None.
        sensed: Returns the last sensed value of a literal, as `Beliefs.sensed` does; None without a body, when only the
            scene as written is known.
        related: Returns the facts that are sensed on demand and hold, of those given or, for None, of all; None without
            a body. A mapping says which hold only at a distance, in metres.
        viewer: Returns from whose view directions are said; None without a body.
        arrangement: Returns where things were last sensed to be; None without a body.
        model_tries: Maximum number of requests to the model for one instruction.
        consent: Whether a substitute may replace a missing object.
        part: Whether the robot may pursue only a part of a goal.
        lookout: The stage in which the robot looks for missing objects; None where it does not look.
        unlimited: The world with the capabilities whose motion primitives the body lacks; None when it lacks none.
    """

    plans: Plans
    vocabulary: Vocabulary
    rules: RuleBook
    substitutes: Substitutes
    model: LanguageModel | None = None
    memory: Memory | None = None
    embedder: Embedder | None = None
    sensed: Callable[[Literal], bool | None] | None = None
    related: Callable[[Collection[Atom] | None, Mapping[Atom, float]], frozenset[Atom]] | None = None
    viewer: Callable[[], str] | None = None
    arrangement: Callable[[], Arrangement] | None = None
    model_tries: int = 5
    consent: Consent = Consent.NEVER
    part: Consent = Consent.NEVER
    lookout: Stage | None = None
    unlimited: Domain | None = None

    @classmethod
    def of(
        cls,
        plans: Plans,
        speaker: str | None,
        model: LanguageModel | None = None,
        embedder: Embedder | None = None,
        rules: RuleBook | None = None,
    ) -> DecisionContext:
        """Create a context; the vocabulary, the rules and the substitutes follow from the arguments.

        Args:
            plans: Calls the planner.
            speaker: The person that "me" means, or None.
            model: As the attribute; it also proposes substitutes.
            embedder: Compares words by meaning.
            rules: The rules of the world, if there is a rule book of them already.
        """
        vocabulary = plans.domain.vocabulary(plans.things, speaker)
        finder = Substitutes(plans.domain, plans.things, vocabulary, model, embedder)
        return cls(plans, vocabulary, rules or RuleBook(plans.domain.rules), finder, model, embedder=embedder)

    @property
    def domain(self) -> Domain:
        """The world."""
        return self.plans.domain

    def foreseeing(self) -> DecisionContext:
        """Return the context for a goal that comes later: what a person takes, and what is sensed then, is open."""
        never = Consent.NEVER
        return replace(self, consent=never, part=never, memory=None, sensed=None, related=None, arrangement=None)

    def check(self, goal: Goal, state: State, vocabulary: Vocabulary | None = None) -> CheckedGoal | Rejection:
        """Check the names, the types and the semantic conditions of a goal; `vocabulary` replaces the own one.

        Mutually exclusive facts come from the planner, which is asked for them only when nothing else is wrong.
        """
        distances = distances_of(self.domain, goal)
        if distances and self.arrangement is not None and not self.arrangement().things:
            told = " ".join(f":{name} {said}" for name, said in goal.values)
            why = "this body senses no positions, so no distance can be kept."
            how = "Leave it out, or use another body."
            return Rejection((Feedback(Code.NOT_UNDERSTOOD, told, why, how),))
        return check_goal(
            goal, vocabulary or self.vocabulary, rules=self.rules, state=state, exclusions=self._exclusions()
        )

    def knowing(self, state: State, goal: Goal) -> State:
        """Return a state with those facts of a goal that are sensed on demand and hold, at the distance it says."""
        wanted = [atom for atom, _ in literals(goal.formula) if self._is_on_demand(atom.predicate)]
        if self.related is None or not wanted:
            return state
        return state.with_atoms(self.related(wanted, distances_of(self.domain, goal)), wanted)

    def described(self, state: State, words: str) -> State:
        """Return a state with all facts that are sensed on demand if the words say such a relation."""
        said = words.lower()
        if self.related is None or not any(spoken in said for spoken in relation_words(self.vocabulary)):
            return state
        return state.with_atoms(self.related(None, {}))

    def told_from(self, goal: CheckedGoal) -> CheckedGoal:
        """Return a goal with notes that say from whose view its directions are meant, if it has some."""
        atoms = {literal.atom for conjunct in goal.conjuncts for literal in conjunct}
        asked = [atom for atom in atoms if self._is_on_demand(atom.predicate)]
        viewer = self.viewer() if self.viewer is not None else ""
        notes = [self._view(name) for name in sorted({atom.args[-1] for atom in asked if atom.predicate in SEEN_FROM})]
        if viewer and any(atom.predicate in SEEN_FROM.values() for atom in asked):
            notes = [f"Left, right, in front and behind are meant as {viewer} sees them.", *notes]
        if not notes:
            return goal
        return replace(goal, goal=replace(goal.goal, notes=tuple(dict.fromkeys((*goal.goal.notes, *notes)))))

    def _view(self, viewer: str) -> str:
        """Return what it means that directions are said as seen from somebody or something."""
        thing = self.plans.things.get(viewer)
        if thing is not None and self.domain.classes[thing.class_name].model is not None:
            return f"'Seen from {viewer}' is meant as one sees who stands at the front of {viewer} and faces it."
        return f"'Seen from {viewer}' is meant as {viewer} sees, from where {viewer} stands in the end."

    def _is_on_demand(self, name: str) -> bool:
        model = self.domain.predicates.get(name)
        return model is not None and model.on_demand

    def _exclusions(self) -> Iterator[Exclusion]:
        """Yield which facts are mutually exclusive; the planner is asked when the first one is taken."""
        yield from self.plans.service.exclusions(self.plans.domain, self.plans.things)
