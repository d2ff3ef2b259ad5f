"""SQL statements and transactions, reads from a replica, and creation that a repeated request finds again."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
