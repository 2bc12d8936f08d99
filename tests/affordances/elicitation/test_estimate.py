import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest

from affordances.elicitation.estimate import Guesser, evidence_of_guess
from affordances.elicitation.estimate.guess import LIKELY, GuessSource, NeighbourTable, calibrate
from affordances.elicitation.estimate.neighbours import Sign, plain_words, sign
from affordances.mapping import Evidence, ObjectAffordances, household
from affordances.mapping.object_affordances import ObjectKind
from affordances.ontology import AFFORDANCES
from semantics.errors import EmbeddingsUnavailableError

NAMES = ("carry", "cut", "drink", "support")
AFFORDS = {
    "mug": {"carry", "drink"},
    "cup": {"carry", "drink"},
    "beer_glass": {"carry", "drink"},
    "knife": {"carry", "cut"},
    "saw": {"carry", "cut"},
    "table": {"support"},
    "shelf": {"support"},
    "air": set(),
}


@dataclass
class Meanings:
    """Likenesses written down by hand; everything else is as like as unlike."""

    likest: Mapping[tuple[str, str], float] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def similarities(self, word: str, words: Sequence[str]) -> Sequence[float]:
        self.asked.append(word)
        return [self.likest.get((word, each), 0.3) for each in words]


class Missing:
    def similarities(self, word: str, words: Sequence[str]) -> Sequence[float]:
        raise EmbeddingsUnavailableError("the package is missing")


def mapping() -> ObjectAffordances:
    evidence = [Evidence.authored(name, each, each in found, "us") for name, found in AFFORDS.items() for each in NAMES]
    return ObjectAffordances(evidence, {"table": ObjectKind(frozenset({"furniture"}), ("desk",))})


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("coffee mug", "mug", Sign.HEAD),
        ("coffee_mugs", "mug", Sign.HEAD),
        ("bottle of wine", "bottle", Sign.HEAD),
        ("bottle of wine", "wine", Sign.MODIFIER),
        ("mug holder", "mug", Sign.MODIFIER),
        ("mug", "coffee_mug", Sign.NARROWER),
        ("soup bowl", "salad_bowl", Sign.SISTER),
        ("teacup", "cup", Sign.ENDING),
        ("cup", "teacup", Sign.ENDING),
        ("cat", "at", Sign.NONE),
        ("knife", "spoon", Sign.NONE),
        ("", "spoon", Sign.NONE),
    ],
)
def test_the_words_of_a_name_point_to_a_class(name: str, known: str, expected: Sign):
    assert sign(name, known) is expected


def test_things_that_end_like_plurals_stay():
    assert plain_words("Kitchen-Scissors") == ("kitchen", "scissors")
    assert plain_words("knives") == ("knife",)


@pytest.mark.parametrize(
    ("said", "known"),
    [("mug", "mug"), ("Mugs", "mug"), ("beer glass", "beer_glass"), ("beer_glas", "beer_glass"), ("desks", "table")],
)
def test_a_class_that_is_known_by_some_name_is_no_guess(said: str, known: str):
    meanings = Meanings()
    guess = Guesser(mapping(), NAMES, embed=meanings).guess(said)
    assert guess.how is GuessSource.KNOWN
    assert guess.known_as == known
    assert guess.affordances == AFFORDS[known]
    assert not evidence_of_guess(guess)
    assert not meanings.asked  # the model takes seconds to load


def test_the_head_noun_decides_against_a_likeness_of_meaning():
    meanings = Meanings({("coffee mug", "knife"): 0.6, ("coffee mug", "saw"): 0.55, ("coffee mug", "mug"): 0.5})
    guess = Guesser(mapping(), NAMES, embed=meanings).guess("coffee mug")
    assert guess.how is GuessSource.WORDS
    assert guess.neighbours[0].class_name == "mug"
    assert guess.confidence["drink"] > guess.confidence["cut"]


def test_a_word_that_only_says_which_does_not_decide():
    meanings = Meanings({("mug tree", "mug"): 0.6, ("mug tree", "shelf"): 0.5})
    guess = Guesser(mapping(), NAMES, embed=meanings).guess("mug tree")
    assert guess.how is GuessSource.MEANING
    assert guess.neighbours[0].class_name == "shelf"
    assert Guesser(mapping(), NAMES).guess("mug tree").how is GuessSource.NOTHING


def test_without_a_sign_the_nearest_in_meaning_have_the_say():
    meanings = Meanings({("goblet", "mug"): 0.8, ("goblet", "cup"): 0.7})
    guess = Guesser(mapping(), NAMES, embed=meanings).guess("goblet")
    assert guess.how is GuessSource.MEANING
    assert [near.class_name for near in guess.neighbours[:2]] == ["mug", "cup"]
    assert guess.confidence["drink"] > guess.confidence["support"]
    assert guess.note == ""


@pytest.mark.parametrize("embed", [None, Missing()])
def test_without_a_sentence_model_only_words_count_and_it_says_so(embed: Missing | None):
    guesser = Guesser(mapping(), NAMES, embed=embed)
    mug = guesser.guess("coffee mug")
    assert mug.how is GuessSource.WORDS
    assert [near.likeness for near in mug.neighbours] == [None]
    assert "head nouns only" in mug.note
    nothing = guesser.guess("goblet")
    assert nothing.how is GuessSource.NOTHING
    assert nothing.neighbours == ()
    assert nothing.confidence["carry"] == pytest.approx(5 / 8)  # how common it is
    assert not evidence_of_guess(nothing)


def test_a_guess_is_marked_as_one_in_the_mapping():
    guess = Guesser(mapping(), NAMES).guess("coffee_mug")
    evidence = evidence_of_guess(guess)
    assert {str(piece.source) for piece in evidence} == {"guessed"}
    assert {piece.by for piece in evidence} == {"mug"}
    assert {piece.affordance: piece.share for piece in evidence} == guess.confidence


def test_a_known_class_can_be_guessed_as_if_it_were_unknown():
    guess = Guesser(mapping(), NAMES, embed=Meanings({("mug", "cup"): 0.9})).guess("mug", as_unknown=True)
    assert guess.known_as is None
    assert "mug" not in {near.class_name for near in guess.neighbours}
    assert guess.neighbours[0].class_name == "cup"


def test_an_empty_mapping_guesses_nothing():
    guess = Guesser(ObjectAffordances(), NAMES, embed=Meanings()).guess("mug")
    assert guess.how is GuessSource.NOTHING
    assert guess.affordances == frozenset()


def test_kinds_that_the_neighbours_share_count():
    kinds = {name: ObjectKind(frozenset({"vessel"})) for name in ("mug", "cup")}
    plain = Meanings({("goblet", "mug"): 0.6})
    without = Guesser(mapping(), NAMES, embed=plain).guess("goblet")
    with_kinds = Guesser(ObjectAffordances(mapping(), kinds), NAMES, embed=plain).guess("goblet")
    shares = [{near.class_name: near.share for near in guess.neighbours} for guess in (without, with_kinds)]
    assert shares[1]["cup"] > shares[0]["cup"]


FOLDS = 10
EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.1)


def cross_validated(table):
    """Return the F1, and the distance between confidence and truth, with each tenth guessed by the other nine."""
    guessed = np.zeros_like(table.true)
    for fold in range(FOLDS):
        held_out = np.arange(len(table.true)) % FOLDS == fold
        rest = NeighbourTable(*(column[~held_out] for column in table))
        base = rest.true.mean(axis=0)
        confidences = calibrate(rest).confidence(table.votes[held_out], base)
        guessed[held_out] = np.where(table.voted[held_out][:, None], confidences, base)
    right = ((guessed >= LIKELY) * table.true).sum()
    f1 = 2 * right / ((guessed >= LIKELY).sum() + table.true.sum())
    bands = [(guessed >= low) & (guessed < high) for low, high in pairwise(EDGES)]
    return f1, sum(abs(guessed[band].sum() - table.true[band].sum()) for band in bands) / guessed.size


def test_the_calibration_turns_votes_into_how_often_they_are_right():
    draw = np.random.default_rng(1)
    votes = draw.random((400, 5))
    true = (draw.random((400, 5)) < votes**2).astype(float)  # the votes promise too much
    table = NeighbourTable(true, votes, np.ones(400, dtype=bool))
    assert cross_validated(table)[1] < 0.05
    half = calibrate(table).confidence(np.full(5, 0.5), true.mean(axis=0))
    assert half == pytest.approx(np.full(5, 0.25), abs=0.06)


def test_votes_that_are_always_right_are_trusted_and_the_fit_ends():
    true = np.array([[1.0, 0.0]] * 20 + [[0.0, 1.0]] * 20)
    table = NeighbourTable(true, true, np.ones(40, dtype=bool))
    assert cross_validated(table)[0] == 1.0
    assert all(np.isfinite(calibrate(table).weights))


def test_the_shipped_classes_guess_one_another_by_words_alone():
    f1, error = cross_validated(Guesser(household(), tuple(AFFORDANCES)).table())
    assert f1 > 0.65
    assert error < 0.05


PROBE = """
import sys
from affordances.elicitation.estimate import Guesser
from affordances.mapping import household
from affordances.ontology import AFFORDANCES
from semantics.words.embedding import SentenceEmbedder
guess = Guesser(household(), tuple(AFFORDANCES), embed=SentenceEmbedder()).guess("mug")
assert guess.known_as == "mug"
assert "torch" not in sys.modules
"""


def test_a_known_class_loads_no_sentence_model():
    subprocess.run([sys.executable, "-c", PROBE], check=True, timeout=60)


@pytest.mark.slow
def test_the_shipped_classes_guess_one_another_better_with_meanings():
    pytest.importorskip("sentence_transformers", reason="the extra 'embeddings' is not installed")
    from semantics.words.embedding import SentenceEmbedder

    f1, error = cross_validated(Guesser(household(), tuple(AFFORDANCES), embed=SentenceEmbedder()).table())
    by_words, _ = cross_validated(Guesser(household(), tuple(AFFORDANCES)).table())
    assert f1 > by_words + 0.02
    assert f1 > 0.72
    assert error < 0.03
