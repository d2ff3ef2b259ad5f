"""Pages of the dashboard: who visits them, the API that they are clients of, their frame, forms and charts."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
