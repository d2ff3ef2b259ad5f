"""Paths, bodies and tool calls of the coupons plugin, for tests of every route and tool."""

from itertools import count

_numbers = count(1)


async def coupon(workshop, store_id):
    body = {"code": f"code-{next(_numbers)}", "type": "percentage", "value": 10}
    return await workshop.post(f"/restaurants/{store_id}/coupons", body)


async def coupon_body(workshop, store_id, *_):
    return {
        "code": f"stolen-{next(_numbers)}", "type": "fixed", "value": 3.5, "min_subtotal": 10, "max_discount": None,
        "starts_at": "2020-01-01T00:00:00Z", "ends_at": "2030-01-01T00:00:00Z", "usage_limit": 5,
        "per_customer_limit": 1, "first_order_only": True, "modes": ["takeaway"], "is_active": True,
        "item_ids": [await workshop.item(store_id)], "category_ids": [await workshop.category(store_id)],
    }  # fmt: skip


async def promotion(workshop, store_id):
    body = {"name": "Happy hour", "type": "percentage", "value": 10}
    return await workshop.post(f"/restaurants/{store_id}/promotions", body)


async def promotion_body(workshop, store_id, *_):
    return {
        "name": "Stolen hour", "type": "bundle", "value": 3.5, "quantity": 2, "min_subtotal": 10, "max_discount": 2,
        "starts_at": "2020-01-01T00:00:00Z", "ends_at": "2030-01-01T00:00:00Z", "usage_limit": 5, "budget": 100,
        "per_customer_limit": 1, "first_order_only": True,
        "valid_at": [{"days": ["fri"], "from": "22:00", "until": "02:00"}], "channels": ["staff"], "is_active": True,
        "modes": ["takeaway"], "item_ids": [await workshop.item(store_id)],
        "category_ids": [await workshop.category(store_id)],
    }  # fmt: skip


FACTORIES = {
    "/restaurants/{id}/coupons/{couponId}": coupon,
    "/restaurants/{id}/promotions/{promotionId}": promotion,
}
BODIES = {
    "CouponBody": coupon_body,
    "CouponChange": coupon_body,
    "PromotionBody": promotion_body,
    "PromotionChange": promotion_body,
}


async def create_coupon(bench):
    body = await coupon_body(bench, bench.store_id)
    del body["max_discount"]
    return body


async def update_coupon(bench):
    changes = {"code": f"stolen-{next(_numbers)}", "value": 3.5, "is_active": False, "clear": ["usage_limit"]}
    return {"coupon_id": await coupon(bench, bench.store_id), **changes}


async def delete_coupon(bench):
    return {"coupon_id": await coupon(bench, bench.store_id)}


MCP_CALLS = {
    "admin/list_coupons": {"search": "c", "is_active": True, "page": 1},
    "admin/create_coupon": create_coupon,
    "admin/update_coupon": update_coupon,
    "admin/delete_coupon": delete_coupon,
}
