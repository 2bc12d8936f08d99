"""What a session is made with: from files, variables and the command line, and what it may spend."""
