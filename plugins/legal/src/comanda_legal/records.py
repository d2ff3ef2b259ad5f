"""Records of withdrawals, as services return them."""

from dataclasses import dataclass
from datetime import datetime

from comanda.contracts import StoreId


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A statement of withdrawal. Texts that were erased are null.

    ``contract`` and ``items`` are what the sender wrote; no ``items`` mean the whole contract. ``order_id`` is the
    order that the sender proved to be theirs, ``order_number`` its number; both are null if there is none.
    ``acknowledged_at`` is null if no acknowledgement could be sent.
    """

    id: int
    restaurant_id: StoreId
    reference: str
    name: str
    email: str | None
    phone: str | None
    contract: str | None
    items: str | None
    order_id: int | None
    order_number: int | None
    submitted_at: datetime
    acknowledged_at: datetime | None
    handled_at: datetime | None
    handled_by: str | None
