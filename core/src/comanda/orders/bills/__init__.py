"""What an order costs, was charged later, and has been paid: its bill, settled under its lock."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
