"""Path parameters, request bodies and tool arguments of the storefront plugin, for the tests of every route."""

from comanda.contracts import Caller
from comanda_storefront.services import carts
from comanda_storefront.services.cart_store import CartContents

BODY = {"name": "Web shop", "scopes": ["menu:read", "order:write", "agent"]}


async def token(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/storefront-tokens", BODY)


async def contents(bench):
    line = {"item_id": await bench.item(bench.store_id), "quantity": 2, "note": "Hot"}
    return {"items": [line], "type": "on-table", "table_number": "4", "note": "Quick", "details": {"x": 1}}


async def cart(bench):
    caller = Caller("storefront", 0, bench.owner.id, bench.store_id, None, frozenset({"*"}), None)
    return {"cart_id": (await carts.create_cart(caller, CartContents(**await contents(bench)))).cart_id}


async def other_contents(bench):
    return {**await cart(bench), **await contents(bench)}


async def order(bench):
    given = {"customer_name": "Ada", "phone": "+351 1", "note": "x", "idempotency_key": "k", "expected_total": 15}
    return {**await cart(bench), **given}


FACTORIES = {"/restaurants/{id}/storefront-tokens/{tokenId}": token}
BODIES = {"StorefrontTokenBody": BODY}
MCP_CALLS = {
    "storefront/create_cart": contents,
    "storefront/get_cart": cart,
    "storefront/update_cart": other_contents,
    "storefront/apply_coupon": cart,
    "storefront/place_order": order,
}
