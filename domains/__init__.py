"""Worlds as data: the domain language, its reader, and one folder per world."""
