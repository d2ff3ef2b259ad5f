"""The types that hooks return, and what they speak of: callers, routes, events, orders to place, tools, tasks."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
