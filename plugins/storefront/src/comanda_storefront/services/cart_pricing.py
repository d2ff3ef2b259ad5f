"""The pricing of a cart: like an order's, but excluding lines and fields with errors. Without side effects."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comanda.basics import money
from comanda.contracts import Caller, DraftLine, OrderBody, OrderPromotion, Problem
from comanda.menu import MenuSnapshot
from comanda.orders import OrderChannel, OrderCharge, draft_order, list_charges, prepare_order, pricing

from comanda_storefront.records import CartMessage
from comanda_storefront.services.cart_messages import parse_line_position, to_messages
from comanda_storefront.services.channels import AGENT_CHANNEL

# The guest is named only when the order is placed.
PLACEHOLDER_GUEST: Final = {"customer_name": "-", "phone": "+1 0000000000"}


@dataclass(frozen=True, slots=True)
class PricedCart:
    """The lines that can be ordered, by position in the cart. ``quote`` is None if there are none.

    ``charges`` are those besides the service charge and the delivery fee.
    """

    lines: Mapping[int, tuple[DraftLine, pricing.PricedLine]]
    quote: pricing.Quote | None
    charges: tuple[OrderCharge, ...]
    coupon_code: str | None
    promotions: tuple[OrderPromotion, ...]
    messages: tuple[CartMessage, ...]


async def price_cart(
    caller: Caller,
    menu: MenuSnapshot,
    order: OrderBody,
    channel: OrderChannel = AGENT_CHANNEL,
    placeholders: Mapping[str, str] = PLACEHOLDER_GUEST,
) -> PricedCart:
    """Price a cart's order without the parts that cannot be ordered, which are reported in ``messages``.

    A name or a phone number of the guest that is missing is not reported if ``placeholders`` has one.
    """
    prepared = await prepare_order(order, menu, caller)
    missing = {name: text for name, text in placeholders.items() if not getattr(order, name)}
    order = order.model_copy(update=missing)
    drafted = draft_order(order, menu, channel, caller, is_quote=True, prepared=prepared)
    messages = to_messages(sorted(drafted.problems, key=_is_about_guest), order, menu)
    if drafted.fault is not None:
        messages.append(CartMessage(type="error", code=drafted.fault.code, path=None, text=drafted.fault.message))
    promotions = tuple(each for each in drafted.contributions.promotions if each.amount_minor)
    messages += [_to_message(each, drafted.currency) for each in promotions]
    if drafted.mode is None or not drafted.lines:
        return PricedCart({}, None, (), None, (), tuple(messages))
    return PricedCart(
        drafted.list_body_lines(),
        drafted.quote,
        list_charges(drafted.quote, drafted.contributions.charges),
        drafted.contributions.coupon_code,
        promotions,
        tuple(messages),
    )


def _to_message(promotion: OrderPromotion, currency: str) -> CartMessage:
    amount = money.to_decimal_string(promotion.amount_minor, currency)
    return CartMessage("info", "promotion", None, f"{promotion.name}: {amount} {currency} off, part of discount_total.")


def _is_about_guest(problem: Problem) -> bool:
    """Return whether a problem is about what the guest still has to say; such problems come last."""
    return not problem.extras and parse_line_position(problem.field) is None
