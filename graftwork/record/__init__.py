"""The output of a run: its record and its log during the run, and its episode at the end."""
