"""Drafts of orders: validated against the menu, with what plugins contribute, and priced. No database."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
