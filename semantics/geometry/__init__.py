"""Shapes and places of things, and the relations between them."""
