"""The pricing of a cart: like an order's, but excluding lines and fields with errors. Without side effects."""

from dataclasses import dataclass, field, replace
from typing import Final

from comanda.contracts.callers import Caller
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.order_participants import DraftLine
from comanda.errors import ValidationFailed
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import pricing
from comanda.orders.draft import OrderChannel, OrderDraft, draft_order, list_modes

from comanda_storefront.schemas.carts import Message
from comanda_storefront.services.cart_messages import parse_line_position, replace_line_position, to_messages
from comanda_storefront.services.channels import AGENT_CHANNEL

ANY_HOUR_CHANNEL: Final = replace(AGENT_CHANNEL, keeps_hours=False)
# Replaces a missing field where only prices are needed.
PLACEHOLDER: Final = "-"
# The guest is named only when the order is placed.
PLACEHOLDER_GUEST: Final = {"customer_name": PLACEHOLDER, "phone": "+1 0000000000"}


@dataclass(frozen=True, slots=True)
class PricedCart:
    """The lines that can be ordered, by position in the cart. ``quote`` is None if there are none."""

    lines: dict[int, tuple[DraftLine, pricing.PricedLine]]
    quote: pricing.Quote | None
    coupon_code: str | None
    messages: list[Message]


def price_cart(caller: Caller, menu: MenuSnapshot, order: OrderBody) -> PricedCart:
    """Price a cart's order without the parts that cannot be ordered, which are reported in ``messages``.

    A missing name or phone number of the guest is not reported.
    """
    placeholders = {name: text for name, text in PLACEHOLDER_GUEST.items() if not getattr(order, name)}
    attempt = _PricingAttempt(order.model_copy(update=placeholders), menu)
    while attempt.order.items:
        try:
            return attempt.to_priced_cart(draft_order(attempt.order, attempt.menu, attempt.channel, caller))
        except ValidationFailed as error:
            if not attempt.exclude_errors(error):
                break
    return PricedCart({}, None, None, attempt.messages)


@dataclass(slots=True)
class _PricingAttempt:
    """An order without the parts that failed so far. ``positions`` are those of its lines in the cart."""

    order: OrderBody
    menu: MenuSnapshot
    channel: OrderChannel = AGENT_CHANNEL
    positions: list[int] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.positions = list(range(len(self.order.items)))

    def to_priced_cart(self, drafted: OrderDraft) -> PricedCart:
        lines = zip(drafted.lines, drafted.quote.lines, strict=True)
        priced = dict(zip(self.positions, lines, strict=True))
        return PricedCart(priced, drafted.quote, drafted.order_request.coupon_code, self.messages)

    def exclude_errors(self, error: ValidationFailed) -> bool:
        """Add messages for the errors and remove what caused them. Return False if nothing is left to remove."""
        self._add_messages(error)
        bad = {position for path in error.errors if (position := parse_line_position(path)) is not None}
        if error.extras.get("reason") in {"store_closed", "store_paused"} and self.channel.keeps_hours:
            self.channel = ANY_HOUR_CHANNEL
        elif bad:
            self._remove_lines(bad)
        elif "coupon_code" in error.errors and self.order.coupon_code:
            self.order = self.order.model_copy(update={"coupon_code": None})
        elif missing := self._list_missing_fields(error):
            self.order = self.order.model_copy(update=dict.fromkeys(missing, PLACEHOLDER))
        elif self.menu.terms.parts:
            # The remaining error is a plugin's, such as a time without a free slot. It does not affect line prices.
            self.menu = replace(self.menu, terms=replace(self.menu.terms, parts={}))
            self.order = self.order.model_copy(update={"coupon_code": None})
        else:
            return False
        return True

    def _add_messages(self, error: ValidationFailed) -> None:
        for message in to_messages(error, self.order, self.menu):
            position = parse_line_position(message.path or "")
            if position is not None and message.path:
                message.path = replace_line_position(message.path, self.positions[position])
            # The same error may be reported again without others, and then includes its reason.
            others = [known for known in self.messages if (known.path, known.text) != (message.path, message.text)]
            self.messages = [*others, message]

    def _remove_lines(self, bad: set[int]) -> None:
        kept = [index for index in range(len(self.order.items)) if index not in bad]
        self.positions = [self.positions[index] for index in kept]
        self.order = self.order.model_copy(update={"items": [self.order.items[index] for index in kept]})

    def _list_missing_fields(self, error: ValidationFailed) -> list[str]:
        modes = {mode.code: mode for mode in list_modes(self.menu.terms, self.channel)}
        required = [name for name, _ in modes[self.order.type].required_fields] if self.order.type in modes else []
        return [name for name in required if name in error.errors and not getattr(self.order, name, None)]
