"""The time, money, errors, phone numbers, JSON and other values that know nothing of ordering."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
