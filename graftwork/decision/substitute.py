"""Substitutes: a goal about a missing object is rewritten with an object that is present.

The rewriting works on the goal, not on the words. First the missing object gets a name as if it were present, so that
the instruction has a goal. Then the names of substitutes replace that name in the goal, and the new goal is checked
like any other. Nothing is replaced silently: the person is asked, or reads it in the notes of the goal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from affordances import mapping, substitutes
from affordances.ontology import AFFORDANCES
from domains.model import Domain
from domains.world import World
from graftwork.language.answers import with_answer
from semantics.body.exchange import ModelUse
from semantics.body.protocols import LanguageModel
from semantics.logic.atoms import And, Atom, Formula, Or, literals, rebuilt
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.vocabulary import Thing, Vocabulary
from semantics.plain_text import shortened, together
from semantics.words.english import noun_phrase, singulars
from semantics.words.lexicon import plain

MOST_NAMES = 8
"""Maximum number of objects of the proposed class in a goal."""
MOST_TRIED = 3
"""Maximum number of suggestions that are checked."""


def bare(text: str) -> str:
    """Return an answer without its article, so that it can replace a noun: "the cup" becomes "cup"."""
    words = text.strip().rstrip(".!").split()
    return " ".join(words[1:]) if len(words) > 1 and words[0].lower() in {"a", "an", "the"} else text


@dataclass(frozen=True, slots=True)
class Absence:
    """A requested object that is not present: the words for it, and the object that they describe."""

    words: str
    thing: Thing


@dataclass(frozen=True, slots=True)
class Presence:
    """A class with present objects, so that nothing is missing."""

    class_name: str
    names: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The sentence that says that the objects are present."""
        are, them = ("are", "them") if len(self.names) > 1 else ("is", "it")
        return f"{together(self.names)} {are} there, so nothing has to stand in for {them}"


@dataclass(frozen=True, slots=True)
class SubstituteProposal:
    """A proposal to use a substitute.

    Attributes:
        absence: The missing object.
        suggestion: The substitute.
        goal: The checked goal with the substitute.
    """

    absence: Absence
    suggestion: substitutes.Suggestion
    goal: CheckedGoal

    @property
    def question(self) -> Question:
        """The question to the person; it is about the words for the missing object."""
        other, absent = plain(self.suggestion.class_name), plain(self.absence.thing.class_name)
        text = f"There is no {absent} here. Would {substitutes.article(self.suggestion.class_name)} do?"
        why = Feedback(
            Code.QUESTION, f"'{shortened(self.absence.words)}'", self.suggestion.sentence, text, (self.absence.words,)
        )
        return Question(text, (other,), why)

    def answered(self, reply: str) -> bool | Rejection:
        """Return True for an answer that accepts the proposal, a rejection for a no, and False for anything else."""
        answer = with_answer(self.absence.words, self.question, bare(reply))
        return answer if isinstance(answer, Rejection) else answer == self.question.options[0]


Check = Callable[[Goal], CheckedGoal | Rejection]


@dataclass(frozen=True, slots=True)
class Substitutes:
    """Finds substitutes; creating one costs nothing.

    Attributes:
        world: The world.
        model: The language model that is asked, as in AutoGPT+P; None to use the data.
        use: Counts the requests to it.
        called_off: Returns whether its answer is no longer needed.
    """

    world: World
    model: LanguageModel | None = None
    use: ModelUse = field(default_factory=ModelUse)
    called_off: Callable[[], object] = lambda: False

    @property
    def knowledge(self) -> substitutes.Knowledge:
        """The knowledge about classes; this world's own classes come first."""
        own = mapping.ObjectAffordances.from_domain
        return self.world.remember(("knowledge",), lambda: substitutes.Knowledge(own(self.world.domain)))

    def absence(self, answer: Question | Rejection) -> Absence | None:
        """Return the missing object, if it is the reason why `answer` is no goal."""
        return absence(answer, self.world.domain, self.world.vocabulary)

    def suggestions(self, missing: Absence, goal: Goal) -> substitutes.Suggestions:
        """Return the substitutes for the missing object of `goal`.

        Raises:
            OutsideError: The model cannot be reached.
        """
        domain, things = self.world.domain, self.world.objects
        task = task_of(missing.thing, goal, things)
        present = present_classes(things, domain.conventions.actor)
        if self.model is not None:
            ask = partial(substitutes.ask_for_substitute, use=self.use, called_off=self.called_off)
            return ask(task, present, self.knowledge, self.model, domain=domain)
        return substitutes.suggest(task, present, self.knowledge, domain=domain)

    def with_absent(self, missing: Absence) -> World:
        """Return the world with the missing object in it."""
        return self.world.with_objects(missing.thing)

    def proposal(self, missing: Absence, goal: Goal, check: Check) -> SubstituteProposal | None:
        """Return the best suggestion whose goal passes the check, for a goal that names the missing object.

        Raises:
            OutsideError: The model cannot be reached.
        """
        return next(proposals(missing, goal, self.suggestions(missing, goal), check), None)


def absence(answer: Question | Rejection, domain: Domain, vocabulary: Vocabulary) -> Absence | None:
    """Return the missing object, if an unknown name of a known class is the only problem."""
    records = answer.feedback if isinstance(answer, Rejection) else ((answer.feedback,) if answer.feedback else ())
    codes = {Code.UNKNOWN_NAME} if isinstance(answer, Rejection) else {Code.AMBIGUOUS}
    words = {word for record in records for word in record.culprits}
    if not records or len(words) != 1 or any(record.code not in codes for record in records):
        return None
    word = words.pop()
    class_name = _class_meant(word, domain, vocabulary)
    if class_name is None or vocabulary.of_class(class_name):
        return None
    name = word if re.fullmatch(r"[a-z][\w-]*\d+", word) else f"{class_name}0"
    return Absence(word, _thing(name, class_name, domain))


def named_absence(word: str, domain: Domain, vocabulary: Vocabulary) -> Absence | Presence:
    """Return the absence of a class, or the presence of its objects; an unknown class counts as absent."""
    class_name = _class_meant(word, domain, vocabulary) or "_".join(plain(word).split())
    names = vocabulary.of_class(class_name)
    if names:
        return Presence(class_name, tuple(names))
    return Absence(word, _thing(f"{class_name}0", class_name, domain))


def _class_meant(words: str, domain: Domain, vocabulary: Vocabulary) -> str | None:
    """Return the class that words name, of this world or of an ordinary household; None if it is present or unknown."""
    bare = plain(words.rstrip("0123456789"))
    head = " ".join(noun_phrase(tuple(bare.split())).head) or bare
    forms = tuple(dict.fromkeys((head, *singulars(head))))
    in_world = {plain(name): name for name in domain.classes} | {plain(k): v for k, v in vocabulary.synonyms.items()}
    known = (*(in_world.get(form) for form in forms), substitutes.known_class(head))
    class_name = next(filter(None, known), None)
    return None if class_name in vocabulary.kinds else class_name


def _thing(name: str, class_name: str, domain: Domain) -> Thing:
    if class_name in domain.classes:
        return domain.thing(name, class_name)
    known = substitutes.everyday_classes().get(class_name)
    if known is None:
        return Thing(name, class_name, frozenset(AFFORDANCES))  # its affordances are guessed later
    return Thing(name, class_name, known.affordances, known.kinds, known.words)


def task_of(missing: Thing, goal: Goal, things: Mapping[str, Thing]) -> substitutes.SubstitutionTask:
    """Return the substitution task of a goal that names the missing object."""
    formula = And(tuple(stage.formula for stage in goal.stages)) if goal.later else goal.formula
    names = {name for literal in literals(formula) for name in literal.atom.args}
    classes = {name: things[name].class_name for name in names if name in things}
    places = frozenset({missing.name} & names)
    return substitutes.SubstitutionTask(formula, missing.class_name, places, classes, goal.text)


def present_classes(things: Mapping[str, Thing], actor: str) -> Mapping[str, Sequence[str]]:
    """Return the names of the objects of each class, without agents (objects with the affordance `actor`)."""
    by_class: dict[str, list[str]] = {}
    for name, thing in sorted(things.items()):
        if actor not in thing.affordances:
            by_class.setdefault(thing.class_name, []).append(name)
    return by_class


def proposals(
    missing: Absence, goal: Goal, suggestions: substitutes.Suggestions, check: Check
) -> Iterator[SubstituteProposal]:
    """Yield proposals for the suggestions whose goal passes the check, the best first."""
    for suggestion in suggestions.ranked[:MOST_TRIED]:
        if suggestion.names:
            checked = check(with_others(goal, missing.thing.name, suggestion.names, f"{suggestion.sentence}."))
            if isinstance(checked, CheckedGoal):
                yield SubstituteProposal(missing, suggestion, checked)


def with_others(goal: Goal, name: str, others: Sequence[str], note: str) -> Goal:
    """Return a goal in which one of `others`, at most `MOST_NAMES`, replaces `name`, with a note about it."""
    tried = others[: 1 if goal.later else MOST_NAMES]  # of jobs in an order, each is done with the same one

    def with_other(formula: Formula) -> Formula:
        branches = tuple(replaced(formula, name, other) for other in tried)
        return branches[0] if len(branches) == 1 else Or(branches)

    later = tuple(replace(stage, formula=with_other(stage.formula)) for stage in goal.later)
    return replace(goal, formula=with_other(goal.formula), notes=(*goal.notes, note), later=later)


def replaced(formula: Formula, name: str, other: str) -> Formula:
    """Return a goal in which `other` replaces `name`."""
    if isinstance(formula, Atom):
        return formula.replaced({name: other})
    return rebuilt(formula, lambda part: replaced(part, name, other))
