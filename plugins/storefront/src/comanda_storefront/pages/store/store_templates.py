"""The pages of a store by their templates: what each shows of the menu, and its titles."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.basics import fold
from comanda.web import gettext as _

MAX_QUERY_LENGTH: Final = 100
Objects = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Template:
    """One page: the name of its template, the path below the store's, and the category, item or words it is about."""

    name: str
    path: str = ""
    subject: str | None = None

    @property
    def is_cacheable(self) -> bool:
        """Whether there are few pages of this kind."""
        return self.name != "search"

    def find_objects(self, objects: Objects) -> Objects | None:
        """Return the objects that this page has beside those of all pages, or None if its subject does not exist."""
        if self.name == "search":
            return {"search": _search(objects, self.subject)}
        if self.name not in {"category", "item"}:
            return {}
        kind = "categories_by_id" if self.name == "category" else "items_by_id"
        found = objects[kind].get(self.subject)
        return None if found is None else {self.name: found}

    def get_titles(self, objects: Objects, found: Objects | None) -> dict[str, Any]:
        """Return ``page_title`` and ``page_description``."""
        title = objects["store"]["title"]
        if found is None:
            return {"page_title": title, "page_description": None}
        subject = found.get(self.name) if self.name in {"category", "item"} else None
        if subject is None:
            return {"page_title": title, "page_description": _("Order online from %(store)s.", store=title)}
        return {"page_title": f"{subject['name']} · {title}", "page_description": subject.get("description")}


INDEX: Final = Template("index")
MENU: Final = Template("menu", "/menu")


def to_category_template(category_id: int) -> Template:
    """Return the page of a category."""
    return Template("category", f"/categories/{category_id}", str(category_id))


def to_item_template(item_id: int) -> Template:
    """Return the page of an item."""
    return Template("item", f"/items/{item_id}", str(item_id))


def to_search_template(query: str) -> Template:
    """Return the page of a search."""
    return Template("search", "/search", query.strip()[:MAX_QUERY_LENGTH] or None)


def _search(objects: Objects, query: str | None) -> dict[str, Any]:
    words = fold(query or "").split()
    items = [item for category in objects["categories"] for item in category["items"]]
    found = [item for item in items if words and all(word in _to_text(item) for word in words)]
    return {"query": query, "items": found}


def _to_text(item: Objects) -> str:
    return fold(f"{item['name']} {item.get('description') or ''}")
