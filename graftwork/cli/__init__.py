"""The command line. Its modules import nothing heavy before a command runs, so that ``--help`` is fast."""
