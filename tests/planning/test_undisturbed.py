import gc
import threading

import pytest

from planning.solver import undisturbed


def test_the_collector_waits_while_a_block_runs_and_no_longer():
    with undisturbed():
        assert not gc.isenabled()
        with undisturbed():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_runs_again_after_an_exception():
    with pytest.raises(ZeroDivisionError), undisturbed():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with undisturbed():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_waits_for_the_last_of_several_threads():
    inside, leave = threading.Event(), threading.Event()

    def work() -> None:
        with undisturbed():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=work)
    with undisturbed():
        thread.start()
        inside.wait(10)
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()
