"""Revocation of access, uniqueness, and the scopes needed to manage members."""

import asyncio

import pytest
from comanda.platform import encryption
from comanda_staff.api import Permission
from comanda_staff.models import TOTP_SECRET, Member

PASSWORD = "lemon tart at dawn"


COOK = {"name": "Rosa", "role": "kitchen", "email": "Rosa@Example.com", "password": PASSWORD, "pin": "5918"}


EVERYTHING_OF_A_MANAGER = ("orders:write", "menu:write", "analytics:write", "customers:write")


BODY = {"name": "Mallory", "email": "mallory@example.com", "password": "lemon tart at dawn"}


@pytest.fixture
def send_with_scopes(store, owner):
    """Call a route of staff with a token of the owner's that has these scopes and no other."""

    async def send(scopes, method, path, body=None):
        return await store.send(method, f"/staff{path}", body, **await owner.token_with(*scopes))

    return send


@pytest.mark.parametrize(
    "change",
    [{"is_active": False}, {"password": "another long secret"}, {"pin": "9471"}, {"pin": None}, {"email": None}],
    ids=str,
)
async def test_access_change_revokes_all_tokens(create_member, change):
    person = await create_member(pin="7391")
    await person.log_in()
    by_email = person.token
    await person.log_in_by_pin()
    assert (await person.send("GET", "/me")).status == 200

    assert (await person.update(**change)).status == 200

    for token in (by_email, person.token):
        person.token = token
        assert (await person.send("GET", "/me")).status == 401


async def test_deleted_member_is_logged_out(waiter):
    assert (await waiter.store.send("DELETE", f"/staff/{waiter.id}")).status == 204

    assert (await waiter.send("GET", "/me")).status == 401
    assert (await waiter.log_in()).status == 401


async def test_inactive_member_cannot_log_in_until_reactivated(create_member):
    person = await create_member(pin="7391", is_active=False)

    assert ((await person.log_in()).status, (await person.log_in_by_pin()).status) == (401, 401)
    await person.update(is_active=True)
    assert ((await person.log_in()).status, (await person.log_in_by_pin()).status) == (200, 200)


async def test_email_and_pin_are_unique_per_store(store, open_store, create_member):
    first = await create_member(email="ana@example.com", pin="7391")
    second = await create_member(pin="7392")
    elsewhere = await open_store("restaurant")

    assert list((await second.update(email="ANA@example.com")).errors) == ["email"]
    assert list((await second.update(pin="7391")).errors) == ["pin"]
    assert list((await store.send("POST", "/staff", {**COOK, "pin": "7391"})).errors) == ["pin"]
    # Somebody who does not work here any more has no PIN that counts, until they come back.
    assert (await first.update(is_active=False)).status == 200
    assert (await second.update(pin="7391")).status == 200
    assert list((await first.update(is_active=True)).errors) == ["pin"]
    # In another store both are free.
    await create_member(at=elsewhere, email="ana@example.com", pin="7391")


async def test_concurrent_use_of_one_pin_succeeds_once(store):
    bodies = [{"name": f"P{number}", "role": "waiter", "pin": "7391"} for number in range(6)]

    replies = await asyncio.gather(*(store.send("POST", "/staff", body) for body in bodies))

    assert sorted(reply.status for reply in replies) == [201] + [422] * 5


@pytest.mark.parametrize(
    ("fields", "needed"),
    [
        ({"role": "manager"}, "orders:write"),
        ({"role": "kitchen"}, "orders:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["menu_edit"]}, "menu:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["analytics"]}, "analytics:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["customers"]}, "customers:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["coupons"]}, "orders:write"),
        ({"role": "manager", "is_active": False}, "orders:write"),
    ],
)
async def test_create_member_requires_scopes_of_its_permissions(store, send_with_scopes, fields, needed):
    reply = await send_with_scopes(["restaurants:write"], "POST", "", {**BODY, **fields})

    assert (reply.status, reply["code"], reply["required"]) == (403, "forbidden", needed)
    assert needed in reply["message"]
    assert await Member.filter(store_id=store.id).count() == 0


async def test_create_member_succeeds_with_matching_scopes(send_with_scopes):
    scopes = ["restaurants:write", *EVERYTHING_OF_A_MANAGER]

    assert (await send_with_scopes(scopes, "POST", "", {**BODY, "role": "manager"})).status == 201
    waiter = {"name": "Wim", "role": "waiter", "pin": "7391"}
    assert (await send_with_scopes(["restaurants:write", "orders:write"], "POST", "", waiter)).status == 201
    nothing = {"name": "Nil", "role": "waiter", "pin": "7392", "denials": ["orders"]}
    assert (await send_with_scopes(["restaurants:write"], "POST", "", nothing)).status == 201


async def test_error_names_all_missing_scopes(send_with_scopes):
    reply = await send_with_scopes(["restaurants:write", "menu:write"], "POST", "", {**BODY, "role": "manager"})

    assert reply["message"].count(":") == 3
    assert all(scope in reply["message"] for scope in ("orders:write", "analytics:write", "customers:write"))


REFUSED_CHANGES = [
    {"role": "waiter"},
    {"grants": ["kds"]},
    {"denials": list(Permission)},
    {"password": "mallory knows this one"},
    {"email": "mallory@example.com"},
    {"email": "mallory@example.com", "password": "mallory knows this one"},
    {"email": None, "pin": "5512"},
    {"pin": "5512"},
    {"station_ids": []},
    {"is_active": True},
    {"is_active": False, "pin": "5512"},
]


async def test_update_of_stronger_member_returns_403(store, create_member, send_with_scopes, subtests):
    manager = await create_member("manager", pin="7391")
    before = await Member.filter(id=manager.id).values()

    for change in REFUSED_CHANGES:
        with subtests.test(change=change):
            # A token that could do most of what the manager does is no better.
            for scopes in (["restaurants:write"], ["restaurants:write", *EVERYTHING_OF_A_MANAGER[:3]]):
                reply = await send_with_scopes(scopes, "PUT", f"/{manager.id}", change)
                assert (reply.status, reply["code"]) == (403, "forbidden")

            assert await Member.filter(id=manager.id).values() == before

    assert (await manager.log_in()).status == 200


async def test_two_factor_reset_of_stronger_member_returns_403(create_member, send_with_scopes):
    manager = await create_member("manager")
    owner_id = (await Member.get(id=manager.id)).owner_id
    secret = encryption.encrypt("JBSWY3DPEHPK3PXP", TOTP_SECRET, owner_id, manager.id)
    await Member.filter(id=manager.id).update(totp_secret=secret)

    reply = await send_with_scopes(["restaurants:write"], "DELETE", f"/{manager.id}/2fa")

    assert (reply.status, reply["required"]) == (403, "orders:write")
    assert (await Member.get(id=manager.id)).totp_secret == secret


async def test_promotion_beyond_token_scopes_returns_403(create_member, send_with_scopes):
    waiter = await create_member("waiter")

    reply = await send_with_scopes(["restaurants:write", "orders:write"], "PUT", f"/{waiter.id}", {"role": "manager"})

    assert (reply.status, reply["required"]) == (403, "menu:write")
    assert (await Member.get(id=waiter.id)).role == "waiter"


async def test_reactivation_of_stronger_member_returns_403(create_member, send_with_scopes):
    manager = await create_member("manager", is_active=False)

    assert (await send_with_scopes(["restaurants:write"], "PUT", f"/{manager.id}", {"is_active": True})).status == 403

    assert not (await Member.get(id=manager.id)).is_active


async def test_store_scope_suffices_to_rename_deactivate_and_delete(create_member, send_with_scopes):
    manager, other = await create_member("manager"), await create_member("manager")
    scopes = ["restaurants:write"]

    renamed = await send_with_scopes(scopes, "PUT", f"/{manager.id}", {"name": "Marta", "phone": "12"})
    left = await send_with_scopes(scopes, "PUT", f"/{manager.id}", {"is_active": False})
    deleted = await send_with_scopes(scopes, "DELETE", f"/{other.id}")

    assert (renamed.status, renamed["name"], left.status, left["is_active"]) == (200, "Marta", 200, False)
    assert deleted.status == 204


async def test_member_of_other_owner_returns_404_before_403(create_member, send_with_scopes, open_store, other_owner):
    elsewhere = await create_member("manager", at=await open_store("restaurant"))

    reply = await send_with_scopes(["restaurants:write"], "PUT", f"/{elsewhere.id}", {"pin": "5512"})

    assert (reply.status, reply["code"]) == (404, "not_found")
