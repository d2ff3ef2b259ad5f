"""Metadata of a store's pages: previews of links, the canonical address, and the store as schema.org describes it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import DAYS, ItemCapability, VerticalGroup
from comanda.platform.photos import resize_url
from comanda.web import SCHEMA_ORG, PageMetadata, PreviewPhoto, shorten

from comanda_storefront.pages.store.photo_hosts import is_remote
from comanda_storefront.pages.store.store_templates import Objects, Template
from comanda_storefront.services.links import build_page_url

SITE_NAME: Final = "Comanda"
PREVIEW_WIDTH: Final = 1280
# A page of a large menu stays readable for programs, and small for guests.
MAX_DESCRIBED_ITEMS: Final = 50
MAX_DESCRIBED_EXCEPTIONS: Final = 20
TYPES: Final[Mapping[str, str]] = {
    VerticalGroup.FOOD: "Restaurant",
    VerticalGroup.GOODS: "Store",
    VerticalGroup.SERVICES: "LocalBusiness",
    VerticalGroup.STAYS: "Hotel",
}
# Schema.org's name of each diet that an item may be suitable for, by the flag that says so.
DIETS: Final[Mapping[str, str]] = {
    "is_vegan": "VeganDiet",
    "is_vegetarian": "VegetarianDiet",
    "is_halal": "HalalDiet",
    "is_kosher": "KosherDiet",
    "is_gluten_free": "GlutenFreeDiet",
    "is_lactose_free": "LowLactoseDiet",
}
# The other types describe what they sell as a catalogue of offers.
TYPES_WITH_MENU: Final = frozenset({"Restaurant", "Hotel"})
# Schema.org has no 24:00; a day that ends there is open until its last minute.
END_OF_DAY: Final = {"24:00": "23:59"}


def to_metadata(
    objects: Objects, template: Template, found: Objects | None, capabilities: Sequence[ItemCapability] = ()
) -> PageMetadata:
    """Return the metadata of a page from the objects of its theme; ``found`` are those of this page alone."""
    titles = template.get_titles(objects, found)
    item = found.get("item") if found else None
    store, items = objects["store"], [item] if item else objects["items_by_id"].values()
    cover = PreviewPhoto(store["cover_url"], store["title"]) if store["cover_url"] and item is None else None
    return PageMetadata(
        title=titles["page_title"],
        description=shorten(titles["page_description"] or _describe(objects)),
        url=build_page_url(f"{objects['store']['url']}{template.path}"),
        site_name=SITE_NAME,
        image=cover or _find_preview(items),
        document=_to_document(objects, template, found, capabilities),
        is_indexed=found is not None and template.name != "search",
        has_description=False,
    )


def _to_document(
    objects: Objects, template: Template, found: Objects | None, capabilities: Sequence[ItemCapability]
) -> Mapping[str, Any] | None:
    if found is None or template.name == "search":
        return None
    if template.name == "item":
        item = found["item"]
        # Only the page of the item itself has these, because the page of the menu must stay small.
        document = {"@context": SCHEMA_ORG, **_to_item(item, objects, is_alone=True)}
        for each in capabilities:
            if each.schema_org is not None:
                document.update(each.schema_org(item))
        return document
    categories = [found["category"]] if template.name == "category" else objects["categories"]
    return {"@context": SCHEMA_ORG, **_to_store(objects, categories)}


def _to_store(objects: Objects, categories: list[Any]) -> dict[str, Any]:
    store = objects["store"]
    kind = TYPES.get(store["vertical"]["group"], "LocalBusiness")
    photo = _find_preview(objects["items_by_id"].values())
    url = build_page_url(store["url"])
    facts: dict[str, Any] = {
        "@type": kind,
        "@id": f"{url}#store",
        "name": store["title"],
        "url": url,
        "telephone": store["phone"],
        "logo": store["logo_url"],
        "image": store["cover_url"] or (photo.url if photo else None),
        "address": _to_address(store),
        "openingHoursSpecification": list(_list_hours(store["hours"])) or None,
        "currenciesAccepted": store["currency"],
        "potentialAction": {"@type": "OrderAction", "target": url},
    }
    name, sold = _to_menu(kind, objects, categories)
    return {key: value for key, value in {**facts, name: sold}.items() if value}


def _to_address(store: Objects) -> dict[str, Any] | None:
    if not store["address"]:
        return None
    country = {"addressCountry": store["country"]} if store["country"] else {}
    return {"@type": "PostalAddress", "streetAddress": store["address"], **country}


def _to_menu(kind: str, objects: Objects, categories: list[Any]) -> tuple[str, dict[str, Any] | None]:
    """Return the property of the store that says what it sells, and its value."""
    left = MAX_DESCRIBED_ITEMS
    sections = []
    has_menu = kind in TYPES_WITH_MENU
    for category in categories:
        items = [_to_item(item, objects) for item in category["items"][:left]]
        left -= len(items)
        if items and has_menu:
            sections.append({"@type": "MenuSection", "name": category["name"], "hasMenuItem": items})
        elif items:
            sections.append({"@type": "OfferCatalog", "name": category["name"], "itemListElement": items})
    if has_menu:
        return "hasMenu", {"@type": "Menu", "hasMenuSection": sections} if sections else None
    catalog = {"@type": "OfferCatalog", "name": objects["store"]["title"], "itemListElement": sections}
    return "hasOfferCatalog", catalog if sections else None


def _to_item(item: Objects, objects: Objects, *, is_alone: bool = False) -> dict[str, Any]:
    """Return an item: with its offer for menus and pages of their own, or as what an offer of a catalogue is about."""
    store = objects["store"]
    kind = TYPES.get(store["vertical"]["group"], "LocalBusiness")
    has_menu = kind in TYPES_WITH_MENU
    thing = {
        "@type": "MenuItem" if has_menu else ("Service" if kind == "LocalBusiness" else "Product"),
        "name": item["name"],
        "description": shorten(item["description"]) if item.get("description") else None,
        "image": _get_own_photo(item),
        "url": build_page_url(item["url"]),
        "brand": {"@type": "Brand", "name": str(item["brand"])} if item.get("brand") and not has_menu else None,
        "suitableForDiet": [f"{SCHEMA_ORG}/{DIETS[flag]}" for flag in item.get("flags", ()) if flag in DIETS],
    }
    thing = {key: value for key, value in thing.items() if value}
    offer = {
        "@type": "Offer",
        "price": item["lowest_price"],
        "priceCurrency": store["currency"],
        "availability": f"{SCHEMA_ORG}/{'SoldOut' if item.get('is_sold_out') else 'InStock'}",
    }
    return {**thing, "offers": offer} if has_menu or is_alone else {**offer, "itemOffered": thing}


def _list_hours(hours: Mapping[str, Any] | None) -> Iterator[dict[str, Any]]:
    """Yield the weekly hours, and the next exceptions by date."""
    if hours is None:
        return
    for day in DAYS:
        for interval in hours.get(day, ()):
            yield {**_to_interval(interval), "dayOfWeek": f"{SCHEMA_ORG}/{day.capitalize()}"}
    yesterday = (clock.now() - timedelta(days=1)).date().isoformat()
    coming = [each for each in hours.get("exceptions", ()) if each["date"] >= yesterday]
    for exception in coming[:MAX_DESCRIBED_EXCEPTIONS]:
        dates = {"validFrom": exception["date"], "validThrough": exception["date"]}
        # A date on which a store is closed opens and closes at the same time.
        for interval in exception.get("intervals") or [{"open": "00:00", "close": "00:00"}]:
            yield {**_to_interval(interval), **dates}


def _to_interval(interval: Mapping[str, str]) -> dict[str, str]:
    closes = interval["close"]
    return {
        "@type": "OpeningHoursSpecification",
        "opens": interval["open"],
        "closes": END_OF_DAY.get(closes, closes),
    }


def _describe(objects: Objects) -> str:
    names = ", ".join(category["name"] for category in objects["categories"])
    return f"{objects['store']['title']}: {names}" if names else objects["store"]["title"]


def _find_preview(items: Any) -> PreviewPhoto | None:
    """Return the photo of the first popular item, or else of any; photos of other hosts are not shown unasked."""
    shown = [item for item in items if _get_own_photo(item)]
    chosen = next((item for item in shown if item.get("is_popular")), shown[0] if shown else None)
    return PreviewPhoto(_get_own_photo(chosen) or "", chosen["name"]) if chosen else None


def _get_own_photo(item: Objects) -> str | None:
    url = item["image_url"]
    return resize_url(url, PREVIEW_WIDTH) if url and not is_remote(url) else None
