"""Records of loyalty, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda.basics import Money
from comanda.contracts import StoreId

from comanda_loyalty.models import EarnBy, LoyaltyEntryKind, RewardType


@dataclass(frozen=True, slots=True)
class Programme:
    """How customers collect: ``points`` for each unit of the currency, each order or each item, as ``earn_by`` says.

    Orders below ``min_order`` earn nothing. Points expire ``expires_after_months`` after they were earned, null is
    never.
    """

    store_id: StoreId
    is_on: bool
    earn_by: EarnBy
    points: int
    min_order: Money | None
    expires_after_months: int | None


@dataclass(frozen=True, slots=True)
class Reward:
    """What customers get for ``points``.

    ``value`` is a percentage of the order or an amount in the store's currency; a reward of the type ``item`` has an
    ``item_id`` instead, null if the item was deleted.
    """

    id: int
    name: str
    type: RewardType
    value: float | None
    item_id: int | None
    points: int
    is_active: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LoyaltyEntry:
    """One change of a customer's points, with the ``balance`` after it."""

    id: int
    kind: LoyaltyEntryKind
    points: int
    balance: int
    order_id: int | None
    note: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LoyaltyAccount:
    """The points of a customer, with the newest 100 changes, newest first. Refunds may make the balance negative."""

    customer_id: int
    balance: int
    entries: Sequence[LoyaltyEntry]


@dataclass(frozen=True, slots=True)
class OfferedReward:
    """A reward that customers can choose; ``is_affordable`` if this customer has the points."""

    id: int
    name: str
    type: RewardType
    value: float | None
    item_id: int | None
    points: int
    is_affordable: bool


@dataclass(frozen=True, slots=True)
class OwnPoints:
    """Your points, the rewards of the store, and the newest 100 changes, newest first; ``programme`` null is none."""

    balance: int
    programme: Programme | None
    rewards: Sequence[OfferedReward]
    entries: Sequence[LoyaltyEntry]


@dataclass(frozen=True, slots=True)
class LoyaltyCustomer:
    """The customer whose points an order earns."""

    id: int
    name: str | None


@dataclass(frozen=True, slots=True)
class OrderLoyalty:
    """What an order earns, as staff see it: ``points``, for its ``customer``, or for one who is still to be named.

    ``balance`` is what the customer has, 0 without one. ``rewards`` are those of the store, the cheapest first;
    ``programme`` null is none.
    """

    order_id: int
    programme: Programme | None
    customer: LoyaltyCustomer | None
    balance: int
    points: int
    rewards: Sequence[OfferedReward]
