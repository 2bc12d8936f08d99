"""Sentences and answers with what is meant by them, and what is measured with them."""
