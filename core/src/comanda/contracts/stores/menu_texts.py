"""The texts of menus in the languages of guests."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MenuTexts:
    """What the names and descriptions on a store's menu are in other languages.

    ``load`` is awaited with the ids of the owner and of the store and with the code of a language, once for each
    version of the menu and process. It returns texts by the text on the menu; what it leaves out is shown as it is. A
    plugin that changes texts announces it with ``comanda.menu.services.bump_version``, in the same transaction.
    """

    name: str
    load: Callable[[int, int, str], Awaitable[Mapping[str, str]]]
