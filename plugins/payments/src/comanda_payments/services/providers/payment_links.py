"""Links to the payment page of an order, for anyone who has its track token."""

from urllib.parse import quote

from comanda.platform import runtime


def get_payment_path(token: str, notice: str | None = None) -> str:
    """Return the path of the payment page, with a notice to show there."""
    return f"/pay/{quote(token, safe='')}" + (f"?said={notice}" if notice else "")


def get_payment_url(store_id: int, token: str) -> str:
    """Return the URL of the payment page of an order of a store."""
    return runtime.registry().guest_site_url(runtime.settings().site_url, store_id) + get_payment_path(token)
