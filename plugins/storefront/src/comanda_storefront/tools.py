"""MCP tools of carts, on the server ``storefront``."""

from comanda.contracts import FailedResult, Tool, ToolCall, to_wire

from comanda_storefront.records import CartPlacement, CartRecord, GuestDetails, Refused
from comanda_storefront.schemas.tools import ApplyCoupon, CreateCart, GetCart, PlaceOrder, UpdateCart
from comanda_storefront.services import cart_placement, carts
from comanda_storefront.services.cart_placement import PlaceCart

SERVERS = ("storefront",)


async def create_cart(call: ToolCall, arguments: CreateCart) -> CartRecord:
    """Create a cart."""
    return await carts.create_cart(call.known_caller, arguments.to_contents())


async def get_cart(call: ToolCall, arguments: GetCart) -> CartRecord:
    """Get a cart with current prices."""
    return await carts.get_cart(call.known_caller, arguments.cart_id)


async def update_cart(call: ToolCall, arguments: UpdateCart) -> CartRecord:
    """Replace the contents of a cart."""
    return await carts.update_contents(call.known_caller, arguments.cart_id, arguments.to_contents())


async def apply_coupon(call: ToolCall, arguments: ApplyCoupon) -> CartRecord | FailedResult:
    """Apply or remove a coupon."""
    result = await carts.apply_coupon(call.known_caller, arguments.cart_id, arguments.code or None)
    return _fail(result) if isinstance(result, Refused) else result


async def place_order(call: ToolCall, arguments: PlaceOrder) -> CartPlacement | FailedResult:
    """Place a cart's order."""
    guest = GuestDetails(arguments.customer_name or None, arguments.phone or None, arguments.note or None)
    request = PlaceCart(guest, arguments.idempotency_key, arguments.expected_total)
    result = await cart_placement.place_cart(call.known_caller, arguments.cart_id, request)
    return _fail(result) if isinstance(result, Refused) else result


def _fail(refused: Refused[CartRecord] | Refused[CartPlacement]) -> FailedResult:
    """Return the result of the tool, and beside its fields the code and the message of an error."""
    reason = {"code": refused.reason.code, "message": refused.reason.text}
    return FailedResult(to_wire(type(refused.record), refused.record) | reason)


TOOLS = (
    Tool(
        name="create_cart",
        title="Create a cart",
        description=(
            "Puts items into a new cart and prices them. Items that cannot be ordered now, because they are sold out "
            "or the store is closed, stay in the cart and are reported in messages. Nothing is reserved: prices and "
            "stock may change until place_order. The cart expires 6 hours after its last use."
        ),
        servers=SERVERS,
        arguments=CreateCart,
        result=CartRecord,
        handler=create_cart,
        scope="menu:read",
    ),
    Tool(
        name="get_cart",
        title="Show a cart",
        description="Shows a cart at current prices, and what prevents it from being ordered.",
        servers=SERVERS,
        arguments=GetCart,
        result=CartRecord,
        handler=get_cart,
        scope="menu:read",
        is_read_only=True,
    ),
    Tool(
        name="update_cart",
        title="Replace what is in a cart",
        description=(
            "Replaces all items, the type, the time, the note and the details of a cart: send its complete contents. "
            "The coupon stays, and so does the table if table_number is omitted."
        ),
        servers=SERVERS,
        arguments=UpdateCart,
        result=CartRecord,
        handler=update_cart,
        scope="menu:read",
        is_idempotent=True,
    ),
    Tool(
        name="apply_coupon",
        title="Try a coupon",
        description="Applies a coupon to a cart, replacing any other, or removes it. A refused coupon changes nothing.",
        servers=SERVERS,
        arguments=ApplyCoupon,
        result=CartRecord,
        handler=apply_coupon,
        scope="menu:read",
        is_idempotent=True,
    ),
    Tool(
        name="place_order",
        title="Place the order",
        description=(
            "Places the order of a cart, to be paid on collection or at the table. Ask the guest first, and send the "
            "total that they agreed to as expected_total: if it has changed, nothing is ordered and the cart is "
            "returned with the code price_changed. Placing the same cart again returns the same order."
        ),
        servers=SERVERS,
        arguments=PlaceOrder,
        result=CartPlacement,
        handler=place_order,
        scope="order:write",
        is_idempotent=True,
    ),
)
