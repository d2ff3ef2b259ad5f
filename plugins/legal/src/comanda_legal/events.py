"""The event of withdrawals."""

from datetime import datetime
from typing import Annotated

from comanda.contracts import Event, Personal
from pydantic import PlainSerializer

# Formatted as in every API response, with the UTC offset.
Moment = Annotated[datetime, PlainSerializer(datetime.isoformat, return_type=str, when_used="json")]


class WithdrawalReceived(Event):
    """Somebody stated that they withdraw from a contract. Not sent for a form that is sent again.

    ``order_id`` is null unless the order is certainly theirs. It carries no e-mail address and no phone number.
    """

    name = "legal.withdrawal_received"
    scope = "orders:read"
    personal = ("sender", "contract")
    sample = {
        "withdrawal_id": 12,
        "restaurant_id": 7,
        "reference": "W-7KQ2M9XA",
        "order_id": 1024,
        "sender": "Ada Costa",
        "contract": "42",
        "submitted_at": "2026-11-28T21:15:00+00:00",
    }

    withdrawal_id: int
    restaurant_id: int
    reference: str
    order_id: int | None
    sender: Annotated[str | None, Personal("orders:read")]
    contract: Annotated[str | None, Personal("orders:read")]
    submitted_at: Moment
