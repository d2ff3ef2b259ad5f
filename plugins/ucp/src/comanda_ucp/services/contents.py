"""The contents of carts: what an agent sends as rows of a cart, and the price of those."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from comanda.menu import MenuSnapshot
from comanda_storefront.api import CartContents, GuestDetails, PricedCart, price_cart, to_order_body

from comanda_ucp.schemas import CartBody, LineItem
from comanda_ucp.services.envelopes import create_message, create_warning
from comanda_ucp.services.fulfillment import UCP_CHANNEL, format_address, resolve_fulfillment
from comanda_ucp.services.item_ids import find_item
from comanda_ucp.services.sessions import Session
from comanda_ucp.services.stores import UcpStore

MAX_COUPON: Final = 32


@dataclass(frozen=True, slots=True)
class ReadLines:
    """The rows of what was sent; ``errors`` are about items that the store does not have."""

    rows: list[dict[str, Any]]
    warnings: list[Mapping[str, str]]
    errors: list[Mapping[str, str]]


def read_lines(store: UcpStore, lines: Sequence[LineItem]) -> ReadLines:
    """Return the rows of lines. Quantities above the limit of a line are reduced to it, with a warning."""
    read, limit = ReadLines([], [], []), UCP_CHANNEL.limits.quantity
    for place, line in enumerate(lines):
        found = find_item(store.menu, line.item.id)
        if found is None:
            text = f"Item not found: {line.item.id}"
            read.errors.append(create_message("not_found", text, "unrecoverable", f"$.line_items[{place}].item.id"))
            continue
        if line.quantity > limit:
            text = f"Quantity adjusted: {line.quantity} were requested, and at most {limit} can be ordered."
            read.warnings.append(create_warning("quantity_adjusted", text, f"$.line_items[{place}].quantity"))
        item, variant = found
        row = {"item_id": item.id, "quantity": min(line.quantity, limit), "variation": variant and variant.id}
        read.rows.append({**row, "extras": [], "note": None})
    return read


def list_stock_errors(rows: Sequence[Mapping[str, Any]], menu: MenuSnapshot) -> list[Mapping[str, str]]:
    """Return the lines that take more than there is; an order checks that once more when it is placed."""
    left: dict[tuple[int, int | None], int] = {}
    errors = []
    for place, row in enumerate(rows):
        item, variation = menu.items.get(row["item_id"]), row["variation"]
        stock = menu.stocks[1].get(variation) if variation else menu.stocks[0].get(row["item_id"])
        if item is None or item.allow_backorder or stock is None or not item.is_available:
            continue
        key = (item.id, variation)
        left[key] = left.get(key, stock) - row["quantity"]
        if left[key] < 0:
            text = f"There are {stock} of these."
            errors.append(create_message("out_of_stock", text, "recoverable", f"$.line_items[{place}].quantity"))
    return errors


def list_codes(body: CartBody) -> list[str]:
    """Return the codes of coupons that were sent."""
    return list(body.discounts.codes) if body.discounts is not None else []


def to_contents(store: UcpStore, rows: Sequence[Mapping[str, Any]], session: Session) -> CartContents:
    """Return the contents of a cart with a session."""
    code = resolve_fulfillment(store.menu.terms, session.fulfillment).code
    coupon = session.codes[0] if session.codes and len(session.codes[0]) <= MAX_COUPON else None
    return CartContents(code, [dict(row) for row in rows], coupon_code=coupon)


def to_guest(session: Session) -> GuestDetails:
    """Return the guest of an order: the buyer, or else who gets it."""
    person = {**(session.fulfillment.destination or {}), **session.buyer}
    name = " ".join(filter(None, (person.get("first_name"), person.get("last_name"))))
    return GuestDetails(name[:255] or None, person.get("phone_number"), None)


async def price_contents(
    store: UcpStore, contents: CartContents, session: Session, mode: str | None = None
) -> PricedCart:
    """Return the price of a cart, by default in the order type that was chosen."""
    body = to_order_body(replace(contents, type=mode or contents.type), to_guest(session))
    destination = session.fulfillment.destination
    if destination is not None:
        postcode = destination.get("postal_code")
        body = body.model_copy(update={"address": format_address(destination), "address_postcode": postcode})
    return await price_cart(store.caller, store.menu, body, UCP_CHANNEL, {})
