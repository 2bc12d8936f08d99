"""Answers to queries, computed from what is believed and from what was done, and told with source and age.

The world is closed only for what a sensing could have seen: a fact that nobody states and nothing has sensed is
unknown, and so is a condition that hangs on it (Kleene's logic of three values). Without a body the file of the scene
is complete, but for relations, which it leaves to sensing. Nothing moves, and no model is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from affordances.confidence import SAID_SECONDS, time_ago
from affordances.scene import ASSUMED, SENSED, TOLD, WRITTEN, Belief, computed_predicates
from domains.capability import Capability
from graftwork.decision.context import DecisionContext
from graftwork.decision.exploration import last_seen
from graftwork.decision.model import Doings
from graftwork.language.formal_goal import quantified
from graftwork.record.episode import Outcome
from planning.problem.grounding import actors
from semantics.errors import UnknownNameError, UsageError, known_name
from semantics.logic.atoms import (
    And,
    Atom,
    Exists,
    ForAll,
    Formula,
    Literal,
    Not,
    Or,
    Variable,
    dnf,
    literals,
    names_in,
    walked,
)
from semantics.logic.attribute_goals import known_values
from semantics.logic.conditions import TRUE, bindings, bounded, expanded
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Rejection
from semantics.logic.goal_check import name_errors
from semantics.logic.reply import OwnQuery, Query, QueryKind
from semantics.logic.sentences import pddl_in_words
from semantics.logic.state import Operator, Plan, State
from semantics.logic.vocabulary import Predicate, Thing
from semantics.plain_text import shortened, together

SOURCES = {TOLD: "told {ago}, not sensed", ASSUMED: "assumed {ago}, not sensed", WRITTEN: "as the scene file says"}
MOST_TOLD = 3  # how many facts are told beside the things that a condition means
MOST_SHOWN = 6  # how many facts that decide whether a condition holds are told, or else `MOST_TOLD` of them
NOTHING_DONE = "nothing that I have done here is about that"
MOST_HEARD = 5  # how many instructions are told
OF_SOME = frozenset({QueryKind.ABLE, QueryKind.HOLDS, QueryKind.WHY, QueryKind.DONE})
"""The kinds that ask of some thing where a condition has the variable ``?x``."""
PROVED = frozenset({Code.NO_PLAN, Code.WRONG_AFFORDANCE, Code.CONTRADICTION})
"""Reasons that prove that something cannot be."""
_IS_THERE = re.compile(r"\b(?:is|are) there (?:any|anything|anybody|another|others?|some|something)\b", re.IGNORECASE)


class KnownFact(NamedTuple):
    """A fact, whether it holds (None: not known), and the belief that says so, if one does."""

    fact: Atom
    truth: bool | None = None
    belief: Belief | None = None


class Answered(NamedTuple):
    """An answer in words, with source and age, and as data; `things` is None, or holds what is known to be meant.

    `yes` is None where it is not asked or not known; of `unknown` things it is not known whether they are meant. What
    it is `about` begins with what is meant.
    """

    text: str
    yes: bool | None = None
    things: tuple[str, ...] | None = None
    unknown: tuple[str, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    steps: tuple[Operator, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    about: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; of a fact also from where it is known, and when it was sensed."""
        told = {"steps": [str(step) for step in self.steps], "feedback": [each.as_dict() for each in self.feedback]}
        told["facts"] = [
            {"fact": str(fact), "holds": truth, "source": belief and belief.source, "last_seen": belief and belief.seen}
            for fact, truth, belief in self.facts
        ]
        return self._asdict() | told | {"count": None if self.things is None else len(self.things)}


def answer_query(
    query: Query, context: DecisionContext, state: State, doings: Doings | None, words: str = ""
) -> Answered | Rejection:
    """Answer a query from the believed state and the doings of a run; return what is wrong with its names.

    A query for things is the question whether there are any, where the `words` that it was made of ask that.

    Raises:
        OutsideError: The planner or Prolog is not available; both are asked only why or whether a fact can be.
    """
    try:
        asking = _Asking(query, context, state, doings or Doings())
        kinds: Mapping[QueryKind | OwnQuery, Callable[[], Answered]] = {
            QueryKind.WHERE: asking.where,
            QueryKind.HOLDS: asking.holds,
            QueryKind.WHY: asking.why,
            QueryKind.ABLE: asking.able,
            QueryKind.DONE: asking.done,
            QueryKind.NEXT: asking.next,
            OwnQuery.THERE: asking.there,
            OwnQuery.WAS: asking.was,
            OwnQuery.KNOWN: asking.facts,
            OwnQuery.REMEMBER: asking.remembered,
            OwnQuery.MISREAD: asking.misread,
        }
        if query.asked is QueryKind.WHICH and _IS_THERE.search(words):
            query = replace(query, asked=OwnQuery.THERE)
        answer = kinds.get(query.asked, asking.found)
        errors = asking.errors()
        if errors:
            return Rejection(errors)
        told = answer()
        return told._replace(about=asking.about(told))
    except UsageError as error:
        code = Code.UNKNOWN_NAME if isinstance(error, UnknownNameError) else Code.NOT_UNDERSTOOD
        return Rejection((Feedback(code, "the query", str(error), culprits=query.about),))


class _Asking:
    """One query: `that` is its condition, `groups` are the things that each of its names means."""

    def __init__(self, query: Query, context: DecisionContext, state: State, doings: Doings) -> None:
        self.query, self.context, self.state, self.doings = query, context, state, doings
        self.domain, self.senses, self.objects = context.domain, context.senses, context.world.objects
        self.robot = None if context.environment is None else context.environment.robot
        self.now = 0.0 if self.robot is None else self.robot.clock.now()
        self.seen = {} if self.senses is None else self.senses.sightings
        self.sayings = {name: f"the {name} of {{0}} is {{1}}" for name in self.domain.attributes}
        self.sayings |= {**self.domain.sayings["actions"], **self.domain.sayings["facts"]}
        verbs = (context.world.unlimited or self.domain).capabilities.values()
        self.verbs = {name: verb for verb in verbs for name in (verb.name, *verb.aliases)}
        sorts = {"object", *self.domain.classes, *self.domain.kinds, *self.domain.affordances}
        values = {name: [*each.values] for name, each in self.domain.attributes.items()}
        for name in query.about:
            known_name("thing, class or capability", name, {*self.objects, *sorts, *self.verbs, *values})
        that = query.that or TRUE
        if query.asked in OF_SOME and "?x" in names_in(that):  # of some thing
            sort = next((name for name in query.about if name in sorts), "object")
            that = Exists((Variable("x", sort),), that)
        self.asked, self.ranges = quantified(that, self.domain, self.objects)
        self.that = bounded(self.asked, self.ranges)
        sets = {name: [each["?x"] for each in bindings((Variable("x", name),), self.ranges)] for name in query.about}
        sets = {name: among or values.get(name) or [name] * (name in self.objects) for name, among in sets.items()}
        self.groups = {name: among for name, among in sets.items() if name not in self.verbs}
        needed: Mapping[QueryKind | OwnQuery, object] = {QueryKind.WHERE: self.groups, QueryKind.HOLDS: query.that}
        if not needed.get(query.asked, True):
            raise UsageError("it says nothing to look for in 'about', or nothing that may hold in 'that'")
        placing = self.domain.conventions.placing
        self.places = {atom.args[0]: atom for atom in sorted(state.atoms) if atom.predicate in placing}

    def about(self, told: Answered) -> tuple[str, ...]:
        """Return what an answer is about, for what is said next: what is meant, if that is one thing, and its place."""
        facts = [*(atom for atom, _ in literals(self.that)), *(known.fact for known in told.facts)]
        meant = told.things or [name for name in self.query.about if name in self.objects]
        subjects = {*meant} or {name for fact in facts for name in fact.args[:1]}
        named = (
            *(subjects if len(subjects) == 1 else ()),
            *told.about,
            *(name for fact in facts for name in fact.args[1:]),
        )
        return tuple(name for name in dict.fromkeys(named) if name in self.objects)

    def errors(self) -> tuple[Feedback, ...]:
        own, known = self.domain.attributes.values(), self.context.vocabulary
        things = {value: Thing(value, "", frozenset()) for each in own for value in each.values} | {**self.objects}
        predicates = {each.name: Predicate(each.name, ("object", "object"), "") for each in own}
        predicates |= {name: replace(each, goal=True) for name, each in known.predicates.items()}
        every = name_errors(Goal(self.that), replace(known, predicates=predicates, things=things), {})
        return tuple(error for error in every if not error.culprits[0].startswith("?"))

    def ground(self, formula: Formula, **names: str) -> Formula:
        ground = expanded(formula, self.ranges, {f"?{key}": name for key, name in names.items()})
        named = (name for literal in literals(ground) for name in literal.atom.args)
        if free := [name for name in named if name.startswith("?")]:
            raise UsageError(f"{free[0]} stands in the condition without a forall or exists around it")
        return ground

    def judge(self, formula: Formula) -> tuple[bool | None, tuple[KnownFact, ...]]:
        """Return whether a ground condition holds, and the facts that decide it."""
        if isinstance(formula, Atom):
            known = self.known(formula)
            return known.truth, (known,)
        if isinstance(formula, Not):
            truth, facts = self.judge(formula.part)
            return None if truth is None else not truth, facts
        if not isinstance(formula, And | Or):
            raise UsageError(f"{formula} compares numbers, and queries are about facts")
        judged, deciding = [self.judge(part) for part in formula.parts], isinstance(formula, Or)
        truths = {truth for truth, _ in judged}
        truth = deciding if deciding in truths else None if None in truths else not deciding
        return truth, tuple(known for each, facts in judged if each is truth for known in facts)

    def known(self, fact: Atom) -> KnownFact:
        """Return what is known of a fact."""
        senses, attribute, written = self.senses, self.domain.attributes.get(fact.predicate), Belief(fact, WRITTEN)
        if fact in self.state.atoms:
            return KnownFact(fact, True, written if senses is None else senses.scene.beliefs.get(fact))
        if attribute is not None:
            values = known_values(attribute, fact.args[0], self.objects, self.state)
            return KnownFact(fact, fact.args[1] in values if values else None, written)
        if not self.domain.takes(fact, self.objects):
            return KnownFact(fact, False)
        if senses is None or self.robot is None:
            return KnownFact(fact, None if fact.predicate in self.domain.on_demand else False, written)
        if fact.predicate in computed_predicates(self.domain):  # what nobody knows does not follow either
            return KnownFact(fact, self.robot.observation().told.get(fact), Belief(fact, SENSED, self.now))
        (told_at, _, source), at = senses.last_told(fact), senses.decided_at(fact)
        sensed = Belief(fact, source, told_at) if told_at > at else Belief(fact, SENSED, at)
        return KnownFact(fact, senses.sensed(Literal(fact)), written if max(told_at, at) < 0.0 else sensed)

    def source(self, known: KnownFact) -> str:
        """Return in words from where something is known, and since when; empty if it is not known."""
        belief = known.belief
        if known.truth is None or belief is None:
            return "" if known.truth is None else " (that follows from what is known)"
        age = self.now - (belief.since if belief.seen is None else belief.seen)
        ago = "just now" if age < 1.0 else time_ago(age)
        if belief.source == SENSED:
            return f" (seen {ago})" if age < SAID_SECONDS else f" (I believe, last seen {ago})"
        text = SOURCES.get(belief.source, f"I believe: {belief.source}; nobody has looked yet")
        return f" ({text.replace('{ago}', ago)})"

    def sentence(self, known: KnownFact) -> str:
        sentence, first = self.words(known.fact), " ".join(known.fact.args[:1])
        if known.truth is not False:
            return sentence if known.truth else f"it is not known whether {sentence}"
        subjects = (first, f"the {known.fact.predicate} of {first}", "there")
        plain = next((subject for subject in subjects if sentence.startswith(f"{subject} is ")), "")
        return f"{plain} is not{sentence.removeprefix(f'{plain} is')}" if plain else f"it is not so that {sentence}"

    def tell(self, facts: Iterable[KnownFact]) -> str:
        groups = groupby(dict.fromkeys(facts), self.source)
        return "; ".join(f"{'; '.join(map(self.sentence, group))}{source}" for source, group in groups)

    def words(self, text: object) -> str:
        return pddl_in_words(str(text), self.sayings)

    def facts_of(self, name: str, but: Container[Atom] = ()) -> list[KnownFact]:
        out = computed_predicates(self.domain)
        atoms = (atom for atom in sorted(self.state.atoms) if name in atom.args and atom.predicate not in out)
        return [self.known(atom) for atom in atoms if atom not in but]

    def where(self) -> Answered:
        """Answer in or on what things are, and where that is; or else what is known of them."""
        known, lost = list[KnownFact](), [f"no {name} is known here" for name in self.groups if not self.groups[name]]
        for name in dict.fromkeys(each for group in self.groups.values() for each in group):
            chain, here = list[Atom](), name
            while (atom := self.places.get(here)) and atom not in chain:
                chain.append(atom)
                here = atom.args[1]
            known += map(self.known, chain) if chain else self.facts_of(name, but=self.places.values())
            lost += [] if chain else [self.position(name)]
        return answered(self.tell(known), *lost, facts=tuple(dict.fromkeys(known)))

    def position(self, name: str) -> str:
        if self.senses is not None and name in self.seen:
            x, y, z = self.seen[name].box.centre
            return f"the middle of {name} is at ({x:.2f}, {y:.2f}, {z:.2f}) m"
        last = "" if self.senses is None else last_seen(name, self.senses)
        return last or f"it is not known on or in what {name} is"

    def found(self) -> Answered:
        """Answer what, which and how many; without a condition, a thing among the names is where they are."""
        names, that = self.domain.conventions, self.that
        places = [name for name in self.groups if name in self.objects] if self.query.that is None else []
        if places:
            inside = {*names.resting, names.inhand, names.liquid_in} & self.domain.predicates.keys()
            that = Or(tuple(Atom(name, ("?x", place)) for name in sorted(inside) for place in places))
        sorts = [group for name, group in self.groups.items() if name not in places] or [[*self.objects]]
        among = sorted({name for group in sorts for name in group})
        judged = {name: self.judge(self.ground(that, x=name)) for name in among}
        if self.seen and that == TRUE:  # a thing of the files that nobody has seen is not counted
            there = {name: (self.known(self.places[name]),) for name in judged if name in self.places}
            judged = {name: (name in there or name in self.seen or None, there.get(name, ())) for name in judged}
        things, unknown = (tuple(name for name in judged if judged[name][0] is truth) for truth in (True, None))
        facts = [fact for name in things for fact in judged[name][1]]
        groups = groupby(things, lambda name: "".join(dict.fromkeys(map(self.source, judged[name][1]))))
        told = ", ".join(f"{together(group)}{source}" for source, group in groups)
        facts = facts or [fact for place in places for fact in self.facts_of(place)]
        texts = [f"{len(things)}: {told}"] if things else ["none that I know of", self.tell(facts)]
        if things and self.query.that is not None and len(facts) <= MOST_TOLD:
            texts.append(self.tell(facts))
        left = unknown[MOST_TOLD if len(unknown) > MOST_SHOWN else MOST_SHOWN :]
        some = (*unknown[: len(unknown) - len(left)], *([f"{len(left)} more"] if left else []))
        texts += [f"of {together(some)} it is not known"] if unknown else []
        shut = [name for name, thing in self.objects.items() if thing.affords((names.open, names.contain))]
        texts.append(self.unlooked(that, shut if names.open else ()))
        return answered(*texts, things=things, unknown=unknown, facts=tuple(dict.fromkeys(facts)))

    def facts(self) -> Answered:
        """Answer what is known of things."""
        known = {name: self.facts_of(name) for group in self.groups.values() for name in group}
        told = (f"of {name} I know: {self.tell(facts) or 'nothing'}" for name, facts in known.items())
        return answered(*told, facts=tuple(dict.fromkeys(fact for facts in known.values() for fact in facts)))

    def there(self) -> Answered:
        """Answer whether there is such a thing."""
        told = self.found()
        return told._replace(text=f"yes, {told.text}", yes=True) if told.things else told

    def was(self) -> Answered:
        """Answer where things were before they were last moved, or where they are."""
        steps = [*self.doings.earlier, *self.doings.done]
        told, places = list[str](), list[str]()
        for name in dict.fromkeys(each for group in self.groups.values() for each in group):
            left = ((step, at, fact) for step, at in reversed(steps) for fact, holds in step.effects if not holds)
            placed = (each for each in left if each[2].predicate in self.domain.conventions.resting)
            found = next((each for each in placed if each[2].args[0] == name), None)
            if found is None:
                told += [f"I have not moved {name}"]
            else:
                places += found[2].args[1:]
                past = self.words(found[2]).replace(" is ", " was ", 1)
                told += [f"{past}, before {self.words(found[0])} ({time_ago(self.now - found[1])})"]
        return answered(*told, about=tuple(places)) if told else self.where()

    def remembered(self) -> Answered:
        """Answer what was said before, and how much the memory holds."""
        turns = [turn for turn in self.context.turns if turn.words and turn.outcome != Outcome.ANSWERED]
        heard = [f"'{shortened(turn.words)}' ({turn.outcome})" for turn in turns[-MOST_HEARD:]]
        told = f"the last that I heard: {', '.join(heard)}" if heard else "I was told nothing yet in this session"
        count = None if self.context.memory is None else len(self.context.memory.list())
        return answered(told, "I keep no memory of runs" if count is None else f"my memory holds {count} runs")

    def misread(self) -> Answered:
        """Answer which words were refused last, and why."""
        refused = [turn for turn in self.context.turns if turn.outcome == Outcome.REFUSED]
        told = [f"'{shortened(turn.words)}': {turn.reply}" for turn in refused[-MOST_TOLD:]]
        return answered(*told or ["nothing that was said in this session was refused"])

    def unlooked(self, formula: Formula, others: Iterable[str] = ()) -> str:
        """Return which places of a condition were not seen as a whole, or not lately; of one without, which others."""
        names, senses = self.domain.conventions, self.senses
        if senses is None or not self.seen or not names.in_:
            return ""
        rest = {each.atom.args[1] for each in literals(formula) if each.atom.predicate in names.resting}
        places = {*self.objects} & rest or (others if rest or formula == TRUE else ())
        looked = {name: senses.decided_at(Atom(names.in_, ("", name))) for name in sorted(places)}
        late = {name: "lately " * (at >= 0.0) for name, at in looked.items() if self.now - at >= 1.0}
        old = [f"{name} was not {lately}seen as a whole" for name, lately in late.items()]
        return f"what else is there is not known: {together(old)}" if old else ""

    def holds(self) -> Answered:
        """Answer whether the condition holds; if not, or if that is not known, also where its things are."""
        truth, facts = self.judge(self.ground(self.that))
        quantified_by = {(type(part), sign) for part, sign in walked(self.asked)}
        is_open = quantified_by & ({(Exists, False)} if truth else {(Exists, True), (ForAll, False)})
        hidden = self.unlooked(self.asked) if is_open else ""
        truth = None if hidden else truth  # what no file lists may be there
        subjects = sorted({name for known in facts for name in known.fact.args[:1] if not truth})
        told = dict.fromkeys((*facts, *(self.known(self.places[name]) for name in subjects if name in self.places)))
        lead = "I do not know" if truth is None else "yes" if truth else "no"
        shown = list(told)[: len(told) if len(told) <= MOST_SHOWN else MOST_TOLD]
        more = f"and so with {len(told) - len(shown)} more" if len(told) > len(shown) else ""
        return answered(
            f"{lead}: {self.tell(shown) or hidden}", more, hidden * bool(shown), yes=truth, facts=tuple(told)
        )

    def why(self) -> Answered:
        """Answer what the last step of that sort was for; or of what was not done, why it failed or cannot be."""
        doings, ground = self.doings, self.ground(self.that)
        wanted = {*literals(ground)}
        names = {*self.query.about, *(arg for literal in wanted for arg in literal.atom.args)}
        begun = [*(step for step, _ in (*doings.earlier, *doings.done) if names), *doings.running]
        ways = dnf(ground)
        asked = [
            number
            for number, step in enumerate(begun)
            if self.is_about(step) and any(way <= step.effects for way in ways)
        ]
        if asked:
            step, *later = (*begun, *doings.left)[asked[-1] :]
            use = [f"so that later: {self.words(each)}" for each in later if each.precondition & step.effects]
            goal = f"the goal is: {self.words(doings.goal)}" if doings.goal else ""
            return answered(self.words(step), *use[:1], goal, steps=(step,))
        reasons = tuple(each for each in doings.failures if not names or any(name in str(each) for name in names))
        if wanted and not reasons:
            told = self.reach()
            return answered(NOTHING_DONE, self.holds().text) if told.yes else told
        none = "nothing that I did is about that" if names else "no step is under way"
        return answered(*map(self.words, reasons), doings.ended or none, feedback=reasons)

    def is_about(self, step: Operator) -> bool:
        return {*self.query.about} <= {step.action.name, *step.action.args}

    def done(self) -> Answered:
        """Answer what the last run did, or whether and when a step of any run made the condition true."""
        if self.that != TRUE:
            return self.made()
        rows = [(step, at) for step, at in self.doings.done if self.is_about(step)]
        told = [f"{self.words(step)} ({time_ago(self.now - at)})" for step, at in rows] or ["nothing was done"]
        return answered(*told, *self.doings.said, self.doings.ended, steps=tuple(step for step, _ in rows))

    def made(self) -> Answered:
        doings, ground = self.doings, self.ground(self.that)
        ways, begun = dnf(ground), (*doings.earlier, *doings.done)
        now = self.tell(self.judge(ground)[1][:MOST_TOLD])

        def rows(steps: Sequence[tuple[Operator, float]]) -> list[tuple[Operator, float]]:
            made = frozenset(effect for step, _ in steps for effect in step.effects)
            done = frozenset[Literal]().union(*(way for way in ways if way <= made))
            return [(step, at) for step, at in steps if done & step.effects]

        if own := rows(begun):
            lead = "yes: " * ("?x" not in names_in(self.query.that or TRUE))
            told = [f"{self.words(step)} ({time_ago(self.now - at)})" for step, at in own]
            return answered(
                f"{lead}{told[0]}", *told[1:], yes=True if lead else None, steps=tuple(step for step, _ in own)
            )
        if later := rows([(step, 0.0) for step in (*doings.running, *doings.left)]):
            told = [self.words(step) for step, _ in later]
            return answered(
                f"not yet; that is still to come: {told[0]}",
                *told[1:],
                yes=False,
                steps=tuple(step for step, _ in later),
            )
        if any(literal.atom.predicate in self.domain.on_demand for literal in literals(ground)):
            return answered("I do not know", now)
        return answered(f"no, {NOTHING_DONE}", now, yes=False)

    def next(self) -> Answered:
        doings = self.doings
        if doings.ended:
            return answered("nothing is left to do", doings.ended)
        steps = (*doings.running, *doings.left)
        told = [self.words(each) for each in (*steps, *doings.later)] or ["what comes next is not decided yet"]
        return answered("; then ".join(told), steps=steps)

    def able(self) -> Answered:
        """Answer whether the condition can be reached, or which of the named actions, or of all, suit the things."""
        if self.query.that is not None:
            return self.reach()
        asked = [self.verbs[name] for name in self.query.about if name in self.verbs]
        rows = [(each, doer) for each in asked or self.domain.capabilities.values() for doer in self.doers(each)]
        own = [each for each, doer in rows if doer == self.context.vocabulary.robot]
        lead = ("yes: " if own else "no, but: " if rows else "no: ") * bool(asked)
        filled = ((verb, [doer][verb.agentless :], verb.parameters[not verb.agentless :]) for verb, doer in rows)
        texts = (f"({' '.join((verb.name, *who, *('something' for _ in rest)))})" for verb, who, rest in filled)
        told = "; ".join(dict.fromkeys(map(self.words, texts))) or "nobody here can do that"
        return answered(lead + told, yes=bool(own) if asked else None)

    def doers(self, verb: Capability) -> list[str]:
        """Return who can do an action with a thing of each name; nobody if something that it needs is not there."""
        things = self.objects.items()
        fit = [{name for name, thing in things if thing.affords(part.affordances)} for part in verb.parameters]
        groups = self.groups.values()
        suits = all(fit) and all(any(one & {*group} for one in fit[not verb.agentless :]) for group in groups)
        if (classes := actors(self.domain, verb)) is None:
            return [self.context.vocabulary.robot] * (suits and verb.name in self.domain.capabilities)
        return [name for name, thing in things if suits and thing.class_name in classes]

    def reach(self) -> Answered:
        """Answer whether the condition can be reached, and how, or why not."""
        goal = Goal(self.ground(self.that))
        state = self.context.knowing(self.state, goal)
        checked = self.context.check(goal, state)
        if not isinstance(checked, Rejection) and checked.already:
            return self.holds()
        plan = checked if isinstance(checked, Rejection) else self.context.plans.found(checked, state)
        if isinstance(plan, Plan):
            agents = {step.command.agent for step in plan.steps if step.command is not None}
            others = sorted(agents & {*self.objects} - {self.context.vocabulary.robot})
            lead = f"no, not alone; with {together(others)} it can be done" if others else "yes, it can be done"
            return answered(f"{lead}: {'; '.join(map(self.words, plan.steps))}", yes=not others, steps=plan.steps)
        reasons = plan.feedback if isinstance(plan, Rejection) else (plan.feedback,)
        yes = False if PROVED.issuperset(reason.code for reason in reasons) else None
        lead = "I do not know" if yes is None else "no"
        lead += ", it cannot be that" * (yes is False and reasons[0].what.startswith("("))
        return answered(f"{lead}: {' '.join(map(self.words, reasons))}", yes=yes, feedback=reasons)


def answered(*texts: str, **data: Any) -> Answered:
    """Return an answer whose text is joined from parts."""
    return Answered(f"{'; '.join(text.rstrip('.') for text in texts if text)}.", **data)
