"""Reads stop, wait and go on from a person's words by rule, so that no model is needed for them and none delays them.

A line is split into clauses, and a clause into words without fillers ("please", "now"). What is left is compared with
the phrases below: a command is a phrase, perhaps after an opening ("could you", "I want you to") and before words that
only go on about it ("moving", "right there"). The longest line takes time in proportion to its length.

While something moves, a doubtful clause is a stop, since a missed stop does more harm than a needless one. "Go on" is
never read in doubt, because it lets the robot move.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set
from enum import StrEnum


class Interruption(StrEnum):
    """What a person's words ask of the motion that runs."""

    STOP = "stop"
    WAIT = "wait"
    GO_ON = "go_on"


LONGEST = 2_000
"""Number of characters that are read: of a longer line, its beginning and its end."""

Words = tuple[str, ...]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> Mapping[str, Sequence[Words]]:
    """Return phrases, separated by commas, by their first word, the longest first."""
    phrases = sorted((tuple(phrase.split()) for phrase in text.split(",")), key=len, reverse=True)
    return {first: [phrase for phrase in phrases if phrase[0] == first] for first in {phrase[0] for phrase in phrases}}


FILLERS = _words("""
    please pls plz kindly hey hi hello ok okay oh ah uh um er hm well now just right immediately instantly
    already really very thanks thank sorry quickly quick fast at once so literally actually again then yes yeah
    also robot mister mr mrs miss honey dear darling love buddy pal man boy girl mommy mom mum daddy dad folks
    guys everybody god sake damn hell
""")
"""Words that change nothing about a command."""

OPENING = _words("""
    i im id we you ya it he can could will would may might must should shall have has got need want wish like to
    better best lets let us make tell told say said ask asked order command time be think maybe perhaps probably
    gonna beg a come do all everything that this try start and but mind full complete total emergency do its is
    safe clear ready free great
""")
"""Words that may stand before a command."""

STOP = _phrases("""
    stop, halt, freeze, abort, cancel, cease, desist, quit, terminate, stand down, brake, shut down, shutdown,
    power off, power down, switch off, turn off, kill it, kill the power, cut the power, pull the plug, hit the
    brakes, cut it out, knock it off, call it off, break off, hold it, hold still, stand still, keep still, stay
    still, stay where you are, stay there, stay put, stay back, dont move, dont budge, dont continue, dont go
    on, dont go any, dont do it, dont do that, dont do this, not move, emergency, estop, e stop, enough, thats
    enough, that is enough, that will do, no more, no further, no wait, never mind, nevermind, forget it, forget
    about it, whoa, woah, wow stop, easy there, back off, hands off, lay off, full stop, stopping, thatll do,
    cut that out, knock that off, turn yourself off, switch yourself off, shut yourself down, shut it down, turn
    it off, switch it off, call off, press stop, mayday, kill switch
""")
"""Commands to stop."""

WAIT = _phrases("""
    wait, hold on, hold up, hang on, hold that thought, hold your horses, hold everything, pause, suspend,
    standby, stand by, not yet, dont go yet, dont start yet, dont move yet, one moment, a moment, moment, one
    second, a second, a sec, one minute, a minute, give me a second, give me a sec, give me a moment, give me a
    minute, give me time, bear with me, take a break, take a short break, a break, let me think, not so fast,
    patience, time out, timeout, interrupt, no wait a, one sec, a tick, gimme a second, gimme a minute, gimme a
    moment, take five, two seconds, two minutes, five minutes, half a second, half a minute, hold your position,
    hold position, in a moment, in a minute
""")
"""Commands to wait."""

GO_ON = _phrases("""
    go on, go ahead, go again, go, continue, carry on, resume, proceed, keep going, keep on, keep moving, keep
    working, keep it, unpause, as you were, off you go, all clear, back to work, get on with it, get going, move
    on, move, start again, restart, finish it, false alarm, go for it, on you go, pick up where you left off,
    get back to work, get back to it, onward, unfreeze, back at it
""")
"""Commands to go on."""

ALARM = _phrases("""
    no, nope, nah, dont, not that, not this, not there, not now, not like that, ow, ouch, help, danger,
    dangerous, careful, watch out, look out, mind your, wrong, get away, let go, leave it, leave that, leave me,
    leave this, undo, thats wrong, that is wrong, be careful, stay away, get back, move away, step back, too
    close, that hurts, it hurts, you are hurting, my hand, my foot, my finger, thats enough, that is enough,
    fire
""")
"""What people say when something goes wrong: a stop, while something moves and no question is open."""

OBJECTING = _words("no nope nah dont not wrong leave undo")
"""What begins an alarm that may only object to something."""

CALM = _phrases("""
    no problem, no need, no rush, no hurry, no worries, no worry, no idea, no doubt, no reason, no matter, no
    more than, no one, no trouble, dont worry, dont forget, dont stop, dont halt, dont quit, dont wait, dont
    pause, no wonder, no kidding, no joke, no big deal, no harm, no sweat, no point, no news, no complaints,
    dont mind, dont hurry, dont bother, dont freeze, leave it there, leave it on, leave it in
""")
"""What begins like an alarm and is none."""

BEFORE_A_CHANGE = _words("no nope but and i id we you it lets let us me could can would should wait oops whoops my bad")
"""Words that may stand before the words that change something."""
CORRECTING = _phrases("sorry, actually, i want, i need, id like, we want, we need")
"""What begins a clause that corrects another, unless "to" or "you" follows; in a command some of it is filler."""

TAKEN_BACK = _phrases("""
    not that, not this, not those, not these, not a, not an, not my, not her, not his, not to, not on, not in, not into,
    not onto, not from, not for, not with, not so, not all, not both, not yet, meant, mean the, mean my, mean on, mean
    in, mean to, said the, said on, said in, said to, rather, scratch, changed my, change of, change that to, change it
    to, change to, make it, make that, the other, undo, put it back, put that back, put them back, bring it back, take
    it back, take that back, leave it, leave the, leave that, leave them, leave those, forget the, forget that, forget
    about, dont bring, dont put, dont take, dont give, dont pour, dont open, dont close, dont fetch, dont get, dont
    touch, dont bother with, skip, only, just one, just two, just half, without, anything but, except, correction,
    better not, different, never mind the, nevermind the, use the, give it to, hand it to, should have been, thats not
    what, that is not what, slower, less, more than, too much, too full, did i say, didnt i say, did i ask for
""")
"""What begins a clause that takes back or changes what is under way."""
ABOUT_THE_WORK = _words("""
    it its itll that thats thatll this those thatd these them theyre they one ones onell thisll her him there here half
    less bit little enough too other others side inside outside instead hers his mine ours yours another only dont wont
    not
""")
"""Words that speak of what is under way."""
HARMLESS = _words("""
    good bad nice great well lovely love perfect beautiful funny fun clever smart impressive cool amazing wonderful
    excellent brilliant welcome done after afterwards later next when while tomorrow tonight evening yesterday morning
    weather wonder hope guess interesting pretty useful helpful happy glad proud new
""")
"""Words of a line that praises, chats, or asks for something afterwards."""
ASKING = _words("what where when who whose which why how is are was were do does did have has will am")

TAKEN_BACK_ANYWHERE = _phrases("""
    leave my, leave our, leave your, be better, mixed up, mix up, mistake, mistaken, any more, anymore, one more, two
    more, three more, more of, another, longer, fewer, mine, yours, ours, other one, other ones, other side, other cup,
    other hand, wrong, that goes, those go, it goes, they go, belongs, belong, should go, should be, was meant, were
    meant, is for, its for, are for, theyre for, dont need, dont want, enough for, only want, only need, instead, rather
    than, i meant, i mean the, changed my mind, change of plan, change of plans, change of heart, second thought, second
    thoughts, not the, the other way, after all, forgot, you did it, you did them, you did those, you did these
""")
"""What takes back wherever it stands."""

ABOUT_IT = _words("""
    it that this these those them there here where what whatever you your youre ur are were was is am me i we us
    my the moving motion motions movement movements doing going working running driving walking acting pouring
    pushing asking arm arms hand hands gripper motor motors engine engines machine program task job action
    actions plan mission process run operation execution power plug with for in on of a an one two few some
    second seconds sec secs moment moments minute minutes min bit little tick while short still dead cold stop
    halt wait no not any more further all everything before after too or and to do whoa woah day today yet from
    off down look think inch nobody move ready done will can may left long enough bye sir instant young command
    nonsense stuck said e
""")
"""Words that may follow a command and belong to it."""

ABOUT_GOING_ON = _words("""
    it that this what whatever you your were are was is the my i me moving motion doing going working task job
    action plan mission program run work with for on and go then from where left stopped all can may ready done
    without
""")
"""Words that may follow a command to go on."""

NOT_MEANT = _words("""
    the a bus door pit watch non that his her my their never not dont did have has had makes said word if when
    whenever where who whose which why how does until unless after before what whats without nonstop instead
""")
"""Words that make a "stop" at the end of a clause a thing, a report or a condition, or deny it."""

OF_SOMETHING_ELSE = _words("the my our some his her by sign button light watch when once as over off")
"""Words after a verb of stopping that make it the stop of something else, unless the robot's own parts follow."""

OWN = _words("""
    moving motion motions movement movements arm arms hand hands gripper motor motors engine engines machine
    program task job action actions plan mission process run operation execution power whole thing
    lot work order request
""")
"""What of the robot can be stopped."""

VERBS = _words("stop halt freeze abort cancel cease quit terminate stopping")
WAITING = _words("wait pause")
SPELLED = _words(
    "stop halt wait freeze abort pause continue resume proceed moment please emergency cancel keep hold enough"
)
"""Words that are also read with one wrong, missing, additional or exchanged letter."""
OTHER_WORDS = _words("""
    step shop slop swop top atop sop stow hale salt malt hat hart half hall shalt want wit bait gait waist await
    waif cause paste parse pulse about breeze assume presume waits stool freezer frozen moments stopper stops
    stopped spot sport pleased keen kept deep peep jeep hole cold told gold bold sold old fold mold enough tough
    rough pleases keeps holds
""")
"""Words that are one letter away from a command, and none."""

Clause = Sequence[str]


def interruption_in(words: str, *, asked: bool = False, moves: bool = False) -> Interruption | None:
    """Return what words ask of the motion that runs; None if they ask for something else.

    Args:
        words: The words of a person.
        asked: Whether a question to the person is open, so that "no" is an answer.
        moves: Whether something moves, so that a doubtful line is a stop.
    """
    if len(words) > LONGEST:
        words = f"{words[: LONGEST // 2]}\n{words[-LONGEST // 2 :]}"
    clauses = list(_clauses(words))
    # "No, wait" takes back what was said, and "no, don't stop" agrees: neither ends anything.
    calm = [after[:1] == ["wait"] or any(after and _at(CALM, after, 0)) for after in [*clauses[1:], ()]]
    kept = [each for each, is_calm in zip(clauses, calm, strict=False) if not (is_calm and set(each) == {"no"})]
    found = {_read(clause, asked, moves) for clause in kept}
    alarms = [clause for clause in kept if moves and not _read(clause, asked, moves) and _is_alarm(clause, asked)]
    if alarms and not _object(alarms, kept):
        return Interruption.STOP
    return next((kind for kind in Interruption if kind in found), None)


def without_go_on(words: str) -> str:
    """Return the clauses that say more than "all right, go on"; empty if there are none."""
    parts = re.split(r"(?<=[,.;:!?])\s", words)
    more = [part for part in parts if any(not OPENING.issuperset(clause) for clause in _clauses(part))]
    return " ".join(part for part in more if interruption_in(part) is not Interruption.GO_ON)


def takes_back(words: str) -> bool:
    """Return whether words that are no command may take back or change what is under way.

    In doubt they do: what speaks of the work, and neither asks nor praises nor puts off, holds it needlessly at worst.
    """
    clauses = list(_clauses(words[:LONGEST]))
    alarms = [clause for clause in clauses if _is_alarm(clause, asked=False)]
    if any(_changes(clause) for clause in clauses) or (alarms and _object(alarms, clauses)):
        return True
    said = {word for clause in clauses if not list(_at(CALM, clause, 0)) for word in clause}
    asks = any(clause[0] in ASKING for clause in clauses)  # a question mark alone may only ask for assent
    whole = _clauses(words[:LONGEST], FILLERS - CORRECTING.keys())
    wishes = (clause[len(phrase) :] for clause in (*clauses, *whole) for phrase in _at(CORRECTING, clause, 0))
    corrects = any(wish[:1] not in (["to"], ["you"]) for wish in wishes)
    unsure = not asks and not said & HARMLESS and interruption_in(words) is not Interruption.GO_ON
    return unsure and (corrects or bool(said & ABOUT_THE_WORK))


def _changes(clause: Clause) -> bool:
    begin = next((at for at, word in enumerate(clause) if word not in BEFORE_A_CHANGE), 0)
    begins = any(phrase for at in {0, begin} for phrase in _at(TAKEN_BACK, clause, at))
    return begins or any(phrase for at in range(len(clause)) for phrase in _at(TAKEN_BACK_ANYWHERE, clause, at))


def _read(clause: Clause, asked: bool, moves: bool) -> Interruption | None:
    """Read one clause."""
    for start, word in enumerate(clause):
        command = max(
            ((kind, phrase) for kind, phrases in COMMANDS for phrase in _at(phrases, clause, start)),
            key=lambda match: len(match[1]),
            default=None,
        )
        if command is not None:
            kind, phrase = command
            rest = clause[start + len(phrase) :]
            belongs = ABOUT_GOING_ON if kind is Interruption.GO_ON else ABOUT_IT
            if belongs.issuperset(rest):
                return None if asked and phrase[0] == "go" else kind
            if moves and phrase[0] in VERBS:
                return None if rest[0] in OF_SOMETHING_ELSE and OWN.isdisjoint(rest) else Interruption.STOP
            if moves and phrase[0] in WAITING and not asked and rest[0] not in OF_SOMETHING_ELSE:
                return Interruption.WAIT
        if word not in OPENING:
            break
    return None


def _object(alarms: Sequence[Clause], clauses: Sequence[Clause]) -> bool:
    """Return whether clauses raise no alarm but an objection, and say of what: this is held, and not ended."""
    said = {word for clause in clauses for word in clause} - ABOUT_IT - OPENING - OBJECTING
    return len(said) > 1 and OBJECTING.issuperset(clause[0] for clause in alarms)


def _is_alarm(clause: Clause, asked: bool) -> bool:
    """Return whether a clause that is no command is better taken as one to stop."""
    if len(clause) == 1 and clause[0] in OTHER_WORDS and _is_near(clause[0], "stop"):
        return not asked
    if any(_at(CALM, clause, 0)):
        return False
    if clause[-1] in VERBS and NOT_MEANT.isdisjoint(clause):
        return True
    return not asked and any(_at(ALARM, clause, 0))


COMMANDS = ((Interruption.STOP, STOP), (Interruption.WAIT, WAIT), (Interruption.GO_ON, GO_ON))


def _at(phrases: Mapping[str, Sequence[Words]], clause: Clause, start: int) -> Iterator[Words]:
    """Yield the phrases that stand at a place of a clause."""
    for phrase in phrases.get(clause[start], ()):
        if tuple(clause[start : start + len(phrase)]) == phrase:
            yield phrase


def _clauses(line: str, fillers: Set[str] = FILLERS) -> Iterator[Clause]:
    """Yield the clauses of a line that have a word which is no filler."""
    text = unicodedata.normalize("NFKC", line).casefold()
    text = re.sub("[\N{OCTAGONAL SIGN}\N{NO ENTRY}\N{RAISED HAND}]", " stop ", text)
    text = re.sub("['\u2018\u2019`]", "", text)
    for part in re.split(r"[^\w\s-]|\s-|\n|\bbecause\b", text):
        words = [_spelled(word) for word in _joined(re.findall(r"[^\W_]+", part))]
        words = " ".join(words).replace("do not", "dont").replace("the robot", "robot").split()
        if clause := [word for word in words if word not in fillers]:
            yield clause


def _joined(words: Sequence[str]) -> Iterator[str]:
    """Yield the words, with letters that stand alone joined to one word, as in "s t o p"."""
    letters = ""
    for word in (*words, ""):
        if len(word) == 1:
            letters += word
            continue
        if letters:
            yield from [letters] if len(letters) > 3 else letters
        letters = ""
        if word:
            yield word


def _spelled(word: str) -> str:
    """Return the command that a word is meant to be, such as "stop it" for "stooopit"; else the word."""
    word = re.sub(r"(.)\1\1+", r"\1", word)
    for verb in ("stop", "wait", "halt"):
        if word.startswith(verb) and word[len(verb) :] in ("it", "that", "now", "please", "p"):
            return f"{verb} {word[len(verb) :]}"
    if len(word) < 3 or word in OTHER_WORDS or word in SPELLED:
        return word
    return next((meant for meant in sorted(SPELLED) if _is_near(word, meant)), word)


def _is_near(word: str, meant: str) -> bool:
    """Return whether two words differ by one letter: wrong, missing, additional, or exchanged with its neighbour."""
    short, long = sorted((word, meant), key=len)
    if len(long) - len(short) > 1:
        return False
    begin = next((index for index, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) != len(long):
        return short[begin:] == long[begin + 1 :]
    exchanged = short[begin : begin + 2] == long[begin : begin + 2][::-1] and short[begin + 2 :] == long[begin + 2 :]
    return exchanged or short[begin + 1 :] == long[begin + 1 :]
