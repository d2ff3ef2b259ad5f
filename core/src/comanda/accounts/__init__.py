"""Owners and their tokens, passwords and PINs, one-time codes, and people who are signed in on pages."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
