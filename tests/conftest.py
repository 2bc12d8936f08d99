"""What holds for every test."""

import signal


def pytest_configure() -> None:
    """Take interrupts, so that the processes that tests start do: a job in the background of a shell takes none."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
