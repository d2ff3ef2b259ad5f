"""Records of connections to HubRise and of its orders."""

from dataclasses import dataclass
from datetime import datetime

from comanda.contracts import StoreId
from comanda_foreign_orders.api import LinkState

from comanda_hubrise.client import Credentials


@dataclass(frozen=True, slots=True)
class HubRiseConnection:
    """A store's connection to HubRise, which has no ``location_id`` while there is none; the token is never returned.

    ``callback_url`` is where HubRise reports orders. ``failure`` says why the last check failed, null if it did not.
    """

    location_id: str | None
    location_name: str | None
    catalog_id: str | None
    sends_menu: bool
    sends_sold_out: bool
    cash_refs: tuple[str, ...]
    callback_url: str | None
    checked_at: datetime | None
    failure: str | None
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class HubRiseOrder:
    """An order of HubRise: ``hubrise_id`` is its id there, ``order_id`` that of the order here once it is placed.

    ``total`` is as HubRise has it. ``reason`` says why it was rejected or ignored, or what has changed at HubRise since
    it was placed. ``status`` is what HubRise was told last. ``failure`` says why the last attempt failed.
    """

    id: int
    store_id: StoreId
    hubrise_id: str
    order_id: int | None
    state: LinkState
    channel: str | None
    ref: str | None
    total: str | None
    reason: str | None
    status: str | None
    failure: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class KnownConnection:
    """A connection as workers need it."""

    id: int
    owner_id: int
    store_id: int
    location_id: str
    catalog_id: str | None
    sends_menu: bool
    sends_sold_out: bool
    cash_refs: tuple[str, ...]
    catalog_hash: bytes | None
    inventory_hash: bytes | None
    checked_at: datetime | None
    credentials: Credentials


@dataclass(frozen=True, slots=True)
class KnownLink:
    """An order of HubRise as workers need it, with the statuses of the order that it became."""

    id: int
    owner_id: int
    store_id: int
    connection_id: int
    hubrise_id: str
    state: LinkState
    order_id: int | None
    total: str | None
    reason: str | None
    sent_status: str | None
    status: str | None
    delivery_status: str | None
    is_delivery: bool
