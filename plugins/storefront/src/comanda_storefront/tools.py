"""Carts for a guest's agent, on the server ``storefront``."""

from typing import Any

from comanda.contracts.mcp import FailedResult, Tool, ToolCall

from comanda_storefront.carts import placing, services
from comanda_storefront.carts.placing import Wish
from comanda_storefront.carts.schemas import CartOut, Placement
from comanda_storefront.tool_schemas import ApplyCoupon, CreateCart, GetCart, PlaceOrder, UpdateCart

ON = ("storefront",)


async def create_cart(call: ToolCall, arguments: CreateCart) -> dict[str, Any]:
    """Create a cart."""
    return await services.create(call.known_caller, arguments.contents())


async def get_cart(call: ToolCall, arguments: GetCart) -> dict[str, Any]:
    """Price a cart anew."""
    return await services.show(call.known_caller, arguments.cart_id)


async def update_cart(call: ToolCall, arguments: UpdateCart) -> dict[str, Any]:
    """Replace what is in a cart."""
    return await services.replace_contents(call.known_caller, arguments.cart_id, arguments.contents())


async def apply_coupon(call: ToolCall, arguments: ApplyCoupon) -> dict[str, Any] | FailedResult:
    """Try a coupon."""
    return await services.apply_coupon(call.known_caller, arguments.cart_id, arguments.code or None)


async def place_order(call: ToolCall, arguments: PlaceOrder) -> dict[str, Any] | FailedResult:
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
        scope="menu:read",
    ),
    Tool(
        name="get_cart",
        title="Show a cart",
        description="Shows a cart with the prices of now, and what stands in the way of ordering it.",
        servers=ON,
        arguments=GetCart,
        result=CartOut,
        handler=get_cart,
        scope="menu:read",
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
        scope="menu:read",
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
        scope="menu:read",
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
        scope="order:write",
        is_idempotent=True,
    ),
)
