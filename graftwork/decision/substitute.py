"""Substitutes: a goal about a missing object is rewritten with an object that is present.

The rewriting works on the goal, not on the words. First the missing object gets a name as if it were present, so that
the instruction has a goal. Then the names of substitutes replace that name in the goal, and the new goal is checked
like any other. Nothing is replaced silently: the person is asked, or reads it in the notes of the goal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from affordances import mapping, substitutes
from affordances.ontology import AFFORDANCES
from domains.model import Domain
from domains.world import World
from graftwork.decision.partial_goal import YES, GoalProposal
from graftwork.language.answers import with_answer
from semantics.body.exchange import ModelUse
from semantics.body.protocols import LanguageModel
from semantics.logic.atoms import And, Atom, Formula, Or, literals, names_in, rebuilt
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.sentences import in_words
from semantics.logic.vocabulary import Thing, Vocabulary
from semantics.plain_text import shortened, together
from semantics.words.english import PORTIONS, noun_phrase, singulars
from semantics.words.lexicon import plain

MOST_NAMES = 8  # maximum number of objects of the proposed class in a goal
MOST_TRIED = 3  # maximum number of suggestions that are checked


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
    """A proposal to use a substitute."""

    absence: Absence  # the missing object
    suggestion: substitutes.Suggestion  # the substitute
    goal: CheckedGoal  # the checked goal with the substitute

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
    """Finds substitutes; creating one costs nothing."""

    world: World  # the world
    model: LanguageModel | None = None  # the language model that is asked, as in AutoGPT+P; None to use the data
    use: ModelUse = field(default_factory=ModelUse)  # counts the requests to it
    called_off: Callable[[], object] = lambda: False  # returns whether its answer is no longer needed

    @property
    def knowledge(self) -> substitutes.Knowledge:
        """The knowledge about classes; this world's own classes come first."""
        own = mapping.ObjectAffordances.from_domain
        return self.world.remember(("knowledge",), lambda: substitutes.Knowledge(own(self.world.domain)))

    def absence(self, answer: Question | Rejection) -> Absence | None:
        """Return the missing object, if it is the reason why `answer` is no goal."""
        missing = self.absences(answer)
        return missing[0] if len(missing) == 1 else None

    def absences(self, answer: Question | Rejection) -> tuple[Absence, ...]:
        """Return the missing objects, if these are the only reasons why `answer` is no goal."""
        return absences(answer, self.world.domain, self.world.vocabulary)

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

    def with_absent(self, *missing: Absence) -> World:
        """Return the world with the missing objects in it, of several ("two eggs") with another one."""
        several = (each for each in missing if singulars(each.words) and each.words != plain(each.thing.class_name))
        others = (_thing(f"{each.thing.class_name}1", each.thing.class_name, self.world.domain) for each in several)
        return self.world.with_objects(*(each.thing for each in missing), *others)

    def proposal(self, missing: Absence, goal: Goal, check: Check) -> SubstituteProposal | None:
        """Return the best suggestion whose goal passes the check, for a goal that names the missing object.

        Raises:
            OutsideError: The model cannot be reached.
        """
        return next(proposals(missing, goal, self.suggestions(missing, goal), check), None)

    def instead_of(
        self, missing: Sequence[Absence], goal: Goal, world: World, check: Check
    ) -> SubstituteProposal | GoalProposal | None:
        """Return the proposal to do a goal of a world with what is missing, with something else or without it.

        Raises:
            OutsideError: The model cannot be reached.
        """
        named = {name for stage in goal.stages for name in names_in(stage.formula)}
        if len(missing) == 1 and missing[0].thing.name in named:
            instead = self.proposal(missing[0], goal, check)
            if instead is not None:
                return instead
        for each in missing[: MOST_TRIED if len(missing) > 1 else 0]:
            part = _without_classes(goal, {other.thing.class_name for other in missing if other is not each}, world)
            replaced_one = None if part is None else self.proposal(each, part, check)
            if replaced_one is not None and each.thing.name in named:
                return _without_missing(missing, replaced_one.goal, self.world.vocabulary)
        left = _without_classes(goal, {each.thing.class_name for each in missing}, world)
        checked = None if left is None else check(left)
        if left is None or not isinstance(checked, CheckedGoal) or checked.already:
            return None
        return _without_missing(missing, replace(checked, goal=left), self.world.vocabulary)


def absences(answer: Question | Rejection, domain: Domain, vocabulary: Vocabulary) -> tuple[Absence, ...]:
    """Return the missing objects, if unknown names of known classes are the only problem."""
    records = answer.feedback if isinstance(answer, Rejection) else ((answer.feedback,) if answer.feedback else ())
    codes = {Code.UNKNOWN_NAME} if isinstance(answer, Rejection) else {Code.AMBIGUOUS}
    if any(record.code not in codes for record in records):
        return ()
    found: dict[str, Absence] = {}
    for word in (word for record in records for word in record.culprits):
        class_name = _class_meant(word, domain, vocabulary)
        if class_name is None or vocabulary.of_class(class_name):
            return ()
        name = word if re.fullmatch(r"[a-z][\w-]*\d+", word) else f"{class_name}0"
        found.setdefault(class_name, Absence(word, _thing(name, class_name, domain)))
    return tuple(found.values())


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
    nouns = noun_phrase(tuple(bare.split())).head
    nouns = nouns[2:] if nouns[1:2] == ("of",) and nouns[0] in PORTIONS else nouns  # "a handful of nuts"
    head = " ".join(nouns) or bare
    forms = tuple(dict.fromkeys((head, *singulars(head))))
    in_world = {plain(name): name for name in domain.classes} | {plain(k): v for k, v in vocabulary.synonyms.items()}
    known = (*(in_world.get(form) for form in forms), substitutes.known_class(head))
    class_name = next(filter(None, known), None)
    if class_name is None and len(nouns) == 2 and in_world.get(nouns[1]):
        return "_".join(nouns)  # a yellow mug, where the mugs are green
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


def _without_missing(missing: Sequence[Absence], checked: CheckedGoal, vocabulary: Vocabulary) -> GoalProposal:
    """Return the proposal to reach a goal without what is missing, which the goal does not name."""
    words = " and no ".join(plain(each.thing.class_name) for each in missing)
    lacking = f"There is no {words} here"
    goals = " and then ".join(in_words(stage.formula, vocabulary.predicates) for stage in checked.goal.stages)
    text = f"{lacking}. Would this do without it: {goals}?"
    why = Feedback(Code.QUESTION, f"'{shortened(words)}'", "it is not here", text, (missing[0].words,))
    noted = replace(checked.goal, notes=(*checked.goal.notes, f"{lacking}, so it is done without."))
    return GoalProposal(replace(checked, goal=noted), Question(text, (YES, "no"), why))


def _without_classes(goal: Goal, classes: Collection[str], world: World) -> Goal | None:
    """Return a goal without the facts about things of some classes; None if there are no others."""
    absent = {name for name, thing in world.objects.items() if thing.class_name in classes}
    left = [(stage, _without(stage.formula, absent)) for stage in goal.stages]
    kept = [replace(stage, formula=formula, later=()) for stage, formula in left if formula is not None]
    return replace(kept[0], text=goal.text, notes=goal.notes, later=tuple(kept[1:])) if kept else None


def _without(formula: Formula, names: Collection[str]) -> Formula | None:
    if isinstance(formula, And):
        parts = tuple(part for each in formula.parts if (part := _without(each, names)) is not None)
        return parts[0] if len(parts) == 1 else And(parts) if parts else None
    return None if any({*literal.atom.args} & {*names} for literal in literals(formula)) else formula
