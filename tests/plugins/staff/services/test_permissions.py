"""Effective permissions."""

import pytest
from comanda_staff.api import Permission
from comanda_staff.services.permissions import SCOPE_BY_PERMISSION

ALL = ["orders", "menu_edit", "coupons", "analytics", "kds", "customers"]


async def test_permission_change_applies_to_existing_tokens(waiter):
    soup = {"name": "Soup", "price": 5, "category_id": await waiter.store.category()}
    assert (await waiter.send("POST", "/menu/items", soup)).status == 403
    assert (await waiter.send("GET", "/orders")).status == 200

    await waiter.update(grants=["menu_edit"], denials=["orders"])

    assert (await waiter.send("POST", "/menu/items", soup)).status == 201
    denied = await waiter.send("GET", "/orders")
    assert (denied.status, denied["code"], denied["required"]) == (403, "forbidden", "orders")
    await waiter.update(role="manager", denials=[], grants=[])
    assert (await waiter.send("GET", "/orders")).status == 200


@pytest.mark.parametrize(
    ("role", "grants", "denials", "permissions"),
    [
        ("manager", [], [], ALL),
        ("cashier", [], [], ["orders", "coupons", "customers"]),
        ("kitchen", [], [], ["kds"]),
        ("waiter", [], [], ["orders"]),
        ("waiter", ["menu_edit", "kds"], [], ["orders", "menu_edit", "kds"]),
        ("manager", [], ["analytics"], ["orders", "menu_edit", "coupons", "kds", "customers"]),
        ("waiter", ["orders", "kds"], ["kds", "orders"], []),
    ],
)
async def test_permissions_combine_role_grants_and_denials(create_member, role, grants, denials, permissions):
    person = await create_member(role, grants=grants, denials=denials)

    entered = await person.log_in()

    assert entered["staff"]["permissions"] == permissions
    assert (await person.send("GET", "/me"))["permissions"] == permissions


def test_every_permission_has_a_scope():
    assert set(SCOPE_BY_PERMISSION) == set(Permission)
