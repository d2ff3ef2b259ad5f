"""What a start leaves for later: large libraries, and the validators of models.

A server is ready before it has imported what only some requests need; it then imports that in the background.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, cast


class LazyModule(ModuleType):
    """A stand-in for a module, which is imported when an attribute of it is read.

    Assign it beside an import for type checkers::

        if TYPE_CHECKING:
            import aiohttp
        else:
            aiohttp = LazyModule("aiohttp")

    With ``preloads`` a server imports it as soon as it is ready, so that no request waits for it. An installation
    without the library fails at its first use, so it is a dependency of the package all the same.
    """

    _preloaded: ClassVar[set[str]] = set()

    def __init__(self, name: str, *, preloads: bool = False) -> None:
        super().__init__(name)
        if preloads:
            self._preloaded.add(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)

    @classmethod
    def preload(cls) -> None:
        """Import the modules that a server needs sooner or later."""
        for name in sorted(cls._preloaded):
            import_module(name)


def import_without(name: str, optional: str) -> None:
    """Import a library as if another, which it would use but can do without, were not installed."""
    if optional in sys.modules:
        return
    # What the import system takes for a module that is not to be found.
    cast("dict[str, ModuleType | None]", sys.modules)[optional] = None
    try:
        import_module(name)
    finally:
        del sys.modules[optional]


def defer_model_builds() -> None:
    """Defer building the validators of all pydantic models that are defined from now on to their first use.

    A start builds hundreds, for an eighth of its time, of which a process uses few. A model that cannot be built
    fails at its first use then; tests build all models at once.
    """
    # Imported only here: commands that need no model do without pydantic. Each model inherits the configuration of its
    # bases.
    import_module("pydantic").BaseModel.model_config["defer_build"] = True
