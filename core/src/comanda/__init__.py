"""Comanda: a self-hostable, multi-tenant ordering platform where every feature is a plugin."""

from importlib.metadata import version

import pluggy

__all__ = ["hookimpl"]

__version__ = version("comanda-core")

hookimpl = pluggy.HookimplMarker("comanda")
