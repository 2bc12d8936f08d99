"""Reading of sentences with a check of the goal, and nothing planned for."""

from graftwork.language import dialogue
from graftwork.language.dialogue import Judged, RequestInWords
from graftwork.language.proposals import without_refused
from semantics.body.exchange import ModelUse
from semantics.logic.goal import Goal, Question, Rejection


def read_checked(sentence, world, state, check, *, model=None, answers=(), tries=5, use=None, called_off=None):
    """Return the checked goal of a sentence, or the question or the rejection that comes of it."""

    def judge(content):
        answer = check(content) if isinstance(content, Goal) else content
        wrong = isinstance(content, Goal) and isinstance(answer, Rejection)
        return Judged(answer, answer.feedback if wrong else ())

    def read(words):
        return judge(dialogue.read_words(words, world.vocabulary, state)).answer

    def revise(answer, words):
        return without_refused(answer, words, read) if isinstance(answer, Question | Rejection) else answer

    asked = RequestInWords(sentence, tuple(answers), tries=tries)
    called_off = called_off or (lambda: False)
    use = use or ModelUse()
    return dialogue.read(asked, world, state, model, judge, revise=revise, use=use, called_off=called_off)
