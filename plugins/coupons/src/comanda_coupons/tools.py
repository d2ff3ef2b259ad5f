"""MCP tools with which owners' agents manage coupons."""

from comanda.basics import ValidationFailed, extend_record
from comanda.contracts import PageRequest, Tool, ToolCall
from comanda.platform.mcp import select_store

from comanda_coupons.records import StoreCoupon, StoreCoupons
from comanda_coupons.schemas.coupons import CouponBody, CouponChange, CouponQuery
from comanda_coupons.schemas.tools import CreateCoupon, DeleteCoupon, DeletedCoupon, ListCoupons, UpdateCoupon
from comanda_coupons.services import coupons

SERVERS = ("admin",)


async def list_coupons(call: ToolCall, arguments: ListCoupons) -> StoreCoupons:
    """List coupons, newest first."""
    store_id = await select_store(call, arguments)
    query = CouponQuery(search=arguments.search, is_active=arguments.is_active)
    page = PageRequest(arguments.page, None)
    listed = await coupons.list_coupons(call.known_caller, store_id, query, page)
    return extend_record(StoreCoupons, listed, store_id=store_id)


async def create_coupon(call: ToolCall, arguments: CreateCoupon) -> StoreCoupon:
    store_id = await select_store(call, arguments)
    body = CouponBody(**arguments.model_dump(exclude={"restaurant_id"}))
    coupon = await coupons.create_coupon(call.known_caller, store_id, body)
    return StoreCoupon(store_id, coupon)


async def update_coupon(call: ToolCall, arguments: UpdateCoupon) -> StoreCoupon:
    store_id = await select_store(call, arguments)
    changes = arguments.model_dump(exclude={"restaurant_id", "coupon_id", "clear"}, exclude_none=True)
    if both := sorted(set(arguments.clear) & changes.keys()):
        raise ValidationFailed(clear=[f"Only one of setting and clearing {name} is possible." for name in both])
    changes |= dict.fromkeys(arguments.clear)
    if not changes:
        raise ValidationFailed(coupon_id=["Give at least one field to change or to clear."])
    change = CouponChange(**changes)
    coupon = await coupons.update_coupon(call.known_caller, store_id, arguments.coupon_id, change)
    return StoreCoupon(store_id, coupon)


async def delete_coupon(call: ToolCall, arguments: DeleteCoupon) -> DeletedCoupon:
    await coupons.delete_coupon(call.known_caller, await select_store(call, arguments), arguments.coupon_id)
    return DeletedCoupon(id=arguments.coupon_id, is_deleted=True)


TOOLS = (
    Tool(
        name="list_coupons",
        title="List coupons",
        description=(
            "Lists a store's coupons, newest first, 20 per page, with discount, limits, number of uses, and whether "
            "each can be used now (status)."
        ),
        servers=SERVERS,
        arguments=ListCoupons,
        result=StoreCoupons,
        handler=list_coupons,
        scope="orders:read",
        is_read_only=True,
    ),
    Tool(
        name="create_coupon",
        title="Create a coupon",
        description=(
            "Creates a coupon that guests can use in the store's storefront at once, or from starts_at. It gives a "
            "percentage or fixed discount on items, never on tip or delivery fee. A code already in use is refused."
        ),
        servers=SERVERS,
        arguments=CreateCoupon,
        result=StoreCoupon,
        handler=create_coupon,
        scope="orders:write",
    ),
    Tool(
        name="update_coupon",
        title="Change a coupon",
        description=(
            "Updates a coupon; omitted fields stay as they are, and clear removes limits. Orders that have used it "
            "keep their discount. To pause a coupon, set is_active to false."
        ),
        servers=SERVERS,
        arguments=UpdateCoupon,
        result=StoreCoupon,
        handler=update_coupon,
        scope="orders:write",
        is_idempotent=True,
    ),
    Tool(
        name="delete_coupon",
        title="Delete a coupon",
        description=(
            "Deletes a coupon permanently. Orders that have used it keep their discount. To pause it, use "
            "update_coupon with is_active false."
        ),
        servers=SERVERS,
        arguments=DeleteCoupon,
        result=DeletedCoupon,
        handler=delete_coupon,
        scope="orders:write",
        is_destructive=True,
    ),
)
