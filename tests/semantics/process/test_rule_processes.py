"""A rule may do to its process whatever it likes: the robot's process gets an error that names the rule."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from domains.reader.rules import read_pack
from semantics.errors import GraftworkError, UsageError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.rules import RuleBook
from semantics.process import rule_processes
from semantics.process.child import children
from semantics.process.rule_processes import MEMORY, REMEMBERED, shared
from tests.planning.processes import running, state, wait_for
from tests.semantics.process.hostile_rules import hostile
from tests.semantics.toy import RULES, SomeRule, thing

GOAL = [frozenset({Literal(Atom("on", ("a", "b"))), Literal(Atom("on", ("b", "c")))})]
SOUND = SomeRule("sound", "holds(on, [X, c]), Culprits = [X]")
SPINS = SomeRule("spins", "between(1, inf, N), N < 0, Culprits = [a]")


def blamed(*rules, seconds=2.0, things=None):
    return [each.culprits for each in RuleBook(rules, seconds=seconds).violations(GOAL, things or {})[0]]


def idle():
    """Return the process that the next check gets."""
    return shared()._pool._idle[-1].pid


def memory(pid, what):
    """Return what the kernel says of a process, bytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(what))


@pytest.fixture(autouse=True)
def _unharmed():
    """Whatever a test did, the next check is answered."""
    yield
    assert blamed(SOUND) == [("b",)]


@pytest.fixture
def unchecked(monkeypatch):
    """Let Prolog read what is too large, as it would if the bound missed a way to nest."""
    monkeypatch.setattr("semantics.logic.rules.excess", lambda text: None)


DEEP = SomeRule("deep", f"{'(' * 17_000}true{')' * 17_000}, Culprits = []")


def test_brackets_that_are_nested_too_deep_are_refused_before_prolog_reads_them():
    with pytest.raises(UsageError, match="'deep': brackets are nested too deep; expected at most 100"):
        blamed(SOUND, DEEP)


def test_a_number_that_is_too_long_is_refused_before_prolog_reads_it():
    with pytest.raises(UsageError, match="'long': a number has 1000000 digits; expected at most 18"):
        blamed(SOUND, SomeRule("long", f"X = {'9' * 1_000_000}, Culprits = []"))
    with pytest.raises(UsageError, match="the rule pack: a number has"):
        blamed(SomeRule("mine", "p(X), Culprits = [X]", definitions=f"p(a).\np({'9' * 1_000_000})."))


@pytest.mark.usefixtures("unchecked")
def test_a_rule_that_ends_its_process_is_named():
    with pytest.raises(UsageError, match="semantic rule 'deep': it ended its process"):
        blamed(SOUND, DEEP, SPINS)


@pytest.mark.usefixtures("unchecked")
def test_a_pack_that_ends_its_process_is_named():
    with pytest.raises(UsageError, match="the rule pack: it ended its process"):
        blamed(SomeRule("mine", "p, Culprits = []", definitions=f"p :- {'(' * 17_000}true{')' * 17_000}."))


def test_arithmetic_on_large_integers_ends_soon_after_its_time():
    pack = (
        "grow(N, C, R) :- C =< 0, R = N.\ngrow(N, C, R) :- C > 0, M is N * N, D is C - 1, grow(M, D, R).\n"
        f"slow(a) :- grow(999999999999999999, 18, N), M is {' + '.join(['N * N'] * 600)}, M > 0."
    )
    assert read_pack(pack).faults == ()
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"'mine': it (takes too long|needs too much memory|ended its process)"):
        blamed(SOUND, SomeRule("mine", "slow(X), Culprits = [X]", definitions=pack))
    assert time.monotonic() - began < 30


def test_too_many_answers_are_an_error_and_need_no_memory_here():
    before = memory(os.getpid(), "VmRSS")
    for body in (
        "holds(on, [X, b]), between(1, 300000, _), Culprits = [X]",
        "findall(a, between(1, 300000, _), Culprits)",
        "holds(on, [X, b]), p(L), member(X, [a, b]), member(_, L), member(_, L), Culprits = [X]",
    ):
        with pytest.raises(UsageError, match="'many': it has too many answers, or too long ones"):
            blamed(SOUND, SomeRule("many", body, definitions="p(L) :- length(L, 1000)."), seconds=20.0)
    assert memory(os.getpid(), "VmRSS") - before < 30 << 20


def test_as_many_answers_as_a_goal_of_a_hundred_literals_can_have_are_taken():
    goal = frozenset(Literal(Atom("on", ("a", f"p{number}"))) for number in range(100))
    (found,) = RuleBook(RULES[:1], seconds=20.0).violations([goal], {})
    assert len(found) == 100 * 99 / 2


def test_the_memory_of_a_process_is_limited():
    blamed(SOUND)
    pid, peak, answers = idle(), [0], []

    def check():
        with pytest.raises(UsageError) as caught:
            blamed(
                SOUND, SomeRule("fills", "findall(N, between(1, inf, N), L), member(X, L), Culprits = [X]"), seconds=60
            )
        answers.append(str(caught.value))

    checking = threading.Thread(target=check)
    checking.start()
    while checking.is_alive():
        if state(pid) not in "ZX":
            peak.append(memory(pid, "VmHWM"))
        checking.join(0.01)
    assert max(peak) < MEMORY
    assert answers[0] in (
        "semantic rule 'fills': it needs too much memory",
        "semantic rule 'fills': it ended its process",
    )


def checking(*rules, seconds):
    """Check on a thread; return its process, the thread, and where the answer will be."""
    blamed(SOUND)
    answers = []

    def check():
        try:
            answers.append(blamed(*rules, seconds=seconds))
        except GraftworkError as error:
            answers.append(str(error))

    thread = threading.Thread(target=check)
    thread.start()
    seat = wait_for(lambda: next(iter(shared()._pool._busy), None))
    assert wait_for(lambda: f"rule {len(rules) - 1}\n" in seat._read_notes())
    return seat, thread, answers


def test_a_process_that_is_killed_is_replaced_and_asked_again():
    seat, thread, answers = checking(SPINS, seconds=2.0)
    os.kill(seat.pid, signal.SIGKILL)
    thread.join(60)
    assert answers == ["semantic rule 'spins': it takes too long"]
    assert wait_for(lambda: not running(seat.pid))


def test_a_process_that_is_late_is_killed():
    seat, thread, answers = checking(SOUND, SPINS, seconds=2.0)
    os.kill(seat.pid, signal.SIGSTOP)
    thread.join(60)
    assert answers == ["semantic rule 'spins': it takes too long"]
    assert wait_for(lambda: not running(seat.pid))


def test_a_slow_rule_delays_no_other_check():
    _, thread, answers = checking(SPINS, seconds=20.0)
    assert blamed(SOUND) == [("b",)]
    assert thread.is_alive()
    shared()._pool.cancel()
    thread.join(60)
    assert "SWI-Prolog is not available (its processes were ended)" in answers[0]


def test_a_process_that_ended_while_nobody_asked_gets_its_rules_and_its_scene_again():
    things = {"a": thing("box0").__class__("a", "box", frozenset({"carry"}))}
    book = RuleBook([SomeRule("boxed", "holds(on, [X, _]), thing(X, box), affords(X, carry), Culprits = [X]")])
    for _ in range(3):
        assert [each.culprits for each in book.violations(GOAL, things)[0]] == [("a",)]
        pid = idle()
        os.kill(pid, signal.SIGKILL)
        assert wait_for(lambda pid=pid: not running(pid))


def test_a_process_remembers_some_rule_books_and_forgets_the_others():
    first = RuleBook([SomeRule("one", "p(X), Culprits = [X]", definitions="p(zero).")])
    assert first.violations(GOAL, {})[0][0].culprits == ("zero",)
    for number in range(3 * REMEMBERED):
        assert blamed(SomeRule("one", "p(X), Culprits = [X]", definitions=f"p(n{number}).")) == [(f"n{number}",)]
    seat = shared()._pool._idle[-1]
    assert len(seat._ledger._books) == REMEMBERED
    assert first.violations(GOAL, {})[0][0].culprits == ("zero",)


def test_a_broken_rule_book_stays_broken():
    book = RuleBook([SomeRule("mine", "halt, Culprits = []")])
    for _ in range(2):
        with pytest.raises(UsageError, match="'mine': rules may not call halt/0"):
            book.violations(GOAL, {})


def test_an_interrupt_does_not_reach_the_process():
    blamed(SOUND)
    pid = idle()
    os.kill(pid, signal.SIGINT)
    assert blamed(SOUND) == [("b",)]
    assert idle() == pid


def test_the_processor_time_of_a_check_is_limited():
    blamed(SOUND)
    limits = Path(f"/proc/{idle()}/limits").read_text()
    assert "Max cpu time              unlimited" not in limits


def test_after_a_fork_the_parent_and_the_child_check_rules():
    book = RuleBook([SOUND])
    assert len(book.violations(GOAL, {})[0]) == 1
    _, thread, answers = checking(SPINS, seconds=2.0)  # the child has no such thread
    child = os.fork()
    if not child:
        code = 9
        try:
            code = len(book.violations(GOAL, {})[0]) + len(blamed(SOUND))
        finally:
            book.close()
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    thread.join(60)
    assert answers == ["semantic rule 'spins': it takes too long"]
    assert len(book.violations(GOAL, {})[0]) == 1


SCRIPT = """
import os, threading
from semantics.process.child import children
from semantics.logic.rules import RuleBook
from tests.semantics.process.test_rule_processes import GOAL, SOUND
one, other = RuleBook([SOUND]), RuleBook([SOUND])
one.violations(GOAL, {}), other.violations(GOAL, {})
print(*children(os.getpid()), flush=True)
one.close()
print(len(children(os.getpid())), flush=True)
other.close()
other.close()
print(len(children(os.getpid())), flush=True)
one.violations(GOAL, {})
print(*children(os.getpid()), flush=True)
threading.Event().wait(60)
"""


def test_the_process_ends_with_the_last_rule_book_and_with_the_program():
    command = [sys.executable, "-c", SCRIPT]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as program:
        first, one, none, again = (program.stdout.readline().split() for _ in range(4))
        assert (len(first), one, none, len(again)) == (1, ["1"], ["0"], 1)
        program.kill()
        program.wait(20)
        assert wait_for(lambda: not running(int(again[0])))


def test_warming_up_starts_one_process_if_there_are_rules():
    before = children(os.getpid())
    RuleBook(()).warm_up()
    assert rule_processes.shared() is shared()
    RuleBook([SOUND]).warm_up()
    assert wait_for(lambda: shared()._pool._idle)
    assert len(children(os.getpid())) <= max(len(before), 1)


@pytest.mark.parametrize(
    "rows", [[[7, 0, ["a"]]], [[0, 7, ["a"]]], [["0", 0, ["a"]]], [[0, 0]], [7], [[0, 0, [["a"]]]]]
)
def test_an_answer_of_a_process_that_is_out_of_order_is_an_error(rows):
    class OutOfOrder:
        def ask(self, question):
            return "found", rows

    book = RuleBook([SOUND])
    book._processes = OutOfOrder()
    with pytest.raises(UsageError, match="its answer cannot be read"):
        book.violations(GOAL, {})


@pytest.mark.parametrize("part", range(10))
def test_two_hundred_hostile_packs_get_an_answer_or_an_error(part):
    for seed in range(20 * part, 20 * part + 20):
        rule = hostile(seed)
        try:
            found = RuleBook([SOUND, rule], seconds=0.2).violations(GOAL, {})
        except UsageError as error:
            told = str(error)
        else:
            told = rule.name
            assert all(isinstance(name, str) for each in found[0] for name in each.culprits)
        assert rule.name in told or "the rule pack" in told
