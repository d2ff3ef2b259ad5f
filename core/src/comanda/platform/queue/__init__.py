"""Leased queues: their state, and rows that failed, which administrators retry or discard."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
