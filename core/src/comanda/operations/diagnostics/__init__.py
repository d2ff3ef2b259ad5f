"""Checks of the installation and their results, and settings in force, with secrets masked."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
