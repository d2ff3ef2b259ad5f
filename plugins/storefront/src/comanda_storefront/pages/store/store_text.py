"""A store and its menu in Markdown, for programs that read pages, from the objects of its theme."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from comanda.contracts import DAYS, ItemCapability
from comanda.stores import Opening
from comanda.web import format_money, pgettext
from comanda.web import gettext as _

from comanda_storefront.pages.store.item_facts import list_capabilities, list_tables
from comanda_storefront.pages.store.store_templates import Objects
from comanda_storefront.pages.store.theme_objects import to_store_objects
from comanda_storefront.services.links import build_page_url
from comanda_storefront.services.published_stores import PublishedStore

# What begins or closes something in Markdown or HTML; the texts are owners'.
MARKUP: Final = re.compile(r"([\\`*_\[\]<>#|])")


def render_store(store: PublishedStore, opening: Opening) -> str:
    """Return the Markdown of a store: where it is, when it is open, and what it sells at which prices."""
    objects = to_store_objects(store.row, store.menu, opening, store.path).objects
    capabilities = list_capabilities(store.menu.terms)
    return "\n".join([*_list_store(objects["store"]), *_list_categories(objects, capabilities)]) + "\n"


def _list_store(store: Objects) -> Iterator[str]:
    yield f"# {_escape(store['title'])}"
    yield ""
    yield from (f"- {_escape(fact)}" for fact in (store["vertical"]["label"], store["address"], store["phone"]) if fact)
    yield f"- {pgettext('store', 'Open') if store['is_open'] else _('Closed')}"
    yield from (f"- {_escape(offer['name'])}" for offer in store["offers"])
    yield f"- {_escape(store['prices_note'])}"
    yield f"- <{build_page_url(store['url'])}>"
    for day in DAYS:
        intervals = [f"{each['open']} to {each['close']}" for each in (store["hours"] or {}).get(day, ())]
        if intervals:
            yield f"- {day.capitalize()}: {', '.join(intervals)}"


def _list_categories(objects: Objects, capabilities: Sequence[ItemCapability]) -> Iterator[str]:
    currency = objects["store"]["currency"]
    for category in objects["categories"]:
        yield ""
        yield f"## {_escape(category['name'])}"
        yield ""
        for item in category["items"]:
            yield from _list_item(item, currency)
            for table in list_tables(item, capabilities):
                rows = (f"{name} {text}" for name, text in table["rows"])
                yield f"  - {_escape(table['title'])}: {_escape(', '.join(rows))}"


def _list_item(item: Mapping[str, Any], currency: str) -> Iterator[str]:
    price = format_money(item["lowest_price"], currency)
    sold_out = [_("Sold out")] if item.get("is_sold_out") else []
    yield f"- **{_escape(item['name'])}**, {', '.join([price, *sold_out, *map(_escape, item['facts'])])}"
    if item.get("description"):
        yield f"  {_escape(item['description'])}"
    if len(item["variations"]) > 1:
        for each in item["variations"]:
            yield f"  - {_escape(each['name'])}: {format_money(each['price'], currency)}"
    for group in item["extra_groups"]:
        extras = (f"{_escape(each['name'])} +{format_money(each['price'], currency)}" for each in group["extras"])
        yield f"  - {_escape(group['name'])} ({group['rule']}): {', '.join(extras)}"


def _escape(text: str) -> str:
    return MARKUP.sub(r"\\\1", " ".join(str(text).split()))
