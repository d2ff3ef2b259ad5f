"""Records of the storefront."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Generic, Literal, TypeVar

from comanda.basics import Money
from comanda.contracts import FulfillmentMode, IntakeStatus, StoreId
from comanda.orders import OrderLimits
from comanda.stores import StoreOverview
from pydantic import Field

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
    store_id: StoreId
    name: str
    scopes: Sequence[str]
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedStorefrontToken(StorefrontToken):
    """A token with its secret, which is shown only once."""

    token: str


@dataclass(frozen=True, slots=True)
class GuestOrder:
    """A placed order. ``continue_url`` is its tracking page, or its payment page if it has to be paid first.

    Neither needs a login.
    """

    id: int
    number: int
    status: str
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
    """A message about the result for the guest or their agent."""

    type: Literal["error", "warning", "info"]
    code: Annotated[str, Field(description="A machine-readable code, such as sold_out.")]
    path: Annotated[str | None, Field(description="The argument or field concerned, such as items.0.item_id.")]
    text: Annotated[str, Field(description="A human-readable sentence.")]


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
    """A line of a cart. Its prices are null while it cannot be ordered."""

    item_id: int
    name: str | None
    quantity: int
    variation: CartChoice | None
    extras: tuple[CartExtra, ...]
    note: str | None
    unit_price: Money | None
    price_label: str | None
    discount: Money | None
    line_total: Money | None


@dataclass(frozen=True, slots=True)
class CartCharge:
    """A charge besides the service charge and the delivery fee. A charge that is not refundable is never paid back."""

    code: str
    label: str
    amount: Money
    tax: Money
    is_refundable: bool


CartTotal = Annotated[Money, Field(description="In currency, for the lines that can be ordered.")]


@dataclass(frozen=True, slots=True)
class CartRecord:
    """A cart at current prices, or as its ``order`` was placed. Nothing is reserved for it.

    ``cart_id`` is the handle that gives access to it.
    """

    cart_id: str
    type: str
    table_number: str | None
    scheduled_for: datetime | None
    note: str | None
    coupon_code: str | None
    currency: str
    items: tuple[CartLineRecord, ...]
    subtotal: CartTotal
    discount_total: CartTotal
    service_charge: CartTotal
    delivery_fee: CartTotal
    charges: tuple[CartCharge, ...]
    tax_total: CartTotal
    tax_included: Annotated[bool, Field(description="Whether prices include tax. Otherwise it is added to the total.")]
    total: CartTotal
    is_orderable: Annotated[bool, Field(description="Whether place_order is possible: no message is an error.")]
    expires_at: Annotated[datetime, Field(description="When the cart expires. Each use extends it.")]
    continue_url: Annotated[
        str, Field(description="The page for the guest: the store's, or the order's once it is placed.")
    ]
    order: Annotated[GuestOrder | None, Field(description="The order placed from this cart.")]
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
