"""Links to the pages for guests."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from comanda.orders import Order
from comanda.platform import runtime


def build_page_url(path: str) -> str:
    """Return the address of a store's page by its path: at the store's own host, if it has one."""
    return runtime.registry().page_url(runtime.settings().site_url, path)


def build_store_url(slug: str, table_number: str | None = None) -> str:
    """Return the URL of a store's page, or of one of its tables."""
    table = f"?table={quote(table_number, safe='')}" if table_number else ""
    return f"{build_page_url(f'/s/{slug}')}{table}"


def build_round_path(slug: str, order: Order) -> str:
    """Return the path of a store's page on which guests add to an order, by the token that they have of it.

    The token is in the fragment, which browsers do not send.
    """
    table = quote(order.table_number or "", safe="")
    return f"/s/{slug}?table={table}#{urlencode({'check': order.track_token, 'number': order.number})}"


def build_cart_url(slug: str, lines: Iterable[Mapping[str, Any]], mode: str, coupon_code: str | None = None) -> str:
    """Return the URL of a store's page that puts these lines into the guest's cart and opens the checkout.

    What the guest said of themselves, and the extras of a line, are not in it.
    """
    items = ",".join(
        f"{line['item_id']}{f'-{variation}' if (variation := line.get('variation')) else ''}:{line['quantity']}"
        for line in lines
    )
    coupon = {"coupon": coupon_code} if coupon_code else {}
    return f"{build_store_url(slug)}?{urlencode({'items': items, 'mode': mode, **coupon}, safe=':,')}"


def build_continue_url(order: Order) -> str:
    """Return the URL of the page on which guests go on with an order: its payment page if it has to be paid first."""
    payments = runtime.registry().online_payments
    if payments is not None and order.awaits_payment:
        return payments.get_page_url(order.store_id, order.track_token)
    return build_tracking_url(order.store_id, order.track_token)


def build_tracking_url(store_id: int, track_token: str) -> str:
    """Return the URL of an order's tracking page, which needs no login."""
    return f"{runtime.registry().guest_site_url(runtime.settings().site_url, store_id)}/t/{track_token}"
