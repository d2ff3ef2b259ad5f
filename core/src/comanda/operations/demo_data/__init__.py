"""Steps that fill a fresh installation with demo data, and photos of its items."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
