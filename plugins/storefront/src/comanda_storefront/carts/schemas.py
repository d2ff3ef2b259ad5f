"""Carts as agents see them."""

from datetime import datetime
from typing import Annotated, Literal

from comanda.orders.schemas import Choice, ExtraChoice
from pydantic import BaseModel, Field

from comanda_storefront.shop_schemas import PlacedOrder


class Message(BaseModel):
    """Something that a guest or their agent should know about a result."""

    type: Literal["error", "warning", "info"]
    code: str = Field(description="For programs, such as sold_out.")
    path: str | None = Field(description="The argument or field that it is about, such as items.0.item_id.")
    text: str = Field(description="For people.")


class CartLine(BaseModel):
    """A line of a cart; its prices are null while it cannot be ordered."""

    item_id: int
    name: str | None
    quantity: int
    variation: Choice | None
    extras: list[ExtraChoice]
    note: str | None
    unit_price: float | None
    discount: float | None
    line_total: float | None


Sum = Annotated[float, Field(description="In currency, over the lines that can be ordered.")]


class CartOut(BaseModel):
    """A cart and what it costs now. Nothing is set aside for it."""

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
    tax_total: Sum
    tax_included: bool = Field(description="Whether prices contain the tax; otherwise the total adds it.")
    total: Sum
    is_orderable: bool = Field(description="True if nothing in messages stands in the way of place_order.")
    expires_at: datetime = Field(description="The cart is gone then; each use puts it off.")
    continue_url: str = Field(description="Where a person goes on: the store's page, or the order's once it is placed.")
    order: PlacedOrder | None = Field(description="The order that the cart has become.")
    messages: list[Message]


class Placement(BaseModel):
    """What became of a cart: its order, or the cart as it is now and why it did not become one."""

    order: PlacedOrder | None
    cart: CartOut | None
    messages: list[Message]
