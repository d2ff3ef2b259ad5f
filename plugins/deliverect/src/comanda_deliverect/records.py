"""Records of connections to Deliverect and of its orders."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from comanda.contracts import StoreId
from comanda_foreign_orders.api import LinkState

from comanda_deliverect.client import Credentials


@dataclass(frozen=True, slots=True)
class DeliverectConnection:
    """A store's connection to Deliverect, without a ``location_id`` while there is none; secrets are never returned.

    ``orders_url`` is where Deliverect has to send orders. ``failure`` says why Deliverect could not be told what can be
    ordered, null if it could, and ``refusal`` what of that it did not take.
    """

    account_id: str | None
    location_id: str | None
    orders_url: str | None
    failure: str | None
    refusal: str | None
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class DeliverectOrder:
    """An order of Deliverect: ``deliverect_id`` is its id there, ``order_id`` that of the order here once it is placed.

    ``reason`` says why it was rejected or ignored. ``status`` is what Deliverect was told last. ``failure`` says why
    the last attempt failed.
    """

    id: int
    store_id: StoreId
    deliverect_id: str
    channel_order_id: str | None
    order_id: int | None
    state: LinkState
    reason: str | None
    status: int | None
    failure: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Receipt:
    """What Deliverect expects as an answer to an order."""

    result: str = "OK"


@dataclass(frozen=True, slots=True)
class KnownConnection:
    """A connection as workers and webhooks need it.

    ``snoozed`` has the ends that Deliverect was told of PLUs that cannot be ordered, None where they have to be told
    again. ``is_paused`` is whether it was told that the store takes no orders.
    """

    id: int
    owner_id: int
    store_id: int
    account_id: str
    location_id: str
    snoozed: Mapping[str, datetime | None]
    is_paused: bool
    credentials: Credentials


@dataclass(frozen=True, slots=True)
class KnownLink:
    """An order of Deliverect as workers need it, with the statuses of the order that it became."""

    id: int
    owner_id: int
    store_id: int
    connection_id: int
    deliverect_id: str
    state: LinkState
    document: str | None
    is_cancelled: bool
    order_id: int | None
    reason: str | None
    sent_status: int | None
    status: str | None
    delivery_status: str | None
