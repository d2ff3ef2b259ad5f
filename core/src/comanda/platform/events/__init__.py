"""Publishing of events, and events without the personal data that a receiver may not see."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
