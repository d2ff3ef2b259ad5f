"""Addresses of the pages that a store's guests open."""

from urllib.parse import quote

from comanda import runtime


def store_url(slug: str, table_number: str | None = None) -> str:
    """Return the address of a store's page, of one of its tables if named."""
    table = f"?table={quote(table_number, safe='')}" if table_number else ""
    return f"{runtime.settings().site_url}/s/{quote(slug, safe='')}{table}"


def tracking_url(track_token: str) -> str:
    """Return the address at which whoever placed an order goes on with it: it needs no login."""
    return f"{runtime.settings().site_url}/t/{track_token}"
