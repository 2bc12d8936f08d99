"""Tests of what parses but cannot be meant."""
