"""Refunds in the transaction that amends or cancels an order, made by the plugin that has its payments."""

from comanda.basics import money
from comanda.basics.errors import ValidationFailed
from comanda.contracts.orders.participants import PlacedOrder
from comanda.contracts.payments.providers import ExcessRefund
from comanda.orders.participant_calls import list_participants
from comanda.platform.plugin_calls import call_plugin_in


class RefundDue(ValidationFailed):
    """More was paid and kept than an order would cost, and it is not refunded along with that."""

    def __init__(self, excess_minor: int, currency: str) -> None:
        text = money.to_decimal_string(excess_minor, currency)
        super().__init__(
            {"total": [f"{text} {currency} more has been paid than the order would cost. Refund it first."]},
            extras={"reason": "refund_due", "refund_due": money.to_number(excess_minor, currency)},
        )


async def refund_order(order: PlacedOrder, request: ExcessRefund) -> bool:
    """Refund what was paid for a locked order above an amount, and return whether a plugin takes care of that.

    What a provider collected is given back after the commit. Raises what the plugin raises.
    """
    for participant in list_participants(order):
        if participant.refund is not None:
            await call_plugin_in(order.store_id, participant, "refund", participant.refund, order, request)
            return True
    return False
