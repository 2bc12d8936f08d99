"""Events without what depends on the wall clock."""

from bt.record import WALL_CLOCK


def without_wall_clock(events):
    """Return events without the fields that depend on the wall clock, to compare two runs with the same seed."""
    return [
        {name: value for name, value in event.items() if name not in WALL_CLOCK.get(event["e"], ())} for event in events
    ]
