"""A shelf that nothing can be put on for a while: what is left then is to consult a model, or to ask a person."""

from bt import Entries
from domains.repairs import Spending
from graftwork import Limits, Session
from graftwork.setup.limits import Consent
from robots.fake import InjectedFault
from semantics.logic.feedback import Code

SENTENCE = "put the apple on the shelf"
GOAL, OTHER = "(on apple0 shelf0)", "(on apple0 table0)"
ONCE = dict.fromkeys(("again", "rule", "explore", "substitute", "part")) | {"replan": Spending(tries=1)}
"""A ladder on which two failures reach the rungs that this is about."""


def blocked(
    times: int = 9,
    *,
    surfaces=("shelf0",),
    model="offline",
    memory=None,
    record=None,
    ladder=None,
    unsaid=Consent.ALLOW,
    **limits,
) -> tuple[Session, Entries]:
    """Open a session in which putting something on each of some surfaces fails `times` times."""
    journal = Entries()
    given = Limits(ladder={**ONCE, **(ladder or {})}, **limits)
    kept = {"memory": memory, "record": record, "journals": (journal,), "unsaid": unsaid}
    session = Session(scene="small", robot="fake", model=model, limits=given, **kept)
    for surface in [*surfaces] * times:
        session.environment.robot.add_fault(
            InjectedFault(Code.OUT_OF_REACH, "put", {"target": surface}, culprits=(surface,))
        )
    return session, journal


def said(journal: Entries, event: str, key: str) -> list[object]:
    """Return what the events of a kind tell of something."""
    return [one[key] for one in journal.of(event)]
