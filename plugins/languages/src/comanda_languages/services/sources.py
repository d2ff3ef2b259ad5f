"""The texts of a menu that can be translated: its names and descriptions, each once."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson
from comanda.contracts import Caller
from comanda.menu import owner_view

from comanda_languages.records import Use


async def list_sources(caller: Caller, store_id: int) -> dict[str, Use]:
    """Return the texts of a store's menu in its order, and where each stands first. Raises ``NotFound``."""
    menu = orjson.loads(await owner_view.get_owner_menu(caller, store_id))
    sources: dict[str, Use] = {}
    for category in menu:
        for text, use in _list_texts(category):
            if text:
                sources.setdefault(text, use)
    return sources


def _list_texts(category: Mapping[str, Any]) -> Iterator[tuple[str | None, Use]]:
    yield category["name"], Use.CATEGORY
    for item in category["items"]:
        yield item["name"], Use.ITEM
        yield item["description"], Use.DESCRIPTION
        for variation in item["variations"]:
            yield variation["name"], Use.VARIATION
        for group in item["extra_groups"]:
            yield group["name"], Use.GROUP
            for extra in group["extras"]:
                yield extra["name"], Use.EXTRA
