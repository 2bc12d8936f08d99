"""The rungs above planning anew: what a session finds to do instead, by looking, by other things, by asking."""
