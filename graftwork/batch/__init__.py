"""Batches: the same request with many seeds, or many requests, each run in a process of its own."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
