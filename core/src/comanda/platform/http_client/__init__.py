"""Requests to addresses that tenants or strangers name: public addresses only, checked at every connection."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
