"""What a command and a decision cost, each beside something else that is measured in turn with it."""
