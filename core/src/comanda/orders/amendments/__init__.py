"""Amendments of orders that are not paid yet: lines added and voided, discounts given, tables moved, orders merged."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
