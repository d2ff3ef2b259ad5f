"""The intake of orders: placed from the cached menu or with lookups, and inserted, several of a store at once."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
