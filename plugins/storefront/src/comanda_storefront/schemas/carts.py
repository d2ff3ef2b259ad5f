"""Results of the MCP tools of carts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from comanda.contracts.wire import MoneyNumber, flatten
from pydantic import BaseModel, Field, model_validator

from comanda_storefront.records import CartRecord
from comanda_storefront.schemas.storefront import PlacedOrder


class Message(BaseModel):
    """A message about the result for the guest or their agent."""

    type: Literal["error", "warning", "info"]
    code: str = Field(description="A machine-readable code, such as sold_out.")
    path: str | None = Field(description="The argument or field concerned, such as items.0.item_id.")
    text: str = Field(description="A human-readable sentence.")


class Choice(BaseModel):
    """A variation or extra, as of the moment the order was placed."""

    id: int
    name: str
    price: MoneyNumber


class ExtraChoice(Choice):
    """An extra and its quantity."""

    quantity: int


class OrderChargeOut(BaseModel):
    """A charge besides the service charge and the delivery fee. A charge that is not refundable is never paid back."""

    code: str
    label: str
    amount: MoneyNumber
    tax: MoneyNumber
    is_refundable: bool


class CartLine(BaseModel):
    """A line of a cart. Its prices are null while it cannot be ordered."""

    item_id: int
    name: str | None
    quantity: int
    variation: Choice | None
    extras: list[ExtraChoice]
    note: str | None
    unit_price: MoneyNumber | None
    price_label: str | None
    discount: MoneyNumber | None
    line_total: MoneyNumber | None


Sum = Annotated[MoneyNumber, Field(description="In currency, for the lines that can be ordered.")]


class CartOut(BaseModel):
    """A cart at current prices. Nothing is reserved for it."""

    cart_id: str
    type: str
    table_number: str | None
    scheduled_for: datetime | None
    note: str | None
    coupon_code: str | None
    currency: str
    items: list[CartLine]
    subtotal: Sum
    discount_total: Sum
    service_charge: Sum
    delivery_fee: Sum
    charges: list[OrderChargeOut]
    tax_total: Sum
    tax_included: bool = Field(description="Whether prices include tax. Otherwise it is added to the total.")
    total: Sum
    is_orderable: bool = Field(description="Whether place_order is possible: no message is an error.")
    expires_at: datetime = Field(description="When the cart expires. Each use extends it.")
    continue_url: str = Field(description="The page for the guest: the store's, or the order's once it is placed.")
    order: PlacedOrder | None = Field(description="The order placed from this cart.")
    messages: list[Message]

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, cart: CartRecord) -> Mapping[str, object]:
        return flatten(cart, "amounts")


class Placement(BaseModel):
    """The order placed from a cart, or the current cart and the reasons why no order was placed."""

    order: PlacedOrder | None
    cart: CartOut | None
    messages: list[Message]
