"""The address at which whoever holds an order's track token pays for it."""

from urllib.parse import quote

from comanda import runtime


def pay_path(token: str, said: str | None = None) -> str:
    """Return the path of the page, with why somebody is back there."""
    return f"/pay/{quote(token, safe='')}" + (f"?said={said}" if said else "")


def pay_url(token: str) -> str:
    """Return the whole address."""
    return runtime.settings().site_url + pay_path(token)
