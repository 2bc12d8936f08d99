"""`DecisionContext`: the services that decisions in one scene share; it never changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from domains.model import Domain
from graftwork.decision.substitute import Substitutes
from graftwork.memory import Memory
from graftwork.setup.limits import Consent
from graftwork.setup.plans import Plans
from graftwork.setup.stage import Stage
from semantics.atoms import Literal
from semantics.embedding import Embedder
from semantics.goal import CheckedGoal, Goal, Rejection
from semantics.goal_check import check_goal
from semantics.protocols import LanguageModel
from semantics.rules import RuleBook
from semantics.state import State
from semantics.vocabulary import Vocabulary

__all__ = ["DecisionContext"]


@dataclass(frozen=True, slots=True)
class DecisionContext:
    """What a decision is made with, besides the state and what was said.

    Two contexts with the same plans, model, memory and consents make the same decision from the same state.

    Attributes:
        plans: Asks for plans; it has the world and its things.
        vocabulary: What may be named.
        rules: The semantic conditions of the world.
        substitutes: Finds what could be used instead of what is missing.
        model: A language model, or None for the offline interpreter.
        memory: What was learned, or None.
        embedder: Suggests names of like meaning for unknown words, or None.
        sensed: What the last sensing of a literal showed, as `Beliefs.sensed`; None without a body, when the scene as
            written is all there is.
        model_tries: How often the model is asked about one instruction, at most.
        consent: Whether something else may be used instead of what is missing.
        part: Whether only a part of a goal may be gone for.
        lookout: Where what is missing is looked for; None where nobody goes and looks.
    """

    plans: Plans
    vocabulary: Vocabulary
    rules: RuleBook
    substitutes: Substitutes
    model: LanguageModel | None = None
    memory: Memory | None = None
    embedder: Embedder | None = None
    sensed: Callable[[Literal], bool | None] | None = None
    model_tries: int = 5
    consent: Consent = Consent.NEVER
    part: Consent = Consent.NEVER
    lookout: Stage | None = None

    @classmethod
    def of(
        cls,
        plans: Plans,
        speaker: str | None,
        *,
        model: LanguageModel | None = None,
        memory: Memory | None = None,
        embedder: Embedder | None = None,
        sensed: Callable[[Literal], bool | None] | None = None,
        model_tries: int = 5,
        consent: Consent = Consent.NEVER,
        part: Consent = Consent.NEVER,
        lookout: Stage | None = None,
    ) -> DecisionContext:
        """Join what is given with what follows from it: the vocabulary, the rules, and what finds substitutes.

        Args:
            plans: Asks for plans.
            speaker: Who is meant by "me", or None.
            model: As the attribute; it is asked for substitutes too.
            memory: As the attribute, and so are all that follow.
            embedder: Compares words by meaning.
            sensed: What was sensed.
            model_tries: How often the model is asked.
            consent: To something else.
            part: To a part.
            lookout: Where it is looked.
        """
        vocabulary = plans.domain.vocabulary(plans.things, speaker)
        return cls(
            plans,
            vocabulary,
            RuleBook(plans.domain.rules),
            Substitutes(plans.domain, plans.things, vocabulary, model, embedder),
            model,
            memory,
            embedder,
            sensed,
            model_tries,
            consent,
            part,
            lookout,
        )

    @property
    def domain(self) -> Domain:
        """The world."""
        return self.plans.domain

    def check(self, goal: Goal, state: State, vocabulary: Vocabulary | None = None) -> CheckedGoal | Rejection:
        """Check names, types and the conditions of the world; with other things to be named, if any are given.

        What excludes each other is asked of a planner, so only where nothing else is wrong.
        """
        named = vocabulary or self.vocabulary
        checked = check_goal(goal, named, rules=self.rules, state=state)
        if isinstance(checked, Rejection):
            return checked
        exclusions = self.plans.service.exclusions(self.plans.domain, self.plans.things)
        if not exclusions:
            return checked
        return check_goal(goal, named, rules=self.rules, state=state, exclusions=exclusions)
