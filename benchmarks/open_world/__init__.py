"""Sentences about things that no file lists, judged from the body's own world; README.md describes the data."""
