"""``graftwork affordances ask`` and ``evaluate``."""
