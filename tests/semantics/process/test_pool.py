"""A question that is called off: its process ends it and lives on, or does not listen and is killed."""

import threading

import pytest

from semantics.process.pool import Pool, Ticket
from semantics.process.seat import CalledOffError, WorkerSpec
from tests.planning.processes import running, wait_for
from tests.semantics.process.toy import Ledger

TOY = "tests.semantics.process.toy:worker"
WORK = WorkerSpec(TOY, (), Ledger, RuntimeError, 1 << 30, is_interruptible=True, niceness=5)


@pytest.fixture
def pool():
    made = Pool(WORK, seats=1, spares=0)
    yield made
    made.close()


def asked(pool, question, ticket):
    with pool.asking(ticket):
        seat = pool.take(ticket)
        return seat.pid, pool.ask(seat, question, ticket.begin()).value


def called_off(pool, question):
    """Ask, call the question off once the process has it, and return the process."""
    ticket, errors = Ticket(60.0), []

    def ask():
        try:
            asked(pool, question, ticket)
        except CalledOffError as error:
            errors.append(error)

    asker = threading.Thread(target=ask)
    asker.start()
    seat = wait_for(lambda: next(iter(pool._busy), None))
    assert wait_for(lambda: seat._number and not seat._unsent)
    pool.cancel(ticket)
    pool.cancel(ticket)  # as a race does until its thread has ended
    asker.join(30)
    assert len(errors) == 1
    return seat.pid


@pytest.mark.parametrize("question", ["count", "sleep"])
def test_a_process_ends_its_question_and_answers_the_next(pool, question):
    pids = {called_off(pool, question) for _ in range(20)}
    assert {asked(pool, number, Ticket(60.0)) for number in range(3)} == {(pid, n) for pid in pids for n in range(3)}
    assert len(pids) == 1


def test_a_process_that_does_not_listen_is_killed(pool):
    pid = called_off(pool, "deaf")
    assert wait_for(lambda: not running(pid))
    other, value = asked(pool, "next", Ticket(60.0))
    assert (other != pid, value) == (True, "next")


def test_calling_off_what_has_just_been_answered_does_not_end_the_next_question(pool):
    ticket = Ticket(60.0)
    with pool.asking(ticket):
        seat = pool.take(ticket)
        assert seat.ask("first", ticket.begin()).value == "first"
        pool.cancel(ticket)
        pool.give_back(seat)
    assert asked(pool, "second", Ticket(60.0)) == (seat.pid, "second")


def test_a_process_that_gives_way_and_is_dropped_is_forgotten(pool):
    pool.give_way()
    ticket = Ticket(60.0)
    with pool.asking(ticket):
        seat = pool.take(ticket)
        pool.drop(seat)
    assert seat not in pool._lowered
