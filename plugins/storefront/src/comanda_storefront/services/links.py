"""Links to the pages for guests."""

from urllib.parse import quote

from comanda.platform import runtime


def build_page_url(path: str) -> str:
    """Return the address of a store's page by its path: at the store's own host, if it has one."""
    return runtime.registry().page_url(runtime.settings().site_url, path)


def build_store_url(slug: str, table_number: str | None = None) -> str:
    """Return the URL of a store's page, or of one of its tables."""
    table = f"?table={quote(table_number, safe='')}" if table_number else ""
    return f"{build_page_url(f'/s/{slug}')}{table}"


def build_tracking_url(store_id: int, track_token: str) -> str:
    """Return the URL of an order's tracking page, which needs no login."""
    return f"{runtime.registry().guest_site_url(runtime.settings().site_url, store_id)}/t/{track_token}"
