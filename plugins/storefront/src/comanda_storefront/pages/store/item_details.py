"""What the item dialog of a store's page shows: pictures, facts and options, requested when a guest opens it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from comanda.basics import NotFound
from comanda.contracts import ItemCapability, OfferedItem, Picture
from comanda.menu import MenuSnapshot, to_public_item_json
from comanda.platform import runtime

from comanda_storefront.pages.checkout.order_options import to_choices
from comanda_storefront.pages.store.item_facts import (
    list_capabilities,
    list_capability_facts,
    list_facts,
    list_price_facts,
    list_reductions,
    list_tables,
)
from comanda_storefront.services import published_stores

WEB_SCHEMES: Final = ("http", "https")


async def get_item_details(slug: str, item_id: int, mode: str | None, cookies: Mapping[str, str]) -> dict[str, Any]:
    """Return an item on a store's menu, with pictures and options, for a guest's browser. Raises ``NotFound``.

    Its prices are those of the mode, or of all modes.
    """
    store = await published_stores.get_priced_store(slug, mode)
    item = store.menu.items.get(item_id)
    if item is None or not item.is_on_menu:
        raise NotFound
    terms = store.menu.terms
    capabilities = list_capabilities(terms)
    public = to_public_item_json(item, terms.vertical, terms.currency)
    tables = list_tables(public, capabilities)
    return {
        "id": item.id,
        "name": item.name,
        "description": item.description,
        "price": item.price_minor,
        "is_sold_out": not item.is_available,
        "facts": [
            *list_reductions(public, None, terms.currency),
            *list_facts(public, capabilities, terms.currency),
            *list_capability_facts(public, capabilities, cookies),
        ],
        **({"tables": tables} if tables else {}),
        "pictures": list_pictures(item),
        **to_choices(
            item,
            {
                each["id"]: " · ".join(facts)
                for each in public["variations"]
                if (
                    facts := [
                        *list_reductions(public, each["name"], terms.currency),
                        *list_price_facts(public, each["name"], capabilities, terms.currency),
                    ]
                )
            },
            dict(_list_facts_of_choices(item, store.menu, capabilities)),
        ),
    }


def _list_facts_of_choices(
    combo: OfferedItem, menu: MenuSnapshot, capabilities: Sequence[ItemCapability]
) -> Iterator[tuple[int, str]]:
    """Yield the id of each item's choice in a combo, and what is worth knowing of it, such as what it contains."""
    terms = menu.terms
    for extra in combo.extra_by_id.values():
        item = menu.items.get(extra.item_id or 0)
        facts = (
            []
            if item is None
            else list_facts(to_public_item_json(item, terms.vertical, terms.currency), capabilities, terms.currency)
        )
        if facts:
            yield extra.id, " · ".join(facts)


def list_pictures(item: OfferedItem) -> list[dict[str, Any]]:
    """Return an item's pictures, its main one first; an external one is loaded only if the guest agreed to that."""
    pictures = list(item.gallery)
    if item.image_url and item.image_url not in {picture.url for picture in pictures}:
        pictures.insert(0, Picture(None, item.image_url, item.name))
    return [found for picture in pictures if (found := _to_picture(picture)) is not None]


def _to_picture(picture: Picture) -> dict[str, Any] | None:
    try:
        parts = urlsplit(picture.url)
    except ValueError:
        return None
    if parts.scheme not in WEB_SCHEMES:
        return None
    return {
        "url": picture.url,
        "srcset": ", ".join(f"{size.url} {size.width}w" for size in picture.sizes) or None,
        "alt": picture.alt,
        "is_external": parts.netloc != urlsplit(runtime.settings().site_url).netloc,
    }
