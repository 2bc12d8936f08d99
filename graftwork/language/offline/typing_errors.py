"""Typing errors in any word of a sentence, also in verbs and function words: "plese chuck the juice in teh fridge".

A word that nothing knows is taken for the only known word of which it surely is a typing error; all other words stay as
they are, and are asked about where they stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from graftwork.language.offline.frames import english, rewordings
from graftwork.language.offline.segments import TIMES
from semantics.hints import surely
from semantics.words.english import GRAMMAR, THINGS, singulars
from semantics.words.names import NameIndex

LEAST = 3  # the fewest letters of a word that is corrected by its letters


@dataclass(slots=True)
class Spelling:
    """Corrects words.

    Attributes:
        words: The words that stand in phrases.
        names: The names of the scene.
        corrected: What each corrected word was taken for.
    """

    words: frozenset[str]
    names: NameIndex
    corrected: dict[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each correction."""
        return tuple(f"'{wrong}' was taken for a typing error of '{right}'." for wrong, right in self.corrected.items())

    def is_noun(self, word: str) -> bool:
        """Return whether a word belongs to the name or the description of a thing."""
        return self.names.lexicon.knows(word) or self.names.traits.knows(word)

    def meant(self, word: str) -> str:
        """Return the word that is meant."""
        known = english()
        if word in known.misspelt:
            self.corrected[word] = known.misspelt[word]
        elif word not in self.corrected and word.isalpha() and len(word) >= LEAST and not self._is_known(word):
            near = {
                right
                for right in (*self.words, *_of_english(), *self.names.lexicon.parts, *self.names.traits.words)
                if surely(word, right)
            }
            # A typing error in a whole noun is corrected where the noun is looked up.
            if len(near) == 1 and not self.names.meant(right := near.pop()):
                self.corrected[word] = right
        return self.corrected.get(word, word)

    def _is_known(self, word: str) -> bool:
        forms, common = (word, *singulars(word), *_stems(word)), english().common
        return any(form in self.words or form in _of_english() or form in common for form in forms) or self.is_noun(
            word
        )


def _stems(word: str) -> tuple[str, ...]:
    """Return what a word may be a form of: "wasting" of "waste"."""
    stem = next((word.removesuffix(end) for end in ("ing", "ed", "er", "ly") if word.endswith(end)), word)
    return stem, f"{stem}e", stem[:-1]


@lru_cache(maxsize=1)
def _of_english() -> frozenset[str]:
    """Return the longer words of grammar."""
    known = english()
    runs = (*known.runs, *known.openings, *known.closings)
    words = (
        {word for run in runs for word in run}
        | GRAMMAR
        | THINGS
        | TIMES
        | {"then", "should", "first", "second", "could"}
    )
    words |= {word for each in rewordings() for text in each for word in re.findall(r"[a-z]+", text)}
    words |= {word for text in known.remarks.values() for word in text.replace(",", " ").split()}
    return frozenset(word for word in words if len(word) >= LEAST)
