"""Links to the pages for guests."""

from urllib.parse import quote

from comanda.platform import runtime


def build_store_url(slug: str, table_number: str | None = None) -> str:
    """Return the URL of a store's page, or of one of its tables."""
    table = f"?table={quote(table_number, safe='')}" if table_number else ""
    return f"{runtime.settings().site_url}/s/{quote(slug, safe='')}{table}"


def build_tracking_url(track_token: str) -> str:
    """Return the URL of an order's tracking page, which needs no login."""
    return f"{runtime.settings().site_url}/t/{track_token}"
