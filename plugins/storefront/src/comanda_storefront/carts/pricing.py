"""What a cart costs now: priced like an order, but a line or a field that is in the way costs only itself. Pure."""

from dataclasses import dataclass, field, replace
from typing import Final

from comanda.contracts.callers import Caller
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.order_participants import DraftLine
from comanda.errors import ValidationFailed
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import pricing
from comanda.orders.draft import OrderChannel, OrderDraft, draft_order, list_modes

from comanda_storefront.carts.problems import messages_of, moved, position_of
from comanda_storefront.carts.schemas import Message
from comanda_storefront.channels import AGENT_CHANNEL

AT_ANY_HOUR: Final = replace(AGENT_CHANNEL, keeps_hours=False)
# Stands for a field that is missing, where only prices are wanted.
FILLED: Final = "-"
# Who orders is said when the order is placed: until then a cart is somebody's who can be called.
SOMEBODY: Final = {"customer_name": FILLED, "phone": "+1 0000000000"}


@dataclass(frozen=True, slots=True)
class Priced:
    """The lines that can be ordered, by their position in the cart; ``quote`` is None if there are none."""

    lines: dict[int, tuple[DraftLine, pricing.PricedLine]]
    quote: pricing.Quote | None
    coupon_code: str | None
    messages: list[Message]


def price(caller: Caller, menu: MenuSnapshot, order: OrderBody) -> Priced:
    """Price an order, leaving out what stands in its way and telling that in ``messages``.

    A guest's name or number that is missing is not in the way.
    """
    unsaid = {name: text for name, text in SOMEBODY.items() if not getattr(order, name)}
    attempt = _Attempt(order.model_copy(update=unsaid), menu)
    while attempt.order.items:
        try:
            return attempt.priced(draft_order(attempt.order, attempt.menu, attempt.channel, caller))
        except ValidationFailed as error:
            if not attempt.learn(error):
                break
    return Priced({}, None, None, attempt.messages)


@dataclass(slots=True)
class _Attempt:
    """An order with what was in its way so far taken out; ``kept`` are the positions that its lines had."""

    order: OrderBody
    menu: MenuSnapshot
    channel: OrderChannel = AGENT_CHANNEL
    kept: list[int] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kept = list(range(len(self.order.items)))

    def priced(self, drafted: OrderDraft) -> Priced:
        lines = zip(drafted.lines, drafted.quote.lines, strict=True)
        return Priced(
            dict(zip(self.kept, lines, strict=True)), drafted.quote, drafted.incoming.coupon_code, self.messages
        )

    def learn(self, error: ValidationFailed) -> bool:
        """Note what is wrong and take it out; False says that there is nothing left to take out."""
        self._note(error)
        bad = {position for path in error.errors if (position := position_of(path)) is not None}
        if error.extras.get("reason") in {"store_closed", "store_paused"} and self.channel.keeps_hours:
            self.channel = AT_ANY_HOUR
        elif bad:
            self._leave_out(bad)
        elif "coupon_code" in error.errors and self.order.coupon_code:
            self.order = self.order.model_copy(update={"coupon_code": None})
        elif missing := self._missing(error):
            self.order = self.order.model_copy(update=dict.fromkeys(missing, FILLED))
        elif self.menu.terms.parts:
            # What is left is a plugin's objection, such as a time that has no slot; what lines cost stays the same.
            self.menu = replace(self.menu, terms=replace(self.menu.terms, parts={}))
            self.order = self.order.model_copy(update={"coupon_code": None})
        else:
            return False
        return True

    def _note(self, error: ValidationFailed) -> None:
        for message in messages_of(error, self.order, self.menu):
            position = position_of(message.path or "")
            if position is not None and message.path:
                message.path = moved(message.path, self.kept[position])
            # What was told beside other things is told again alone, and then with its reason.
            told = [known for known in self.messages if (known.path, known.text) != (message.path, message.text)]
            self.messages = [*told, message]

    def _leave_out(self, bad: set[int]) -> None:
        staying = [place for place in range(len(self.order.items)) if place not in bad]
        self.kept = [self.kept[place] for place in staying]
        self.order = self.order.model_copy(update={"items": [self.order.items[place] for place in staying]})

    def _missing(self, error: ValidationFailed) -> list[str]:
        modes = {mode.code: mode for mode in list_modes(self.menu.terms, self.channel)}
        required = [name for name, _ in modes[self.order.type].required_fields] if self.order.type in modes else []
        return [name for name in required if name in error.errors and not getattr(self.order, name, None)]
