"""What stands against a cart, by the codes of the protocol and with what an agent can do about it."""

from collections.abc import Mapping, Sequence
from typing import Final

from comanda_storefront.api import CartMessage, parse_line_position

from comanda_ucp.services.envelopes import create_message, create_warning

RECOVERABLE: Final = "recoverable"
BUYER_INPUT: Final = "requires_buyer_input"
BUYER_REVIEW: Final = "requires_buyer_review"
# Fields of an order that agents fill in, by their places in a checkout.
PATHS: Final[Mapping[str, str]] = {
    "customer_name": "$.buyer.first_name",
    "phone": "$.buyer.phone_number",
    "address": "$.fulfillment.methods[0].destinations",
}
UNAVAILABLE: Final = frozenset({"out_of_stock", "item_unavailable"})
OUT_OF_STOCK: Final = frozenset({"sold_out", "out_of_stock"})
# What only a guest can choose, such as the extras of an item.
CHOICES: Final = frozenset({"wrong_extras", "unknown_variation"})
# Carts are for exploring: what a buyer has to say of themselves is asked at the checkout.
OF_CHECKOUT: Final = frozenset(PATHS)
COUPON_CODES: Final[Mapping[str, str]] = {"coupon_expired": "discount_code_expired"}


def translate_messages(messages: Sequence[CartMessage], *, is_cart: bool = False) -> list[Mapping[str, str]]:
    """Return the errors of a priced cart as messages; those of coupons are warnings, as the order is possible."""
    errors = [each for each in messages if each.type == "error"]
    return [_translate(each) for each in errors if not (is_cart and each.path in OF_CHECKOUT)]


def list_code_warnings(codes: Sequence[str]) -> list[Mapping[str, str]]:
    """Return the warnings of codes after the first: an order has one coupon."""
    return [
        create_warning(
            "discount_code_combination_disallowed", "An order has one coupon.", f"$.discounts.codes[{place}]"
        )
        for place in range(1, len(codes))
    ]


def get_status(messages: Sequence[Mapping[str, str]]) -> str:
    """Return the status of a checkout that is not over."""
    severities = {each.get("severity") for each in messages if each["type"] == "error"}
    if severities & {BUYER_INPUT, BUYER_REVIEW}:
        return "requires_escalation"
    return "incomplete" if severities else "ready_for_complete"


def _translate(message: CartMessage) -> Mapping[str, str]:
    path, code, text = message.path or "", message.code or "", str(message.text)
    if path == "coupon_code":
        return create_warning(COUPON_CODES.get(code, "discount_code_invalid"), text, "$.discounts.codes[0]")
    place = parse_line_position(path)
    if place is not None:
        where = f"$.line_items[{place}]"
        if code in CHOICES:
            return create_message("options_required", text, BUYER_INPUT, where)
        is_out = code in OUT_OF_STOCK or path.endswith(".quantity")
        return create_message("out_of_stock" if is_out else "item_unavailable", text, RECOVERABLE, where)
    if path in PATHS:
        name = "field_required" if code == "missing_field" else "field_invalid"
        is_undeliverable = path == "address" and name == "field_invalid"
        return create_message("address_undeliverable" if is_undeliverable else name, text, RECOVERABLE, PATHS[path])
    return create_message(code or "unavailable", text, BUYER_INPUT)
