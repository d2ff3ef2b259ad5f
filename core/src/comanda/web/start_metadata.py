"""Metadata of the start page: the site, and the stores that it lists."""

from typing import Any, Final
from urllib.parse import quote

from comanda.platform import runtime
from comanda.platform.photos.urls import resize_url
from comanda.web.languages.translations import gettext as _
from comanda.web.metadata import SCHEMA_ORG, PageMetadata, PreviewPhoto
from comanda.web.store_directory import STORES_PER_PAGE, StorePage

SITE_NAME: Final = "Comanda"


def to_metadata(found: StorePage) -> PageMetadata:
    """Return the metadata of a page of the list; results of a search are not for search engines."""
    site = f"{runtime.settings().site_url}/"
    shown = next((store for store in found.stores if store.photo is not None), None)
    return PageMetadata(
        title=f"{_('Find a store and order')} · {SITE_NAME}",
        description=_("Order from local restaurants, shops and services."),
        url=f"{site}?page={found.page}" if found.page > 1 else site,
        site_name=SITE_NAME,
        image=PreviewPhoto(resize_url(shown.photo.url, 1280), shown.title)
        if shown is not None and shown.photo is not None
        else None,
        document=_to_document(found, site),
        is_indexed=not found.search,
    )


def _to_document(found: StorePage, site: str) -> dict[str, Any]:
    first = (found.page - 1) * STORES_PER_PAGE + 1
    elements = [
        {"@type": "ListItem", "position": position, "name": store.title, "url": store.url}
        for position, store in enumerate(found.stores, start=first)
        if store.url is not None
    ]
    search = {
        "@type": "SearchAction",
        "target": {"@type": "EntryPoint", "urlTemplate": f"{site}?q={quote('{search_term_string}', safe='{}')}"},
        "query-input": "required name=search_term_string",
    }
    website = {"@type": "WebSite", "@id": f"{site}#site", "name": SITE_NAME, "url": site, "potentialAction": search}
    return {"@context": SCHEMA_ORG, "@graph": [website, {"@type": "ItemList", "itemListElement": elements}]}
