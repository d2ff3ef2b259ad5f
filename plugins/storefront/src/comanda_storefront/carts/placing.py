"""Turns a cart into an order, once, however often it is asked for."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from comanda import money
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.mcp import FailedResult
from comanda.contracts.order_bodies import OrderBody
from comanda.encoding import to_json
from comanda.errors import ValidationFailed
from comanda.menu import public_view
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import placement, queries
from comanda.orders.idempotency import OrderKeys

from comanda_storefront.carts import services, storing
from comanda_storefront.carts.converting import FIELD, Claim
from comanda_storefront.carts.problems import messages_of
from comanda_storefront.carts.schemas import Message
from comanda_storefront.carts.storing import contents_of
from comanda_storefront.channels import AGENT_CHANNEL, store_of
from comanda_storefront.errors import CartMoved, KeyReused, PriceChanged
from comanda_storefront.models import Cart
from comanda_storefront.ordering import placed_record

# How often a cart is read again that another call has changed meanwhile.
ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Wish:
    """How to place a cart: ``guest`` are fields of the order's body, ``expected_total`` is in the currency."""

    guest: dict[str, Any]
    key: str | None = None
    expected_total: float | None = None


async def place(caller: Caller, handle: str, wish: Wish) -> dict[str, Any] | FailedResult:
    """Place a cart's order, or return the one that it has become. What stands in the way comes with the cart.

    Raises ``NotFound``; ``KeyReused`` for a key that has placed an order with other contents. Emits ``OrderCreated``.
    """
    menu = await public_view.get_public_menu(store_of(caller))
    expected = _expected(wish, menu)
    for _ in range(ATTEMPTS):
        cart = await storing.find(caller, handle)
        if cart.order_id is not None:
            return _done(await queries.get_order(caller.owner_id, cart.store_id, cart.order_id), "already_placed")
        try:
            return await _placed(caller, cart, wish, Claim(cart.id, cart.version, expected))
        except CartMoved:
            continue
        except KeyReused:
            # Another call may have placed this very cart meanwhile, with the same key and another name.
            if (await storing.find(caller, handle)).order_id is None:
                raise
        except PriceChanged as changed:
            return await _refused(caller, handle, cart, wish, [_price_changed(changed, menu)])
        except ValidationFailed as error:
            order = services.order_of(contents_of(cart), **wish.guest)
            return await _refused(caller, handle, cart, wish, messages_of(error, order, menu))
    raise CartMoved


async def _placed(caller: Caller, cart: Cart, wish: Wish, claim: Claim) -> dict[str, Any]:
    body = services.body_of(contents_of(cart), **wish.guest)
    raw = to_json(body)
    keys = OrderKeys(wish.key, None, hashlib.sha256(raw).digest())
    made = await placement.place_order(
        caller, AGENT_CHANNEL, cart.store_id, Unvalidated(OrderBody, raw), keys, {FIELD: claim}
    )
    if made.is_mismatch:
        raise KeyReused
    return await _settled(cart, made)


async def _settled(cart: Cart, made: IdempotentResult) -> dict[str, Any]:
    if not made.is_replay:
        return _done(made.record)
    await storing.bind(cart, made.record["id"])
    return _done(made.record, "already_placed")


def _done(order: dict[str, Any], code: str | None = None) -> dict[str, Any]:
    text = "This order was placed before; it has not been placed again."
    messages = [Message(type="info", code=code, path=None, text=text)] if code else []
    return {"order": placed_record(order), "cart": None, "messages": messages}


async def _refused(caller: Caller, handle: str, cart: Cart, wish: Wish, messages: list[Message]) -> FailedResult:
    menu = await public_view.get_public_menu(store_of(caller))
    quote = await services.look(caller, handle, cart, menu, **wish.guest)
    first = messages[0]
    return FailedResult({"order": None, "cart": quote, "messages": messages, "code": first.code, "message": first.text})


def _price_changed(changed: PriceChanged, menu: MenuSnapshot) -> Message:
    total = money.to_decimal_string(changed.total_minor, menu.terms.currency)
    text = f"The total is {total} {menu.terms.currency} now. Nothing was ordered: ask the guest, then expect that."
    return Message(type="error", code="price_changed", path="expected_total", text=text)


def _expected(wish: Wish, menu: MenuSnapshot) -> int | None:
    if wish.expected_total is None:
        return None
    try:
        return money.to_minor(wish.expected_total, menu.terms.currency)
    except ValueError as error:
        raise ValidationFailed(expected_total=[str(error)]) from error
