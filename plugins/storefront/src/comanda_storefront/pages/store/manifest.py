"""The web manifest of a store's page, with which guests add it to their home screen."""

from collections.abc import Mapping

from comanda.stores import to_picture_url
from comanda.web import current_language, list_app_icons

from comanda_storefront.services.published_stores import PublishedStore


def to_manifest(store: PublishedStore) -> Mapping[str, object]:
    """Return the manifest of a store: its name and its logo, and the platform's icon in the sizes that it may lack."""
    language = current_language()
    logo = to_picture_url(store.row["id"], store.row["logo_hash"])
    icons = [{"src": logo, "sizes": "any", "type": "image/webp", "purpose": "any"}] if logo else []
    return {
        "id": store.path,
        "name": store.row["title"],
        "short_name": store.row["title"],
        "start_url": store.path,
        "scope": store.path,
        "display": "minimal-ui",
        "lang": language.code,
        "dir": language.direction,
        "icons": [*icons, *list_app_icons()],
    }
