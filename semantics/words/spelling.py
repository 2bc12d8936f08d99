"""Distance between spellings, and when a misspelt word certainly means another one.

The distance counts inserted, omitted, replaced and swapped adjacent letters (Damerau 1964, restricted). The limits of
certainty are strict, because real words differ in one letter ("grass" and "glass"): a swap is certain from four letters
on, an extra or missing letter from five, a wrong letter from seven, two mistakes from nine; the first letter must be
right, except in a swap.
"""

from __future__ import annotations


def distance(first: str, second: str, limit: int = 3) -> int:
    """Return the number of single mistakes between two words, or `limit` when there are at least that many."""
    if abs(len(first) - len(second)) >= limit:
        return limit
    # One row of the edit matrix per letter; a swap looks back two rows, so `before` keeps the row before the last.
    before: list[int] = []
    last = list(range(len(second) + 1))
    for i, char in enumerate(first, start=1):
        row = [i]
        for j, wanted in enumerate(second, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == second[j - 2] and first[i - 2] == wanted:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) >= limit:
            return limit
        before, last = last, row
    return min(last[-1], limit)


def surely(written: str, meant: str) -> bool:
    """Return whether `written` is a typing error of `meant`, rather than another word."""
    mistakes = distance(written, meant)
    if mistakes == 1 and sorted(written) == sorted(meant):
        return len(meant) >= 4
    if mistakes not in (1, 2) or written[:1] != meant[:1]:
        return False
    if mistakes == 2:
        return len(meant) >= 9
    return len(meant) >= (7 if len(written) == len(meant) else 5)
