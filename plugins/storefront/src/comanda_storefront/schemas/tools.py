"""Arguments of the MCP tools of carts."""

from datetime import datetime
from typing import Annotated, Any, Final

from comanda.basics import to_json
from comanda.contracts import Amount, Arguments, ClientKey, Count, Id, Moment, ShortText, TableNumber, Text
from pydantic import Field, field_validator

from comanda_storefront.services.cart_store import CartContents
from comanda_storefront.services.channels import ORDER_LIMITS

MAX_DETAILS: Final = 20
MAX_DETAILS_BYTES: Final = 4000

CartId = Annotated[str, Field(min_length=1, max_length=200, description="The cart_id returned by create_cart.")]


class CartItem(Arguments):
    """A line to order."""

    item_id: Id = Field(description="The item's id, from get_menu, search_menu or get_item.")
    quantity: Annotated[
        Count, Field(ge=1, le=ORDER_LIMITS.quantity, description="The quantity, 1 to 30, by default 1.")
    ] = 1
    variation: Id | None = Field(None, description="The id of one of the item's variations.")
    extras: Annotated[
        list[Id], Field(max_length=100, description="Ids of the item's extras. Repeat an id to add the extra twice.")
    ] = []
    note: Text | None = Field(None, description="The guest's note on this line.")


class CartArguments(Arguments):
    """The contents of a cart."""

    items: Annotated[
        list[CartItem], Field(min_length=1, max_length=ORDER_LIMITS.lines, description="The lines to order, 1 to 40.")
    ]
    type: Annotated[str, Field(max_length=30, description="The type of order: a code from the modes of get_store.")]
    table_number: TableNumber | None = Field(None, description="The guest's table, for dine-in orders.")
    scheduled_for: Moment | None = Field(
        None, description="When to collect the order, with UTC offset; by default as soon as possible."
    )
    note: Text | None = Field(None, description="The guest's note on the order.")
    details: dict[str, Any] = Field(
        default={}, max_length=MAX_DETAILS, description="Additional fields of such orders, for example age_confirmed."
    )

    @field_validator("type")
    @classmethod
    def _require_printable(cls, text: str) -> str:
        if not text.isprintable():
            raise ValueError("must be printable")
        return text

    @field_validator("details")
    @classmethod
    def _limit_size(cls, details: dict[str, Any]) -> dict[str, Any]:
        if len(to_json(details)) > MAX_DETAILS_BYTES:
            raise ValueError(f"must have at most {MAX_DETAILS_BYTES} bytes")
        return details

    def to_contents(self) -> CartContents:
        """Return the contents to store in the cart."""
        scheduled_for: datetime | None = self.scheduled_for
        lines = [line.model_dump(mode="json") for line in self.items]
        return CartContents(
            self.type, lines, self.table_number or None, scheduled_for, self.note or None, None, self.details
        )


class CreateCart(CartArguments):
    """A cart to create."""


class GetCart(Arguments):
    """The cart to get."""

    cart_id: CartId


class UpdateCart(CartArguments):
    """The cart to update, and its new contents."""

    cart_id: CartId


class ApplyCoupon(Arguments):
    """The coupon to apply to a cart."""

    cart_id: CartId
    code: Annotated[ShortText, Field(max_length=32)] | None = Field(
        None, description="The coupon code. If omitted or null, the cart's coupon is removed."
    )


class PlaceOrder(Arguments):
    """The cart to order, and the guest's details."""

    cart_id: CartId
    customer_name: ShortText | None = Field(None, description="The guest's name, which the store calls out.")
    phone: Annotated[ShortText, Field(max_length=50)] | None = Field(None, description="The guest's phone number.")
    note: Text | None = Field(None, description="A note on the order, which replaces the cart's note.")
    idempotency_key: ClientKey | None = Field(
        None,
        description="A random string of at least 16 characters. A later call with the same key returns this order, "
        "also from another cart.",
    )
    expected_total: Amount | None = Field(
        None, description="The total that the guest agreed to. If it has changed, nothing is ordered."
    )
