"""The record of a dispute."""

from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import DisputeState, StoreId


@dataclass(frozen=True, slots=True)
class OwnDispute:
    """A dispute (chargeback) of a payment of an order or a prepayment, as its provider has it.

    One that ``needs_response`` is answered on the provider's page ``url`` until ``respond_by``. ``reason`` is in the
    provider's words. The money of a ``lost`` one has left revenue with the refund ``refund_id``, as far as it had not
    been refunded before; what a refund that was pending then failed to give back leaves with another one.
    """

    id: int
    payment_id: int
    order_id: int | None
    prepayment_id: int | None
    store_id: StoreId
    method: str
    state: DisputeState
    amount: Money
    currency: str
    reason: str | None
    respond_by: datetime | None
    url: str | None
    refund_id: int | None
    created_at: datetime
    closed_at: datetime | None
