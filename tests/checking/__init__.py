"""Tests of checking what people write."""
