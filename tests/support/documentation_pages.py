"""The pages of the documentation: all of them, and those that a browser judges for the others."""

from comanda.web.api_reference.catalog import Catalog
from installed_plugins import get_registry

_REGISTRY = get_registry()
PAGES = [
    "/docs/",
    "/docs/search?q=order",
    "/docs/guide/",
    *(f"/docs/{section.name}/" for section in Catalog(_REGISTRY).sections),
    *(f"/docs/guide/{chapter.name}" for chapter in _REGISTRY.docs.values()),
]
# Every kind of element that any page has is on one of these, as a test of all pages holds.
JUDGED_PAGES = (
    "/docs/",
    "/docs/search?q=order",
    "/docs/guide/",
    *(f"/docs/{name}/" for name in ("orders", "events", "menu", "stores", "subscription", "themes")),
    *(f"/docs/guide/{name}" for name in ("api", "marketplace", "wallet", "start", "pharmacy", "reference")),
)
