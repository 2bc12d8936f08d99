import multiprocessing
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from semantics.body.day_use import DayFileError, DayUse
from semantics.body.exchange import Exchange, ModelUse, Unusable, outage
from semantics.body.protocols import Message, ModelReply
from semantics.errors import BudgetSpentError, ModelError, ModelUnreachableError
from semantics.logic.feedback import Code, Feedback

NO = Unusable((Feedback(Code.UNREADABLE, "the answer", "it is no"),))
DAY = date(2026, 11, 29)


def model_of(*answers, name="small"):
    left = list(answers)
    return SimpleNamespace(name=name, complete=lambda messages, *, schema=None: left.pop(0), left=left)


def asked(use, *answers, tries=9, **more):
    exchange = Exchange(model_of(*answers, **more), [Message("user", "well?")], use=use)
    return exchange.ask(lambda text: NO if text == "no" else text, lambda _: "again", tries)


def day_of(folder, day=DAY):
    return DayUse(folder / "use.sqlite", lambda: day)


def test_calls_tokens_and_money_of_all_answers_are_counted():
    use = ModelUse(prices={"small": (2.0, 10.0), "*": (1000.0, 1000.0)})
    asked(use, ModelReply("no", 1_000_100, tokens_out=100), ModelReply("yes", 1000, tokens_out=1000))
    assert (use.calls, use.tokens_in, use.tokens_out, use.tokens) == (2, 1_000_000, 1100, 1_001_100)
    assert use.money == pytest.approx(2.0 + 0.011)


def test_the_model_that_answered_has_the_price():
    use = ModelUse(prices={"small": (2.0, 0.0), "big": (50.0, 0.0)})
    asked(use, ModelReply("yes", 1_000_000, model="big"))
    assert use.money == 50.0


@pytest.mark.parametrize(("name", "price"), [("small", 2.0), ("other", 7.0)])
def test_a_model_without_a_price_has_that_of_all_others(name, price):
    use = ModelUse(prices={"small": (2.0, 0.0), "*": (7.0, 0.0)})
    asked(use, ModelReply("yes", 1_000_000), name=name)
    assert use.money == price


def test_without_prices_a_model_costs_nothing():
    use = ModelUse()
    asked(use, ModelReply("yes", 1_000_000))
    assert (use.tokens, use.money) == (1_000_000, 0.0)


@pytest.mark.parametrize(
    ("budget", "calls"),
    [({"calls": 2}, 2), ({"tokens": 15}, 2), ({"money": 0.01}, 1), ({"calls": 0}, 0), ({"calls": 3, "tokens": 10}, 1)],
)
def test_a_spent_budget_ends_the_exchange_and_names_the_setting(budget, calls):
    use = ModelUse(budget=budget, prices={"*": (1000.0, 0.0)})
    with pytest.raises(
        BudgetSpentError, match=r"of this instruction is spent \(the setting model_budget has "
    ) as caught:
        asked(use, *[ModelReply("no", 10)] * 5)
    assert use.calls == calls
    feedback = outage("open sesame", caught.value)
    assert (feedback.code, feedback.recoverable) == (Code.BUDGET_SPENT, False)
    assert any(f"{name}={limit:g}" in str(caught.value) for name, limit in budget.items())


def test_another_outage_is_none_of_the_budget():
    assert outage("it", ModelUnreachableError("there", "it is gone", "wait")).code is Code.UNAVAILABLE


def test_a_request_that_fails_is_a_call():
    use = ModelUse()
    with pytest.raises(ModelError):
        asked(use)
    assert (use.calls, use.tokens) == (1, 0)


def test_what_an_ended_run_has_used_is_told_already_but_today_knows_it(tmp_path):
    ended = []

    def complete(messages, *, schema=None):
        ended.append(True)
        return ModelReply("yes", 10)

    use = ModelUse(day=day_of(tmp_path).add)
    exchange = Exchange(SimpleNamespace(name="small", complete=complete), [], use=use, called_off=lambda: ended)
    exchange.ask(str, str, 1)
    assert use.tokens == 0
    assert spent_on(tmp_path) == (1, 10, 0.0)


def spent_on(folder, day=DAY):
    before = []
    day_of(folder, day).add((0, 0, 0.0), before.append)
    return before[0]


def test_the_day_is_that_of_all_instructions_and_ends(tmp_path):
    budget = {"day_calls": 3}
    first, second = (ModelUse(budget=budget, day=day_of(tmp_path).add) for _ in range(2))
    asked(first, ModelReply("no", 10), ModelReply("yes", 10))
    asked(second, ModelReply("yes", 10))
    with pytest.raises(BudgetSpentError, match=r"of today is spent \(the setting model_budget has day_calls=3\)"):
        asked(second, ModelReply("yes", 10))
    assert spent_on(tmp_path) == (3, 30, 0.0)
    tomorrow = ModelUse(budget=budget, day=day_of(tmp_path, date(2026, 11, 30)).add)
    assert asked(tomorrow, ModelReply("yes", 10)) == "yes"
    assert spent_on(tmp_path) == (3, 30, 0.0)


def spend(folder: Path) -> None:
    use = ModelUse(day=day_of(folder).add, prices={"*": (1.0, 1.0)})
    asked(use, *[ModelReply("no", 1000)] * 10, tries=10)


def test_processes_count_together(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=spend, args=(tmp_path,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    spent = spent_on(tmp_path)
    assert spent[:2] == (20, 20_000)
    assert spent[2] == pytest.approx(0.02)


def test_a_file_that_is_no_count_asks_nothing(tmp_path):
    (tmp_path / "use.sqlite").write_text("something else, and long enough to be no database\n" * 99)
    model_use = ModelUse(day=day_of(tmp_path).add)
    with pytest.raises(DayFileError, match="what was spent today is not known"):
        asked(model_use, ModelReply("yes", 10))
    assert model_use.calls == 0
