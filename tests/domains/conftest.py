"""What is broken on purpose is read by tests, and is no case by itself."""

collect_ignore = ["broken_worlds"]
