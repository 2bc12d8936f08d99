"""A worker for tests: what it is asked is the name of something that takes long, or a value that it returns."""

import ctypes
import time
from functools import partial


class Ledger:
    def tell(self, question):
        return question


def worker():
    return lambda question: partial(answered, question)


def answered(question):
    if question == "count":
        while True:
            pass
    if question == "sleep":
        time.sleep(60)
    if question == "deaf":  # in a library that gives no other thread its turn
        ctypes.PyDLL(None).sleep(60)
    return question
