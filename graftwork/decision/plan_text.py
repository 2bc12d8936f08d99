"""`decide_plan`: from a plan that somebody says to one that works, with as many of its steps as can be kept.

A line is read in the state that the lines before it lead to: PDDL, a call, ``get(cup0, table0)``, or a phrase. What
cannot be done there is mended by the repair rules of the world, else by the cheapest steps to where it can be done;
what is done already, or never can be, is left out. What the goal lacks at the end is planned, and a line after which
it cannot be reached any more is left out as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, permutations, product
from math import prod
from typing import NamedTuple

from bt.recovery import Mended, RepairSearch
from bt.recovery.obstacles import acting_parameters
from domains.problem import Problem
from graftwork.decision.context import DecisionContext
from graftwork.decision.large_goal import after
from graftwork.decision.model import FinalDecision, PlanDecision
from graftwork.language.formal_goal import formal_goal
from graftwork.record.episode import Outcome
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.hints import hint
from semantics.logic.atoms import And, Conjunct, Literal, conjunction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Rejection
from semantics.logic.parsing import Group, parse_sexprs, text_of
from semantics.logic.place_value import ActionValue
from semantics.logic.quantity import QuantityError
from semantics.logic.reply import PlanText, ProgramText
from semantics.logic.state import Action, Operator, Plan, State
from semantics.plain_text import together
from semantics.words.english import singulars
from semantics.words.lexicon import Lexicon

BEFORE = re.compile(r"^(?:\s*(?:\[[^\]]*\]|(?:step )?\d+\s?[.):]|[-*•]\s|```.*|(?:and|then|next|finally)\b,?))*", re.I)
ASIDE = re.compile(r"(?:^|\s)(?:#|//|;|--).*$|(?<=\S )(\S+)\s\([^()]*\)\W*$")
MARKS = "\"'`.,;:!?()[]{}<>*"
FILLER = re.compile(
    r"the|an?|from|(in|on)?to|in|on|top|at|with|using|by|of|off|out|up|down|and|i|robot|((left|right)_)?hand(_(left|right))?"
    r"|left|right|arm|,|\d+(\.\d+)?(_?(%|ml|cl|l|g|s|dosis|portions?|pieces?|liters?))?"
)
"""What is left out where it names nothing: an amount, or the hand of a robot that has but one."""
NUMBER = re.compile(r"_?\d+$")
MOST_WORDS, MOST_WAYS = 4, 10_000  # how many words a name or a verb has, and in how many ways a line is completed
ALIKE = (
    *("put place putin putdown setdown insert add drop stack placeontop move", "open opendoor unscrew uncap"),
    *("get take grasp grab pick pickup takeout fetch lift unstack", "close closedoor shut screw cap", "pour pourmix"),
    *("switchon switchoff turnon turnoff fingerpush push", "move go goto drive", "gaze look lookat glance glanceat"),
)
"""Verbs that are used for each other; the things decide which is meant."""
CALL = re.compile(r"(?<![\w(-])([a-z][\w-]*)\(([^()]*)\)", re.IGNORECASE)
AFTER_GOAL = re.compile(r"\b(?:objects?|things) needed|\bstate\b|\bremaining\b", re.IGNORECASE)
Lines = Mapping[int, str]


class _Part(NamedTuple):
    """What becomes of a line: the step it says, the steps that are done for it, and the state after them."""

    number: int
    said: Operator
    steps: tuple[Operator, ...]
    state: State


def decide_plan(
    context: DecisionContext, plan_text: PlanText, state: State, goal: Goal | None = None
) -> PlanDecision | FinalDecision:
    """Return the plan that a text says, mended where it has to be, or why there is none.

    The goal is the one given, or that of the brief, in PDDL or as facts. Else it is inferred: what the said steps make
    true, no later step needs, and holds at the end, but not at the start. Then each line has to be readable. Where no
    fact says what a step is for, as of a motion of the hand or a turn on the spot, the steps are a program.

    Args:
        context: The services that the decision uses.
        plan_text: The plan, and the brief before it.
        state: The believed state.
        goal: What the plan is for, without `later` goals.

    Raises:
        OutsideError: The planner or Prolog is not available.
    """
    lines = dict(enumerate("\n".join(plan_text.lines).splitlines(), 1))
    goal, state = goal or _goal_in(plan_text.brief, context), context.plans.problem(state, frozenset()).closed
    said, unread = _followed(lines, context, state)
    if goal is None:
        purpose = _purpose(said, context, state)
        if unread or not purpose:
            idle = Feedback(Code.INVALID_PLAN, "the plan", "nothing is otherwise at its end")
            return _steps_done(said, unread, context) or FinalDecision.refused(*unread or [idle])
        goal = Goal(conjunction(purpose), notes=("The goal is what the steps of the plan are for.",))
    state = context.knowing(state, goal)
    checked = context.check(goal, state)
    if isinstance(checked, Rejection):
        return FinalDecision.refused(*checked.feedback, goal=goal)
    if checked.already:
        already = FinalDecision(Outcome.ALREADY, "That is already so.", (), checked)
        return _steps_done(said, unread, context) or already
    reached = _reached(lines, said, checked, context, state)
    if isinstance(reached, NoPlan):
        return FinalDecision.refused(reached.feedback, *unread, goal=checked)
    parts, rest = reached
    steps = tuple(step for part in parts for step in part.steps) + rest.steps
    plan = context.plans.admitted(Plan(steps, rest.goal, planner="as said"), state)
    if isinstance(plan, Feedback):
        return FinalDecision.refused(plan, goal=checked)
    spoilt = sorted({part.number for part in said} - {part.number for part in parts})
    kept = sum(part.said.action in {step.action for step in part.steps} for part in parts)
    told = [f"Left out: {feedback}" for feedback in unread]
    told += [f"Line {number} is left out: after it, the goal cannot be reached." for number in spoilt]
    for part in parts:
        done = together(map(str, part.steps)) or f"left out: {part.said} is done already"
        told += [] if part.steps == (part.said,) else [f"Line {part.number} is {done}."]
    told += [f"Added at the end: {together(map(str, rest.steps))}."] if rest.steps else []
    notes = (*goal.notes, *told, f"{kept} of {len(said) + len(unread)} steps are kept as said.")
    return PlanDecision(replace(checked, goal=replace(goal, notes=notes)), plan, state)


def _steps_done(parts: Sequence[_Part], unread: Sequence[Feedback], context: DecisionContext) -> FinalDecision | None:
    """Return the decision to do steps of which one has values, or changes no fact; None where none does."""
    steps = [step for part in parts for step in part.steps]
    if unread or not any(step.action.values or not step.effects for step in steps):
        return None
    from graftwork.decision.program import decide_program  # the compiler, for such steps only

    calls = []
    for action in (step.action for step in steps):
        acting = acting_parameters(context.domain.capabilities[action.name])
        args = [name for at, name in enumerate(action.args) if at not in acting]
        args += [f'{name}="{value}"' for name, value in action.values]
        calls.append(f"{action.name}({', '.join(args)})")
    return decide_program(context, ProgramText("\n".join(calls)))


def _goal_in(brief: str, context: DecisionContext) -> Goal | None:
    """Return the goal that a brief has in PDDL or as facts; None when it has none, or one in words."""
    said = CALL.sub(lambda call: f"({call[1]} {call[2].replace(',', ' ')})", AFTER_GOAL.split(brief)[0])
    known = {"and", "or", "not", "forall", "exists", *context.domain.predicates}
    try:
        groups = [text_of(node) for node in parse_sexprs(said) if isinstance(node, Group) and node.head in known]
        return formal_goal(f"(and {' '.join(groups)})", context.domain, context.world.objects) if groups else None
    except UsageError:
        return None


def _followed(lines: Lines, context: DecisionContext, state: State) -> tuple[list[_Part], list[Feedback]]:
    """Return what becomes of each line, and why some cannot be read."""
    parts, unread, it = list[_Part](), list[Feedback](), "it"
    for number, text in lines.items():
        step = read_line(re.sub(r"\bit\b", it, text), context.plans.problem(state, frozenset()))
        if isinstance(step, Feedback):
            unread.append(replace(step, what=f"line {number}, {step.what}"))
        elif step is not None:
            steps = _mended(step, context, state)
            if steps is None:
                why = f"{' '.join(map(str, step.missing(state)))} does not hold there, and cannot be made so"
                unread.append(Feedback(Code.PRECONDITION, f"line {number}, {step}", why))
                continue
            state = after(context, Plan(steps, frozenset()), state)
            parts.append(_Part(number, step, steps, state))
            acting = acting_parameters(context.domain.capabilities[step.action.name])
            it = next((name for at, name in enumerate(step.action.args) if at not in acting), it)
    return parts, unread


def _mended(step: Operator, context: DecisionContext, state: State) -> tuple[Operator, ...] | None:
    """Return the steps that do a step in a state, which are none when it is done already; None if it cannot be done."""
    if step.applicable(state) or (step.effects and state.satisfies(step.effects)):
        return (step,) if step.applicable(state) else ()
    problem = context.plans.problem(state, frozenset())
    by_rules = RepairSearch(context.domain.repairs).mend((step,), problem)
    if isinstance(by_rules, Mended):
        return tuple(problem.ground(each.action) for each in by_rules.steps)
    found = context.plans.found(CheckedGoal(Goal(And(())), (step.precondition,)), state)
    is_ready = isinstance(found, Plan) and step.applicable(after(context, found, state))
    return (*found.steps, step) if isinstance(found, Plan) and is_ready else None


def _purpose(parts: Sequence[_Part], context: DecisionContext, start: State) -> Conjunct:
    """Return what the said steps are for, see `decide_plan`; of a step that makes something true, only that."""
    needed = {literal for part in parts for step in part.steps for literal in step.precondition}
    names = {name for name, model in context.domain.predicates.items() if model.predicate.goal}
    meant, state = set[Literal](), start
    for step, is_said in ((step, step.action == part.said.action) for part in parts for step in part.steps):
        then = step.apply(state)
        made = {Literal(atom) for atom in then.atoms - state.atoms}
        meant |= (made or {Literal(atom, False) for atom in state.atoms - then.atoms}) if is_said else set()
        state = then
    held = (each for each in meant - needed if state.holds(each) and not start.holds(each))
    return frozenset(each for each in held if each.atom.predicate in names - context.domain.derived.keys())


def _reached(
    lines: Lines, parts: list[_Part], goal: CheckedGoal, context: DecisionContext, state: State
) -> tuple[list[_Part], Plan] | NoPlan:
    """Return what becomes of each line, and the plan from there to the goal; or why it cannot be reached at all."""
    why: NoPlan
    for at in range(len(parts), -1, -1):
        end = parts[at - 1].state if at else state
        held = next(filter(end.satisfies, map(context.plans.decided, goal.conjuncts)), None)
        rest = context.plans.found(goal, end) if held is None else Plan((), held)
        if isinstance(rest, NoPlan):
            why = rest
        elif at == len(parts):
            return parts, rest
        else:
            fewer = {number: text for number, text in lines.items() if number != parts[at].number}
            return _reached(fewer, _followed(fewer, context, state)[0], goal, context, state)
    return why


def read_line(text: str, problem: Problem) -> Operator | Feedback | None:
    """Return the action that a line means, or why it means none; None for a comment or a heading.

    What it leaves open is chosen by the state of the problem: first what can be done, then what is done already.
    """
    bare = ASIDE.sub(r"\1", BEFORE.sub("", text).strip()).strip()
    said = (
        word.strip(MARKS) or "," for word in re.findall(r"[^\s(),]+|,", bare.split(" :")[0].lower().replace("-", "_"))
    )
    robots = [name for name, thing in problem.objects.items() if thing.class_name == problem.domain.conventions.robot]
    words = list(dropwhile(lambda word: FILLER.fullmatch(word) and not _verbs(word, problem), said))
    words = [word for word in words if [word] != robots]
    if not words or bare.endswith(":"):
        return None
    sizes = range(MOST_WORDS, 0, -1)
    size, meant = next(((size, hit) for size in sizes if (hit := _verbs("".join(words[:size]), problem))), (0, {}))
    if not meant:
        how = hint(words[0], problem.domain.capabilities, "capability", world=problem.domain.reference)
        return Feedback(Code.UNKNOWN_NAME, f"'{words[0]}'", "nobody here can do that", how, (words[0],))
    named = _named(words[size:], problem, {word for name in meant for word in _spoken(name, problem)})
    try:
        values = Action.read(bare).values if bare.startswith("(") else ()
    except QuantityError as error:
        return Feedback(Code.UNREADABLE, f"'{bare}'", str(error))
    if isinstance(named, Feedback):
        return named
    names = tuple(each[0] for each in named)
    why = f"{together(names) or 'nothing'} is not what can be had for {together(meant, 'or')}"
    unfit = Feedback(Code.WRONG_AFFORDANCE, f"'{bare}'", why, culprits=names)
    return _chosen(bare, _actions(values, meant, named, problem), problem) or unfit


def _verbs(said: str, problem: Problem) -> dict[str, bool]:
    """Return the capabilities that a verb names, and whether only one of its like does."""
    forms = {said.replace("_", ""), *singulars(said)}
    alike = {verb for group in ALIKE for verb in group.split() if not forms.isdisjoint(group.split())}
    found: dict[str, bool] = {}
    for name, capability in problem.domain.capabilities.items():
        spoken = "" if "," in capability.say else re.sub(r"^\{\w+\} (\w+?)s\b", r"\1", capability.say).split("{")[0]
        verbs = {re.sub(r"[\W_]", "", verb) for verb in (name, *capability.aliases, spoken)}
        if not verbs.isdisjoint(forms | alike):
            found[name] = verbs.isdisjoint(forms)
    return found


def _spoken(name: str, problem: Problem) -> list[str]:
    return re.sub(r"\{\w+\}", " ", problem.domain.capabilities[name].say).split()


def _named(words: Sequence[str], problem: Problem, spoken: Collection[str]) -> list[tuple[str, ...]] | Feedback:
    """Return what words name, also in the plural or with another number; behind a thing, those with a number more."""
    things, domain = problem.objects, problem.domain
    key = ("lines of plans", frozenset(things.values()))
    lexicon = domain.remember(key, lambda: Lexicon.of(domain.vocabulary(things)))
    named, at = list[tuple[str, ...]](), 0
    while at < len(words):
        said = ((size, "_".join(words[at : at + size])) for size in range(min(MOST_WORDS, len(words) - at), 0, -1))
        forms = ((size, form) for size, word in said for form in (word, NUMBER.sub("", word), f"{word}s"))
        entries = ((size, lexicon.find(tuple(form.split("_")))[0]) for size, form in forms)
        size, found = next(((size, entry.names) for size, entry in entries if entry and entry.names), (1, ()))
        word, at = "_".join(words[at : at + size]), at + size
        if len(found) == 1:
            named.append((*found, *(name for name in things if NUMBER.sub("", name) == found[0])))
        elif not (FILLER.fullmatch(word) or word in spoken) and {*found}.isdisjoint(words[at : at + 1]):
            why = f"{len(found)} things are called so" if found else "no such thing is known"
            how = f"Name one of {', '.join(found)}." if found else hint(word, things, "object")
            return Feedback(Code.AMBIGUOUS if found else Code.UNKNOWN_NAME, f"'{word}'", why, how, (word,))
    return named


def _actions(
    values: tuple[tuple[str, ActionValue], ...],
    meant: Mapping[str, bool],
    named: Sequence[tuple[str, ...]],
    problem: Problem,
) -> Iterator[tuple[tuple[bool, bool], Action]]:
    """Yield what words may mean, with whether the order of the things and the verb are others than those of the world.

    Of each capability, only what its sentence speaks of is meant, if that fits; of those with another verb, always.
    """
    for name, is_alike in meant.items():
        capability, said = problem.domain.capabilities[name], _spoken(name, problem)
        needs = [parameter.affordances for parameter in capability.parameters]
        able = [tuple(name for name, thing in problem.objects.items() if thing.affords(each)) for each in needs]
        spoken = {at for at, each in enumerate(capability.parameters) if f"{{{each.name}}}" in capability.say}
        ways: dict[tuple[bool, bool], list[list[tuple[str, ...]]]] = {}
        # Not the table of "on the table".
        few = [each for each in named if problem.objects[each[0]].class_name not in said]
        for things in (named, few):
            for places in permutations(range(len(able)), len(things)):
                way = list(able)
                for at, names in zip(places, things, strict=True):
                    way[at] = names[:1] if names[0] in able[at] else tuple(each for each in names if each in able[at])
                if 0 < prod(map(len, way)) <= MOST_WAYS:
                    ways.setdefault((list(places) != sorted(places), not spoken.issuperset(places)), []).append(way)
        best = min(ways, default=(False, True))
        for way in ways.get(best, ()) if not (is_alike and best[1]) else ():
            yield from (((best[0], is_alike), Action(name, args, values)) for args in product(*way))


def _chosen(
    text: str, actions: Iterable[tuple[tuple[bool, bool], Action]], problem: Problem
) -> Operator | Feedback | None:
    """Return the action that words mean, chosen by the state as far as they leave it open; None if it can never be."""
    state, static, found = problem.state, problem.domain.static_predicates, dict[tuple[int, ...], list[Operator]]()
    for (is_turned, is_alike), action in actions:
        try:
            step = problem.ground(action)
            lacks, is_ready = state.missing(step.precondition), step.applicable(state)
        except UsageError:  # there is no such action, or a number is not known
            continue
        if static.isdisjoint(literal.atom.predicate for literal in lacks):
            rank = 0 if is_ready else 1 if step.effects and state.satisfies(step.effects) else 2
            following = len(step.bookkeeping.intersection(literal.atom for literal in lacks))  # what no step makes so
            found.setdefault((is_turned, rank, is_alike, following, len(lacks)), []).append(step)
    if not found:
        return None
    step, *others = found[min(found)]
    acting = acting_parameters(problem.domain.capabilities[step.action.name])
    alike = [other.action.args for other in others if other.action.name == step.action.name and other.applicable(state)]
    for at, args in enumerate(zip(step.action.args, *alike, strict=True)):
        if at not in acting and len({NUMBER.sub("", name) for name in args}) > 1:
            how = f"Say whether {together(dict.fromkeys(args), 'or')} is meant."
            return Feedback(Code.AMBIGUOUS, f"'{text}'", "it leaves open what is meant", how, args)
    return step
