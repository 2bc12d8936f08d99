"""Reads stop, wait and go on from a person's words by rule, so that no model is needed for them and none delays them.

A line is split into clauses, and each clause is read alone. A clause that is a command as a whole is always one. Other
clauses count only while something moves: then a doubtful line is a stop, since a missed stop does more harm than a
needless one. "Go on" is read strictly, because it lets the robot move.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum

__all__ = ["Interruption", "interruption_in"]


class Interruption(StrEnum):
    """What a person's words ask of the motion that runs."""

    STOP = "stop"
    WAIT = "wait"
    GO_ON = "go_on"


LONGEST_WORDS = 2_000
"""Number of characters that are read: of a longer line, its beginning and its end."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FILLERS = _words(
    "please pls plz kindly hey hi hello ok okay oh ah aah aargh argh uh um er hm hmm well now just right "
    "immediately instantly already really very thanks thank sorry buddy pal bro man dude sir mate mister mr mrs "
    "miss honey dear darling sweetie mommy mom "
    "mum daddy dad grandma grandpa friend boy girl folks everybody everyone guys alright god gods goodness sake "
    "damn dammit fuck fucking hell bloody shit jesus christ crap asap "
    "and but then also yes yeah again i said say saying told mean repeat literally actually"
)
"""Words that change nothing about a command."""

_TYPED_WRONG = dict.fromkeys(("stopp", "stahp", "stawp", "estop"), "stop") | {
    word: word
    for word in _words(
        "stop halt wait freeze cancel abort pause continue resume enough proceed moment terminate emergency please"
    )
}
"""Words that are also read with one wrong, missing, additional or exchanged letter."""
_TAKEN_BACK = frozenset({"no", "nevermind", "never mind", "forget it"})
"""Clauses that take back what was said before, in front of "go on"."""
_MISTYPED_STOPS = _words("top sop tsop dtop atop sto stp srop stol spot")
"""Lines that are read as a mistyped "stop" while something moves."""
_OTHER_WORDS = _words(
    "step shop slop swop top sop stow strop stomp atop half hall hale salt malt hat hart haft want wit bait gait "
    "waist "
    "await wail waif cause paste parse about abbot breeze rough tough presume assume waits waited stool freezer "
    "freezers frozen moments halter stopper"
)
"""Words that are one letter away from a command, and none."""

_LEAD = (
    r"(?:(?:can|could|will|would|wont|you|youd|we|must|should|have|has|got|need|want|wish|to|better|best|lets|let|us|"
    r"make|it|tell|him|her|them|asked|ask|order|command|time|that|this|everything|all|gonna|beg|demand|must|be|"
    r"stop|wait|no|emergency|full|complete|total|do|a|an|the one|for|of|love|heavens?|thats?|(?:it|that|this) is|"
    r"id|like|if|why dont|"
    r"immediate|come|to a|try|start|am|im|telling|begging|asking) )*"
)
"""What may stand before a stop, such as "could you please"."""
_STOP_VERB = (
    r"(?:stop|halt|freeze|abort|cancel|cease|desist|quit|terminate|kill (?:it|the power|the motors?)|stand down|"
    r"brake|deactivate|disengage|end (?:it|this|that|everything|program|the \w+)|"
    r"(?:cut|pull|kill|stop) the (?:power|plug|motors?|engines?)|(?:hit|slam|use|apply|push) (?:on )?the brakes?|"
    r"come to (?:a|an) (?:\w+ )?(?:stop|halt)|break (?:it )?off|knock (?:it|that) off|cut (?:it|that) out(?! of)|"
    r"call (?:it|that|this) off|shut (?:it |everything |yourself )?(?:down|off)|power (?:off|down)|"
    r"(?:turn|switch) (?:it |yourself |everything )?off)"
)
"""What asks for a stop."""
_TAIL = (
    r"(?: (?:it|that|this|these|those|them|everything|all|any|anything|moving|motion|motions|movement|movements|what|"
    r"whatever|youre|ur|you|are|were|is|doing|going|working|running|driving|acting|the|your|this|arm|arms|hand|hands|"
    r"gripper|motor|motors|machine|program|task|job|action|actions|plan|mission|process|run|operation|execution|"
    r"there|"
    r"here|where|still|dead|cold|in|tracks|at|once|for|a|one|second|seconds|sec|moment|bit|while|minute|nonsense|"
    r"on|quick|quickly|fast|so|"
    r"with|stop|halt|no|wait|or|i|me|will|before|after|too|not|to|do|me|command|order|today|altogether|completely))*"
)
"""What may stand after a stop, such as "what you are doing"."""
# The patterns are compiled at their first use, so that the start of a program does not wait for them.
_PURE_STOP = (
    rf"{_LEAD}(?:{_STOP_VERB}{_TAIL}|emergency(?: (?:stop|halt|shutdown|off))?|e stop|enough(?: (?:of )?(?:that|"
    rf"this|it|"
    r"is enough|enough))*|(?:never ?mind|forget (?:it|that|about it))|(?:(?:whoa|woah|wow|ho|easy)(?: (?:there|boy|"
    r"stop|now))*(?: |$))+(?<=\w)|full stop|shutdown|cut it|(?:why )?(?:do|wo|ca|would|could) nt (?:you|"
    r"we) (?:just )?stop(?: .*)?|would you mind stopping(?: .*)?|hold it|no wait|not now|halte|basta|"
    r"alto|arrete|"
    r"(?:stand|hold|keep|stay) (?:\w+ )?still|stay (?:there|put|where you are|back|away)|stay|lay off|back off|"
    r"hands off|do nothing|"
    r"do (?:nt|not) (?:you dare|(?:move|budge|do)(?: (?:it|that|this|anything|a muscle|an inch|any|more|further|"
    r"closer|"
    r"from|there|anymore|again|or|you|robot|with))*)|(?:do ?nt|do not)|no (?:more|further)|"
    r"(?:that|this|it) (?:will|ll) do|thatll do|thats? (?:is )?(?:far |quite )?enough(?: .*)?|red button|"
    r"kill switch|abortion)"
)
"""Clauses that are a stop at any time."""
_ALARM = (
    r"(?:no|nope|nah|non|nein|nay)(?: .*)?|(?:ow|ouch|aua|help|danger|dangerous|careful|caution|be careful|mayday|"
    r"red "
    r"alert|look out|watch (?:out|it|your \w+)|mind (?:out|your \w+)|heads up|fire|(?:that|it|this|"
    r"you) hurts?(?: .*)?|my (?:foot|hand|fingers?|toes?|arm|leg|head|hair|cat|dog)|wrong|bad)(?: (?:me|no|out|one|"
    r"robot|way|place|direction|thing|cup|object|move|turn))*|"
    r"(?:thats?|its?|this)(?: is)?(?: all)? (?:wrong|dangerous|not safe|unsafe|not right|bad|not what i .*)|"
    r"not|not (?:that|now|this|there|here|the|it|safe|like|my|in|on|so)\b.*|"
    r"(?:do ?nt|do not|you must nt|never|must not) (?!stop|wait|worry|mind|forget|hurry|rush|bother|be|halt|pause|"
    r"give "
    r"up|quit|freeze|cancel|abort|know|care|think|need|have).*|(?:youre|you are|its|it is) (?:going to|gonna|"
    r"about to|"
    r"hurting|crushing|breaking|burning|spilling|hitting|falling)\b.*|(?:undo|go back|come back|get back|move away|"
    r"get (?:away|off|out)(?: .*)?|leave (?:it|me|that)(?: alone)?|let (?:me |it |him |her |that )?go(?: .*)?|"
    r"let go|no wait|not now)"
)
"""Clauses that are a stop while something moves and no question is open."""
_NO_ALARM = (
    r"no (?:problem|problems|worries|worry|hurry|rush|need|idea|doubt|one|matter|pressure|sweat|biggie|trouble|"
    r"objection|"
    r"objections|reason|stopping|more than|change|changes|pause|wonder|question|questions|issue|issues|longer)\b.*|"
    r"not (?:bad|at all|a problem|enough|sure|so bad)\b.*|no (?:do ?nt|do not) (?:stop|wait|pause|halt|quit)\b.*"
)
"""Clauses that begin like an alarm, and are none."""
_PURE_WAIT = (
    r"(?:(?:can|could|will|would|you|need|want|to|should|must|lets|let|us|me|have|better|a|an|no|id|like) )*"
    r"(?:wait(?: (?:up|a|an|one|two|for|me|us|it|there|here|second|seconds|sec|secs|moment|minute|minutes|min|bit|"
    r"tick|"
    r"while|wait|where|you|are|until|till|\d+|three|five|ten|couple|few|of|ticks|mo|hour|i|say|tell|am|back|ready|"
    r"hold|on|stop|no|little|few|your|still|not|yet))*|"
    r"(?:hold|hang) (?:on|up|it)(?: (?:a|an|one|for|me|there|here|second|seconds|sec|moment|minute|min|bit|tick|"
    r"hold|on|"
    r"wait|right))*|hold (?:your horses|everything|that thought|off|fire)|pause(?: (?:it|that|this|everything|"
    r"there|here|"
    r"for|a|an|one|second|sec|moment|minute|bit|while|what|you|are|doing|your|work|the|program|task|run|robot))*|"
    r"(?:(?:give|gimme|need|take|me|us|i|for|only) )*(?:a|an|one|half a|two|three|five|ten|a few|a couple of|"
    r"\d+) (?:second|seconds|sec|secs|moment|minute|"
    r"minutes|min|tick|mo|bit|breather|break)|moment|(?:put (?:it|that|this|everything) )?on hold|hold that|"
    r"(?:not (?:yet|so|fast|so fast)|hold position|patience|"
    r"be patient|in a (?:moment|minute|second)|stand by|standby|one at a time|hold|"
    r"interrupt|suspend(?: (?:it|everything|execution|operation|motion|the \w+|for|now))*|timeout|time out|"
    r"take five|take a break|hang fire|let me think|bear with me(?: a \w+)?)|(?:let us|lets|let s|take|"
    r"have)(?: take| have)? a (?:short |quick |little |small )?(?:break|pause|rest)|"
    r"do (?:nt|not) (?:go|move|start|do it|continue|leave) (?:\w+ )?yet|(?:give me|i need) (?:a|one) (?:second|"
    r"moment|minute|sec) to .*)"
)
"""Clauses that are a wait at any time."""
_GO_ON = (
    r"(?:(?:you|can|may|could|should|will|would|lets|let|us|to|please|its|it|is|fine|safe|clear|good|ready|all|im|we|"
    r"the way|coast|path|as|carry|do|free|want|like|id|youre|are|have|my|permission|great|cool|go|perfect|that|thats|"
    r"false alarm|never ?mind) )*"
    r"(?:go(?:ing)? on|go ahead|continue|continuing|carry on|carrying on|resume|proceed|ke+pp* (?:going|on|moving|"
    r"working|"
    r"at it|it up|on going)|unpause|un pause|as you were|pick up where you left off|move on|start again|restart|"
    r"back to work|get (?:on|going|back to (?:it|work|what you were doing))|finish (?:it|the job|what you started|"
    r"what you were doing)|go|do go on|unfreeze|off you go|you can move|all clear|(?:the )?coast is clear|"
    r"go for it|go again|lets go|keep on|do it|start|(?:do|move) (?:it )?(?:now|again)|start moving|onwards?|"
    r"onward)"
    r"(?: (?:with|it|that|this|what|whatever|you|were|are|doing|your|the|my|task|job|work|plan|program|run|from|"
    r"where|"
    r"left|off|stopped|then|there|here|going|on|ahead|carry|continue|i|am|im|done|ready|to|is|its|fine|safe|all|"
    r"clear|from|"
    r"as|before|planned|normal|usual|without|do|be|for|me|out|of|way|good|stop|stopping|do ?nt|not|instruction|"
    r"task|too))*"
)
"""Clauses that are a go on at any time."""
_NEGATED = (
    r"(?:do ?nt|do not|never|not|no need(?: for you)? to|no reason to|need ?nt|without|wo nt|would ?nt|should ?nt|"
    r"must ?nt|cannot|not to|rather not|instead of|why (?:did|do|have|are|would|has|is)(?: \w+)?|when (?:did|do|"
    r"does|will)(?: \w+)?|did (?:you|it|he)|have you|has it|before (?:you|it)|unless i say|was|nothing to|"
    r"nobody said|"
    r"no one said|where (?:did|do)(?: \w+)?)(?: (?:you|ever|please|just|to|even|dare|need|have|it|be))* "
    r"(?:stop|stops|stopping|stopped|halt|halting|quit|pause|pausing|wait|waiting|freeze|cancel|abort|interrupt)\b"
)
"""A stop or a wait that is denied or asked about: "don't stop", "why did you stop"."""
_NEGATED_GO = (
    r"(?:do ?nt|do not|never|not|no|cannot|stop|quit|must ?nt|should ?nt|ca nt|wait before you|before you)"
    r"(?: (?:you|just|to|yet|dare|please|ever))* (?:go(?:ing)?(?: on| ahead)?|continu\w+|carry\w*|resum\w+|"
    r"proceed\w*|"
    r"keep\w*|mov\w+|start\w*)\b"
)
"""A go on that is denied, which is a stop."""
_TOLD_OF = (
    r"(?:if|when|whenever|where|who|whose|which|did|does|next time|after|once|until|unless|as soon as|"
    r"what (?:happens|makes|"
    r"if|does|would)|how (?:long|far|often|many|come)|tomorrow|later|have|has|was|were|is)\b.*|"
    r"(?:read|write|spell|say|sing|play|print|type|tell me|show me|teach) .*|stop (?:when|once|as soon as|"
    r"whenever) .*|"
    r"(?:go|drive|move|walk|roll|run|turn|bring|take|carry|put|ride|come) .* stop(?:ping)? (?:there|at|by|in|next|"
    r"near|"
    r"before|when|beside|if|once)\b.*|(?:stop|pause|cancel|halt|quit) (?:the |my |that |this |our )?(?:music|song|"
    r"film|movie|radio|tv|"
    r"television|timer|alarm|video|playback|recording|clock|podcast|concert|subscription|order|meeting|"
    r"appointment)\b.*"
)
"""Clauses about a stop: conditions, questions, quotations, and the stop of something else."""
_THING = (
    r"\b(?:the|a|an|bus|door|pit|full|tram|train|truck|my|our|next|last|rest|whistle|non|one) stops?\b|"
    r"\bstops? (?:sign|signs|light|lights|watch|lamp|clock|block|valve|by|off at|motion film|over at)\b|"
    r"\bstopwatch\b"
)
"""A stop that is a thing or another verb: "the bus stop", "stop by"."""
_PRESSED = r"\b(?:hit|press|push|use|trigger|activate) (?:the )?(?:\w+ )?(?:stop|kill|red)\b"
_DOUBTFUL = r"\b(?:stop|stopping|halt|abort|emergency (?:stop|halt)|cease)\b|\bemergency$"
_BEGINS = rf"{_STOP_VERB}\b(?! (?:by|over)\b)"
_OTHER_OBJECT = (
    r"(?:freeze|cancel|quit|cease|(?:turn|switch|power|shut) .*(?:off|down)) (?:the|my|some|all the|any|our|a) .*"
)
"""A command about something other than the motion."""
_BEGINS_WAITING = r"(?:wait|hold on|hang on|pause)\b(?! (?:to|onto|the)\b)"
_HANDED = r"hold (?:on to|onto|it (?:steady|tight|tightly|upright|up|high|firmly|with|level|by|in)) ?.*"


def interruption_in(words: str, *, asked: bool = False, moves: bool = False) -> Interruption | None:
    """Return what words ask of the motion that runs; None if they ask for something else.

    Args:
        words: The words of a person.
        asked: Whether a question to the person is open, so that "no" is an answer.
        moves: Whether something moves, so that a doubtful line is a stop.
    """
    if len(words) > LONGEST_WORDS:
        words = f"{words[: LONGEST_WORDS // 2]}\n{words[-LONGEST_WORDS // 2 :]}"
    clauses = list(_clauses(words))
    found = {_read(clause, asked, moves) for clause in clauses}
    if any(re.search(_NEGATED, clause) for clause in clauses):
        found -= {_read(clause, asked, moves) for clause in clauses if clause.split()[0] in ("no", "nope", "nah")}
    whole = " ".join(clauses)
    if not found - {None} and len(clauses) > 1:
        found.add(_read(whole, asked, moves))
    if moves and whole in _MISTYPED_STOPS:
        return Interruption.STOP
    if len(clauses) > 1 and _read(clauses[-1], asked, moves) is Interruption.GO_ON and set(clauses[:-1]) <= _TAKEN_BACK:
        return Interruption.GO_ON
    for kind in (Interruption.STOP, Interruption.WAIT, Interruption.GO_ON):
        if kind in found:
            return kind
    return None


def _read(clause: str, asked: bool, moves: bool) -> Interruption | None:
    """Read one clause."""
    if re.fullmatch(_HANDED, clause):
        return None
    if re.search(_NEGATED_GO, clause) and not re.search(_NEGATED, clause) and not re.fullmatch(_PURE_WAIT, clause):
        return None if re.fullmatch(_TOLD_OF, clause) or clause.startswith("why") else Interruption.STOP
    if re.fullmatch(_GO_ON, clause) and not re.fullmatch(_ALARM, clause):
        return None if asked and re.search(r"\bgo ahead\b", clause) else Interruption.GO_ON
    if re.search(_NEGATED, clause) and not re.fullmatch(_PURE_STOP, clause):
        return Interruption.STOP if moves and re.match(r"(?:stop|if you) ", clause) else None
    if re.fullmatch(_PURE_STOP, clause):
        return None if asked and re.match(r"do (?:nt|not)|no ", clause) else Interruption.STOP
    if re.fullmatch(_PURE_WAIT, clause):
        return Interruption.WAIT
    return _in_doubt(clause, asked) if moves and not _is_about_a_stop(clause) else None


def _in_doubt(clause: str, asked: bool) -> Interruption | None:
    """Read a clause that is no command as a whole, while something moves."""
    if not asked and re.fullmatch(_ALARM, clause) and not re.fullmatch(_NO_ALARM, clause):
        return Interruption.STOP
    if re.fullmatch(_OTHER_OBJECT, clause):
        return None
    if re.match(_BEGINS, clause) or re.search(_PRESSED, clause) or re.search(_DOUBTFUL, clause):
        return Interruption.STOP
    return Interruption.WAIT if re.match(_BEGINS_WAITING, clause) else None


def _is_about_a_stop(clause: str) -> bool:
    """Return whether a clause names a stop without asking for one."""
    if re.fullmatch(_TOLD_OF, clause):
        return True
    return bool(re.search(_THING, clause)) and not re.search(_PRESSED, clause)


def _clauses(words: str) -> Iterator[str]:
    """Yield the clauses of a line: known spellings, in lower case, without polite words and punctuation."""
    text = unicodedata.normalize("NFKC", words).casefold()
    text = re.sub("[\N{OCTAGONAL SIGN}\N{NO ENTRY}\N{RAISED HAND}]", " stop ", text)
    text = re.sub(r"(?<=\w)['\u2019\u2018`\u00b4](?=\w)", "", text)
    text = re.sub(r"\b(\w)(?:[\s.\-_*]+(\w)\b)(?:[\s.\-_*]+(\w)\b)(?:[\s.\-_*]+(\w)\b)", r"\1\2\3\4", text)
    text = re.sub(r"(?<!\bthe )(?<!\bthat )(?<!\bthis )\brobot\b", " ", text)
    text = re.sub(r"\bnever mind\b", "nevermind", text)
    for part in re.split(r"[^\w\s'-]+|\s-+\s|\n| \b(?:because|cause|cuz|since)\b ", text):
        spelled = [_spelled(token) for token in re.findall(r"[^\W_]+", part)]
        tokens = [word for word in " ".join(spelled).split() if word not in _FILLERS]
        kept = [word for number, word in enumerate(tokens) if not _is_begun(word, tokens[number + 1 : number + 2])]
        clause = re.sub(r"\b(dont|do nt)\b", "do nt", " ".join(kept))
        clause = re.sub(r"\b(would|wo|ca|could|should|must|need)nt\b", r"\1 nt", clause)
        if clause:
            yield clause


def _is_begun(word: str, following: list[str]) -> bool:
    """Return whether a word is the stuttered beginning of the next one, as in "st- stop"."""
    return (
        bool(following)
        and len(word) <= 3
        and word not in ("no", "go", "a", "i", "to", "do", "it", "is", "the")
        and (following[0] != word and following[0].startswith(word))
    )


def _spelled(token: str) -> str:
    """Return the command that a word is meant to be, without repeated or wrong letters; else the word."""
    if token in _FILLERS or token in _TYPED_WRONG or token in _OTHER_WORDS:
        return _TYPED_WRONG.get(token, token)
    glued = re.fullmatch(r"(stop|no|wait|halt)(?:\1)*(it|that|this|now|please|pls|there|here|moving)?", token)
    if glued:
        return f"{glued[1]} {glued[2] or ''}".strip()
    single = re.sub(r"(.)\1+", r"\1", token)
    for word in (*_TYPED_WRONG, "no", "whoa", "ow", "please", "do nt"):
        if single == re.sub(r"(.)\1+", r"\1", word):
            return _TYPED_WRONG.get(word, word)
    if len(token) >= 3 and token.isascii():
        near = (word for word in _TYPED_WRONG if len(word) > 3 and _is_near(token, word))
        return _TYPED_WRONG.get(next(near, ""), token)
    return token


def _is_near(token: str, word: str) -> bool:
    """Return whether two words differ by one letter: wrong, missing, additional, or exchanged with its neighbour."""
    if token[0] != word[0] and not (len(word) > 4 or sorted(token) == sorted(word)):
        return False
    short, long = sorted((token, word), key=len)
    if len(long) - len(short) > 1:
        return False
    begin = next((index for index, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[begin:] == long[begin + 1 :]
    exchanged = short[begin : begin + 2] == long[begin : begin + 2][::-1] and short[begin + 2 :] == long[begin + 2 :]
    return exchanged or short[begin + 1 :] == long[begin + 1 :]
