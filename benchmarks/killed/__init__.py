"""Runs that are killed again and again, and go on from their records until they are done."""
