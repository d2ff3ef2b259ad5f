"""Carts for a guest's agent, on the server ``storefront``."""

from datetime import datetime
from typing import Annotated, Any

from comanda.http.wire import Amount, Count, Id, Moment, ShortText, Text
from comanda.mcp import Arguments, Failed, Tool, ToolCall
from comanda.orders.schemas import ClientKey, TableNumber
from pydantic import Field, field_validator

from comanda_storefront.carts import placing, services
from comanda_storefront.carts.placing import Wish
from comanda_storefront.carts.schemas import CartOut, Placement
from comanda_storefront.carts.storing import Contents
from comanda_storefront.channels import LIMITS

ON = ("storefront",)
MAX_DETAILS = 20

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
    def _no_nul(cls, text: str) -> str:
        if not text.isprintable():
            raise ValueError("must be printable")
        return text

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
        None, description="A long random text: a later call with it gives this order again, from another cart too."
    )
    expected_total: Amount | None = Field(
        None, description="The total that the guest agreed to; if it is another now, nothing is ordered."
    )


async def create_cart(call: ToolCall, arguments: CreateCart) -> dict[str, Any]:
    """Create a cart."""
    return await services.create(call.known_caller, arguments.contents())


async def get_cart(call: ToolCall, arguments: GetCart) -> dict[str, Any]:
    """Price a cart anew."""
    return await services.show(call.known_caller, arguments.cart_id)


async def update_cart(call: ToolCall, arguments: UpdateCart) -> dict[str, Any]:
    """Replace what is in a cart."""
    return await services.replace_contents(call.known_caller, arguments.cart_id, arguments.contents())


async def apply_coupon(call: ToolCall, arguments: ApplyCoupon) -> dict[str, Any] | Failed:
    """Try a coupon."""
    return await services.apply_coupon(call.known_caller, arguments.cart_id, arguments.code or None)


async def place_order(call: ToolCall, arguments: PlaceOrder) -> dict[str, Any] | Failed:
    """Place a cart's order."""
    guest = {name: getattr(arguments, name) or None for name in ("customer_name", "phone", "note")}
    wish = Wish(guest, arguments.idempotency_key, arguments.expected_total)
    return await placing.place(call.known_caller, arguments.cart_id, wish)


TOOLS = (
    Tool(
        name="create_cart",
        title="Create a cart",
        description=(
            "Puts items into a new cart and prices them. Whatever cannot be ordered just now, such as a sold-out item "
            "or anything while the store is closed, is kept and told in messages. Nothing is set aside: prices and "
            "stock may change until place_order. The cart lasts for 6 hours after its last use."
        ),
        servers=ON,
        arguments=CreateCart,
        result=CartOut,
        handler=create_cart,
        capability="menu:read",
    ),
    Tool(
        name="get_cart",
        title="Show a cart",
        description="Shows a cart with the prices of now, and what stands in the way of ordering it.",
        servers=ON,
        arguments=GetCart,
        result=CartOut,
        handler=get_cart,
        capability="menu:read",
        is_read_only=True,
    ),
    Tool(
        name="update_cart",
        title="Replace what is in a cart",
        description=(
            "Replaces all items, the type, the time, the note and the details of a cart: send everything that is to "
            "be in it. The coupon stays, and so does the table if table_number is left out."
        ),
        servers=ON,
        arguments=UpdateCart,
        result=CartOut,
        handler=update_cart,
        capability="menu:read",
        is_idempotent=True,
    ),
    Tool(
        name="apply_coupon",
        title="Try a coupon",
        description="Puts a coupon on a cart in place of any other, or takes it off. A refused one changes nothing.",
        servers=ON,
        arguments=ApplyCoupon,
        result=CartOut,
        handler=apply_coupon,
        capability="menu:read",
        is_idempotent=True,
    ),
    Tool(
        name="place_order",
        title="Place the order",
        description=(
            "Orders what is in a cart; it is paid when it is collected, or at the table. Ask the guest first, and send "
            "the total that they agreed to as expected_total: if it is another now, nothing is ordered and the cart "
            "comes back with the code price_changed. The same cart again gives the same order."
        ),
        servers=ON,
        arguments=PlaceOrder,
        result=Placement,
        handler=place_order,
        capability="order:write",
        is_idempotent=True,
    ),
)
