"""What every answer has: the version and the capabilities, and messages about errors.

Source: Universal Commerce Protocol 2026-04-08, overview and REST bindings.
"""

from collections.abc import Mapping, Sequence
from typing import Final

VERSION: Final = "2026-04-08"
SITE: Final = f"https://ucp.dev/{VERSION}"
SERVICE: Final = "dev.ucp.shopping"
CHECKOUT: Final = f"{SERVICE}.checkout"
CART: Final = f"{SERVICE}.cart"
SEARCH: Final = f"{SERVICE}.catalog.search"
LOOKUP: Final = f"{SERVICE}.catalog.lookup"
FULFILLMENT: Final = f"{SERVICE}.fulfillment"
DISCOUNT: Final = f"{SERVICE}.discount"
# What each capability is an extension of, and the names of its page and of its schema.
CAPABILITIES: Final[Mapping[str, tuple[tuple[str, ...], str, str]]] = {
    SEARCH: ((), "catalog/search", "catalog_search"),
    LOOKUP: ((), "catalog/lookup", "catalog_lookup"),
    CART: ((), "cart", "cart"),
    CHECKOUT: ((), "checkout", "checkout"),
    FULFILLMENT: ((CHECKOUT,), "fulfillment", "fulfillment"),
    DISCOUNT: ((CHECKOUT, CART), "discount", "discount"),
}


def describe(*capabilities: str, is_error: bool = False) -> Mapping[str, object]:
    """Return the part ``ucp`` of an answer."""
    answered = {name: [{"version": VERSION}] for name in capabilities}
    return {
        "version": VERSION,
        "status": "error" if is_error else "success",
        **({"capabilities": answered} if answered else {}),
    }


def create_error(code: str, content: str, continue_url: str | None = None) -> Mapping[str, object]:
    """Return the answer that says why there is no resource."""
    return create_error_answer([create_message(code, content, "unrecoverable")], continue_url)


def create_error_answer(messages: Sequence[Mapping[str, str]], continue_url: str | None = None) -> Mapping[str, object]:
    """Return the answer without a resource, with these messages."""
    link = {"continue_url": continue_url} if continue_url else {}
    return {"ucp": describe(is_error=True), "messages": list(messages), **link}


def create_message(code: str, content: str, severity: str, path: str | None = None) -> Mapping[str, str]:
    """Return an error as a message."""
    where = {"path": path} if path else {}
    return {"type": "error", "code": code, "content": content, "severity": severity, **where}


def create_warning(code: str, content: str, path: str | None = None) -> Mapping[str, str]:
    """Return a warning as a message."""
    where = {"path": path} if path else {}
    return {"type": "warning", "code": code, "content": content, **where}
