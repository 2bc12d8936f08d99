"""Why an instruction is no English sentence: it is empty, too long, or holds what is no word."""

from __future__ import annotations

from semantics.logic.feedback import Code, Feedback
from semantics.plain_text import shortened


def unreadable(instruction: str, strange: str, most: int) -> Feedback:
    """Return why an instruction cannot be read: it is empty, longer than `most`, or has the characters `strange`."""
    how = "Say in one English sentence what should hold, such as a thing and where it should be."
    if not instruction.strip():
        return nothing_asked(instruction)
    if len(instruction) > most:
        why = f"it has {len(instruction)} characters, at most {most} are read."
        return Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how)
    shown = (char if char.isprintable() else f"U+{ord(char):04X}" for char in strange[:20])
    culprits = tuple(dict.fromkeys(shown))
    why = f"it holds what is no word: {', '.join(culprits)}."
    return Feedback(Code.NOT_UNDERSTOOD, "the instruction", why, how, culprits)


def nothing_asked(instruction: str) -> Feedback:
    """Return why an instruction is refused that asks for nothing."""
    what = f"'{shortened(instruction)}'" if instruction.strip() else "the instruction"
    return Feedback(Code.NOT_UNDERSTOOD, what, "it asks for nothing.", "Say what should hold.")
