"""What the tools of carts take."""

from datetime import datetime
from typing import Annotated, Any, Final

from comanda.contracts.fields import Amount, Count, Id, Moment, ShortText, Text
from comanda.contracts.mcp import Arguments
from comanda.contracts.order_bodies import ClientKey, TableNumber
from comanda.encoding import to_json
from pydantic import Field, field_validator

from comanda_storefront.carts.storing import Contents
from comanda_storefront.channels import LIMITS

MAX_DETAILS: Final = 20
MAX_DETAILS_BYTES: Final = 4000

CartId = Annotated[str, Field(min_length=1, max_length=200, description="The cart_id that create_cart gave.")]


class CartItem(Arguments):
    """A line to order."""

    item_id: Id = Field(description="The item's id, from get_menu, search_menu or get_item.")
    quantity: Annotated[Count, Field(ge=1, le=LIMITS.quantity, description="How many, 1 to 30; 1 if left out.")] = 1
    variation: Id | None = Field(None, description="The id of one of the item's variations.")
    extras: Annotated[
        list[Id], Field(max_length=100, description="Ids of the item's extras; an id twice is the extra twice.")
    ] = []
    note: Text | None = Field(None, description="A wish of the guest's about this line.")


class CartContents(Arguments):
    """What goes into a cart."""

    items: Annotated[
        list[CartItem], Field(min_length=1, max_length=LIMITS.lines, description="The lines to order, 1 to 40.")
    ]
    type: Annotated[str, Field(max_length=30, description="The kind of order: a code from get_store's modes.")]
    table_number: TableNumber | None = Field(None, description="The guest's table, for orders at a table.")
    scheduled_for: Moment | None = Field(
        None, description="When to fetch it, with UTC offset; left out, as soon as the store can."
    )
    note: Text | None = Field(None, description="A wish of the guest's about the whole order.")
    details: dict[str, Any] = Field(
        default={}, max_length=MAX_DETAILS, description="Further fields that such orders take, such as age_confirmed."
    )

    @field_validator("type")
    @classmethod
    def _printable(cls, text: str) -> str:
        if not text.isprintable():
            raise ValueError("must be printable")
        return text

    @field_validator("details")
    @classmethod
    def _short(cls, details: dict[str, Any]) -> dict[str, Any]:
        if len(to_json(details)) > MAX_DETAILS_BYTES:
            raise ValueError(f"must have at most {MAX_DETAILS_BYTES} bytes")
        return details

    def contents(self) -> Contents:
        """Return what goes into the cart as it is kept."""
        scheduled_for: datetime | None = self.scheduled_for
        lines = [line.model_dump(mode="json") for line in self.items]
        return Contents(
            self.type, lines, self.table_number or None, scheduled_for, self.note or None, None, self.details
        )


class CreateCart(CartContents):
    """A cart to create."""


class GetCart(Arguments):
    """Which cart to show."""

    cart_id: CartId


class UpdateCart(CartContents):
    """What is to be in the cart instead of all that is."""

    cart_id: CartId


class ApplyCoupon(Arguments):
    """Which coupon to try."""

    cart_id: CartId
    code: Annotated[ShortText, Field(max_length=32)] | None = Field(
        None, description="The coupon's code; left out or null, the cart's coupon is taken off."
    )


class PlaceOrder(Arguments):
    """Which cart to order, and for whom."""

    cart_id: CartId
    customer_name: ShortText | None = Field(None, description="The guest's name, as the store will call it.")
    phone: Annotated[ShortText, Field(max_length=50)] | None = Field(None, description="The guest's phone number.")
    note: Text | None = Field(None, description="A wish about the order, instead of the cart's note.")
    idempotency_key: ClientKey | None = Field(
        None,
        description="A random text of 16 characters or more: a later call with it gives this order again, "
        "from another cart too.",
    )
    expected_total: Amount | None = Field(
        None, description="The total that the guest agreed to; if it is another now, nothing is ordered."
    )
