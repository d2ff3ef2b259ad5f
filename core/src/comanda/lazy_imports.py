"""Modules imported at their first use: for large libraries that most processes of an installation never need."""

from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """A stand-in for a module, which is imported when an attribute of it is read.

    Assign it beside an import for type checkers::

        if TYPE_CHECKING:
            import aiohttp
        else:
            aiohttp = LazyModule("aiohttp")

    An installation without the library fails at its first use, so it is a dependency of the package all the same.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)
