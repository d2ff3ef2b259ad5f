"""The menu as a catalog: each item is a product, each of its variations a variant."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urljoin

import orjson
from comanda.basics import split_words
from comanda.contracts import ItemVariant, OfferedItem
from comanda.menu import MenuSnapshot, PriceChannel, get_at_prices
from comanda.platform import runtime

from comanda_ucp.schemas import ItemBody, LookupBody, SearchBody, SelectedOption
from comanda_ucp.services.envelopes import LOOKUP, SEARCH, create_message, describe
from comanda_ucp.services.item_ids import find_item, format_id
from comanda_ucp.services.stores import UcpStore

MAX_ITEMS: Final = 50
# The name of the choice between variations that have no options of their own.
VARIATION: Final = "Variation"

Choice = tuple[OfferedItem, ItemVariant | None]


async def search_items(store: UcpStore, body: SearchBody) -> Mapping[str, object]:
    """Return the products whose names, descriptions and categories have all words of a query."""
    menu, headings = await _load_menu(store)
    wanted, filters = split_words(body.query), body.filters
    found = [
        item
        for item in menu.items.values()
        if item.is_on_menu
        and item.category_id in headings
        and (not filters.categories or headings[item.category_id] in filters.categories)
        and _is_in_range(item, filters.price.min, filters.price.max)
        and _has_words(item, headings[item.category_id], wanted)
    ]
    first, limit = int(body.pagination.cursor or 0), min(body.pagination.limit, MAX_ITEMS)
    shown, has_more = found[first : first + limit], len(found) > first + limit
    return {
        "ucp": describe(SEARCH),
        "products": [_to_item(store, item, headings, _list_choices(item)) for item in shown],
        "pagination": {
            "has_next_page": has_more,
            "total_count": len(found),
            **({"cursor": str(first + limit)} if has_more else {}),
        },
    }


async def look_up_items(store: UcpStore, body: LookupBody) -> Mapping[str, object]:
    """Return the products of these ids; the id of a product stands for its first variant that can be ordered."""
    menu, headings = await _load_menu(store)
    choices: dict[int, dict[int, tuple[Choice, list[Mapping[str, str]]]]] = {}
    missing: list[str] = []
    for text in dict.fromkeys(body.ids):
        found = find_item(menu, text)
        if found is None:
            missing.append(text)
            continue
        is_exact = found[1] is not None or not found[0].variant_by_id
        choice = found if is_exact else _choose_featured(_list_choices(found[0]))
        variants = choices.setdefault(found[0].id, {})
        _, inputs = variants.setdefault(choice[1].id if choice[1] else 0, (choice, []))
        inputs.append({"id": text, "match": "exact" if is_exact else "featured"})
    products = []
    for variants in choices.values():
        listed = list(variants.values())
        product = _to_item(store, listed[0][0][0], headings, [choice for choice, _ in listed])
        shown = [{**each, "inputs": inputs} for each, (_, inputs) in zip(product["variants"], listed, strict=True)]
        products.append({**product, "variants": shown})
    messages = [{"type": "info", "code": "not_found", "content": text} for text in missing]
    return {"ucp": describe(LOOKUP), "products": products, **({"messages": messages} if messages else {})}


async def get_item(store: UcpStore, body: ItemBody) -> Mapping[str, object]:
    """Return a product with the variants that have what was selected, as far as there are any."""
    menu, headings = await _load_menu(store)
    found = find_item(menu, body.id)
    if found is None:
        message = create_message("not_found", f"Product not found: {body.id}", "unrecoverable")
        return {"ucp": describe(LOOKUP, is_error=True), "messages": [message]}
    item, variant = found
    choices = _list_choices(item)
    if not item.variant_by_id:
        return {"ucp": describe(LOOKUP), "product": _to_item(store, item, headings, choices)}
    asked = _order_by_preference(body.selected, body.preferences)
    featured = (item, variant) if variant is not None else _choose_featured(choices)
    selected = asked or list(_get_options(featured[1]).items())
    while not (matching := [each for each in choices if set(selected) <= _get_options(each[1]).items()]):
        selected = selected[:-1]
    product = _to_item(store, item, headings, matching, listed=choices)
    chosen = [{"name": name, "label": label} for name, label in selected]
    return {"ucp": describe(LOOKUP), "product": {**product, "selected": chosen}}


async def _load_menu(store: UcpStore) -> tuple[MenuSnapshot, Mapping[int, str]]:
    """Return the menu at agents' prices, and the names of its categories by their ids."""
    menu = await get_at_prices(store.menu, None, PriceChannel.AGENT)
    return menu, {category["id"]: category["name"] for category in orjson.loads(menu.public)}


def _has_words(item: OfferedItem, category: str, wanted: Sequence[str]) -> bool:
    if not wanted:
        return True
    text = " ".join(split_words(f"{item.name} {category} {item.description or ''}", max_words=None))
    return all(word in text for word in wanted)


def _is_in_range(item: OfferedItem, lowest: int | None, highest: int | None) -> bool:
    prices = [_get_price(choice) for choice in _list_choices(item)]
    return (lowest is None or max(prices) >= lowest) and (highest is None or min(prices) <= highest)


def _list_choices(item: OfferedItem) -> Sequence[Choice]:
    """Return an item in each of its variations, or as it is."""
    return [(item, variant) for variant in item.variant_by_id.values()] or [(item, None)]


def _choose_featured(choices: Sequence[Choice]) -> Choice:
    return next((each for each in choices if _is_available(each)), choices[0])


def _get_price(choice: Choice) -> int:
    item, variant = choice
    return item.price_minor if variant is None else variant.price_minor


def _is_available(choice: Choice) -> bool:
    item, variant = choice
    return item.is_available and not item.is_used_up(item.stock if variant is None else variant.stock)


def _get_options(variant: ItemVariant | None) -> Mapping[str, str]:
    if variant is None:
        return {}
    return dict(variant.options) or {VARIATION: variant.name}


def _order_by_preference(selected: Sequence[SelectedOption], preferences: Sequence[str]) -> list[tuple[str, str]]:
    """Return what was selected by name, what matters most first."""
    rank = {name: place for place, name in enumerate(preferences)}
    by_name = {each.name: each.label for each in selected}
    return sorted(by_name.items(), key=lambda option: rank.get(option[0], len(rank)))


def _to_item(
    store: UcpStore,
    item: OfferedItem,
    headings: Mapping[int, str],
    choices: Sequence[Choice],
    listed: Sequence[Choice] = (),
) -> Mapping[str, Any]:
    prices = [_get_price(choice) for choice in _list_choices(item)]
    options: dict[str, dict[str, None]] = {}
    for _, variant in listed or choices:
        for name, label in _get_options(variant).items():
            options.setdefault(name, {})[label] = None
    media = _list_media(item)
    heading = headings.get(item.category_id)
    return {
        "id": format_id(item),
        "title": item.name,
        "description": {"plain": item.description or item.name},
        "url": store.build_item_url(item.id),
        **({"categories": [{"value": heading, "taxonomy": "merchant"}]} if heading else {}),
        "price_range": {"min": _to_price(store, min(prices)), "max": _to_price(store, max(prices))},
        **({"media": media} if media else {}),
        **({"options": [_to_option(name, labels) for name, labels in options.items()]} if options else {}),
        "variants": [_to_variant(store, choice) for choice in choices],
    }


def _to_variant(store: UcpStore, choice: Choice) -> Mapping[str, Any]:
    item, variant = choice
    options = [{"name": name, "label": label} for name, label in _get_options(variant).items()]
    return {
        "id": format_id(item, variant),
        **({"sku": variant.sku} if variant is not None and variant.sku else {}),
        "title": item.name if variant is None else variant.name,
        "description": {"plain": item.description or item.name},
        "price": _to_price(store, _get_price(choice)),
        "availability": {"available": _is_available(choice)},
        **({"options": options} if options else {}),
    }


def _to_option(name: str, labels: Mapping[str, None]) -> Mapping[str, object]:
    return {"name": name, "values": [{"label": label} for label in labels]}


def _to_price(store: UcpStore, amount_minor: int) -> Mapping[str, object]:
    return {"amount": amount_minor, "currency": store.currency}


def _list_media(item: OfferedItem) -> list[Mapping[str, str]]:
    pictures = [(each.url, each.alt) for each in item.gallery]
    if item.image_url and not pictures:
        pictures.append((item.image_url, item.name))
    return [{"type": "image", "url": to_absolute(url), "alt_text": alt} for url, alt in pictures]


def to_absolute(url: str) -> str:
    """Return the address of a picture, which may be a path of this installation."""
    return urljoin(f"{runtime.settings().site_url}/", url)
