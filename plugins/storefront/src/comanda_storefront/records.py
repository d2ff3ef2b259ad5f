"""Records of the storefront."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.intake_status import IntakeStatus
from comanda.contracts.order_status import Status
from comanda.money import Money
from comanda.orders.draft import OrderLimits
from comanda.stores.records import StoreOverview

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PublicStore:
    """A published store, with its intake status now and what guests may order."""

    store: StoreOverview
    busy: IntakeStatus
    modes: tuple[FulfillmentMode, ...]
    order_limits: OrderLimits


@dataclass(frozen=True, slots=True)
class StorefrontToken:
    """A token of one store, without its secret. ``last_used_at`` is accurate to the hour."""

    id: int
    store_id: int
    name: str
    scopes: Sequence[str]
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedStorefrontToken(StorefrontToken):
    """A token with its raw secret, which is not stored and cannot be shown again."""

    token: str


@dataclass(frozen=True, slots=True)
class GuestOrder:
    """What guests see of an order that they placed. ``continue_url`` is its tracking page."""

    id: int
    number: int
    status: Status
    total: Money
    currency: str
    track_token: str
    continue_url: str


@dataclass(frozen=True, slots=True)
class GuestDetails:
    """What a guest says only when the order is placed. ``note`` replaces the cart's."""

    customer_name: str | None = None
    phone: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class CartMessage:
    """A message for the guest or their agent. ``path`` is the argument or field concerned."""

    type: Literal["error", "warning", "info"]
    code: str
    path: str | None
    text: str


@dataclass(frozen=True, slots=True)
class CartChoice:
    """The variation of a cart's line."""

    id: int
    name: str
    price: Money


@dataclass(frozen=True, slots=True)
class CartExtra(CartChoice):
    """An extra of a cart's line, and how many of it one unit of the line has."""

    quantity: int


@dataclass(frozen=True, slots=True)
class CartLineRecord:
    """A line of a cart. It has no prices while it cannot be ordered."""

    item_id: int
    name: str | None
    quantity: int
    note: str | None
    variation: CartChoice | None = None
    extras: tuple[CartExtra, ...] = ()
    unit_price: Money | None = None
    price_label: str | None = None
    discount: Money | None = None
    line_total: Money | None = None


@dataclass(frozen=True, slots=True)
class CartCharge:
    """A charge besides the service charge and the delivery fee."""

    code: str
    label: str
    amount: Money
    tax: Money
    is_refundable: bool


@dataclass(frozen=True, slots=True)
class CartAmounts:
    """The totals of a cart, over the lines that can be ordered, or of its order."""

    subtotal: Money
    discount_total: Money
    service_charge: Money
    delivery_fee: Money
    tax_total: Money
    total: Money


@dataclass(frozen=True, slots=True)
class CartRecord:
    """A cart at current prices, or as its ``order`` was placed. ``cart_id`` is the handle that gives access to it.

    ``continue_url`` is the page for the guest: the store's, or the order's once it is placed.
    """

    cart_id: str
    type: str
    table_number: str | None
    scheduled_for: datetime | None
    note: str | None
    coupon_code: str | None
    expires_at: datetime
    currency: str
    items: tuple[CartLineRecord, ...]
    amounts: CartAmounts
    charges: tuple[CartCharge, ...]
    tax_included: bool
    is_orderable: bool
    continue_url: str
    order: GuestOrder | None
    messages: tuple[CartMessage, ...]


@dataclass(frozen=True, slots=True)
class CartPlacement:
    """The order placed from a cart, or the current cart and the reasons why no order was placed."""

    order: GuestOrder | None
    cart: CartRecord | None
    messages: tuple[CartMessage, ...]


@dataclass(frozen=True, slots=True)
class Refused(Generic[T]):
    """What a call returns whose main act did not happen, and the first message that says why."""

    record: T
    reason: CartMessage
