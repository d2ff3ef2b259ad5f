"""Secrets in columns, encrypted at rest; keyed hashes; links that may be used until they expire."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
