"""What owners' agents can do with coupons."""

from typing import Any

from comanda.contracts.mcp import Tool, ToolCall
from comanda.contracts.paging import PageRequest
from comanda.errors import ValidationFailed
from comanda.mcp.store_selection import select_store

from comanda_coupons import services
from comanda_coupons.schemas import CouponBody, CouponChange, CouponQuery
from comanda_coupons.tool_schemas import (
    CouponPage,
    CreateCoupon,
    DeleteCoupon,
    DeletedCoupon,
    ListCoupons,
    OneCoupon,
    UpdateCoupon,
)

ON = ("admin",)


async def list_coupons(call: ToolCall, arguments: ListCoupons) -> dict[str, Any]:
    """List coupons, newest first."""
    store_id = await select_store(call, arguments)
    query = CouponQuery(search=arguments.search, is_active=arguments.is_active)
    page = PageRequest(arguments.page, None)
    found = await services.page_of_coupons(call.known_caller, store_id, query, page)
    return {"restaurant_id": store_id, **found}


async def create_coupon(call: ToolCall, arguments: CreateCoupon) -> dict[str, Any]:
    """Create a coupon."""
    store_id = await select_store(call, arguments)
    body = CouponBody(**arguments.model_dump(exclude={"restaurant_id"}))
    made = await services.create_coupon(call.known_caller, store_id, body)
    return {"restaurant_id": store_id, "coupon": made}


async def update_coupon(call: ToolCall, arguments: UpdateCoupon) -> dict[str, Any]:
    """Change a coupon."""
    store_id = await select_store(call, arguments)
    given = arguments.model_dump(exclude={"restaurant_id", "coupon_id", "clear"}, exclude_none=True)
    if both := sorted(set(arguments.clear) & given.keys()):
        raise ValidationFailed(clear=[f"Either set {name} or clear it." for name in both])
    given |= dict.fromkeys(arguments.clear)
    if not given:
        raise ValidationFailed(coupon_id=["Give at least one field to change, or one to clear."])
    change = CouponChange(**given)
    changed = await services.change_coupon(call.known_caller, store_id, arguments.coupon_id, change)
    return {"restaurant_id": store_id, "coupon": changed}


async def delete_coupon(call: ToolCall, arguments: DeleteCoupon) -> DeletedCoupon:
    """Delete a coupon."""
    await services.delete_coupon(call.known_caller, await select_store(call, arguments), arguments.coupon_id)
    return DeletedCoupon(id=arguments.coupon_id, is_deleted=True)


TOOLS = (
    Tool(
        name="list_coupons",
        title="List coupons",
        description=(
            "Lists a store's coupons, newest first, 20 per page: what each takes off, its limits, how often it was "
            "used, and whether it can be used now (status)."
        ),
        servers=ON,
        arguments=ListCoupons,
        result=CouponPage,
        handler=list_coupons,
        scope="orders:read",
        is_read_only=True,
    ),
    Tool(
        name="create_coupon",
        title="Create a coupon",
        description=(
            "Creates a coupon that guests can use in the store's storefront as soon as it is made, or from starts_at. "
            "It takes off a percentage or a fixed amount, never from tip or delivery fee. A code that is in use is "
            "refused."
        ),
        servers=ON,
        arguments=CreateCoupon,
        result=OneCoupon,
        handler=create_coupon,
        scope="orders:write",
    ),
    Tool(
        name="update_coupon",
        title="Change a coupon",
        description=(
            "Changes a coupon; what is left out stays as it is, and clear takes limits away. Orders that have used it "
            "keep their discount. To pause a coupon, set is_active to false."
        ),
        servers=ON,
        arguments=UpdateCoupon,
        result=OneCoupon,
        handler=update_coupon,
        scope="orders:write",
        is_idempotent=True,
    ),
    Tool(
        name="delete_coupon",
        title="Delete a coupon",
        description=(
            "Deletes a coupon for good: nobody can use it any more. Orders that have used it keep their discount. To "
            "stop it for a while, use update_coupon with is_active false."
        ),
        servers=ON,
        arguments=DeleteCoupon,
        result=DeletedCoupon,
        handler=delete_coupon,
        scope="orders:write",
        is_destructive=True,
    ),
)
