"""Path parameters, request bodies and tool arguments of the storefront plugin, for the tests of every route."""

from comanda.contracts import API_PREFIX, Caller
from comanda.platform.db import sql
from comanda_storefront.services import carts
from comanda_storefront.services.cart_store import CartContents

BODY = {"name": "Web shop", "scopes": ["menu:read", "order:write", "agent"]}


async def token(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/storefront-tokens", BODY)


async def round_body(workshop, *ids):
    """Return a round for the order with a track token, which is made one of a table whose store allows rounds."""
    statement = "UPDATE core_order SET type = 'on-table', table_number = '4' WHERE track_token = $1 RETURNING store_id"
    store_id = await sql.fetch_value(statement, ids[-1])
    path = f"{API_PREFIX}/restaurants/{store_id}/settings/storefront"
    response = await workshop.client.put(path, headers=workshop.owner.auth, json={"allows_rounds": True})
    assert response.status_code == 200
    return {"items": [{"item_id": await workshop.item(store_id), "quantity": 2, "note": "Hot"}]}


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
BODIES = {"StorefrontTokenBody": BODY, "RoundBody": round_body}
MCP_CALLS = {
    "storefront/create_cart": contents,
    "storefront/get_cart": cart,
    "storefront/update_cart": other_contents,
    "storefront/apply_coupon": cart,
    "storefront/place_order": order,
}
