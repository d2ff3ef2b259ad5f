"""No credential makes a stronger one: what a token needs to create staff, and to change how and as whom they log in."""

import pytest
from comanda import encryption
from comanda_staff.api import Permission
from comanda_staff.models import TOTP_SECRET, Member
from comanda_staff.services.permissions import SCOPE_BY_PERMISSION

EVERYTHING_OF_A_MANAGER = ("orders:write", "menu:write", "analytics:read", "customers:write")
BODY = {"name": "Mallory", "email": "mallory@example.com", "password": "lemon tart at dawn"}


@pytest.fixture
def as_token(store, owner):
    """Call a route of staff with a token of the owner's that has these scopes and no other."""

    async def send(scopes, method, path, body=None):
        return await store.send(method, f"/staff{path}", body, **await owner.token_with(*scopes))

    return send


def test_every_permission_stands_for_a_scope():
    assert set(SCOPE_BY_PERMISSION) == set(Permission)


@pytest.mark.parametrize(
    ("fields", "needed"),
    [
        ({"role": "manager"}, "orders:write"),
        ({"role": "kitchen"}, "orders:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["menu_edit"]}, "menu:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["analytics"]}, "analytics:read"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["customers"]}, "customers:write"),
        ({"role": "waiter", "denials": ["orders"], "grants": ["coupons"]}, "orders:write"),
        ({"role": "manager", "is_active": False}, "orders:write"),
    ],
)
async def test_nobody_is_employed_with_more_than_the_token_may(store, as_token, fields, needed):
    reply = await as_token(["restaurants:write"], "POST", "", {**BODY, **fields})

    assert (reply.status, reply["code"], reply["required"]) == (403, "forbidden", needed)
    assert needed in reply["message"]
    assert await Member.filter(store_id=store.id).count() == 0


async def test_a_token_employs_whom_it_could_stand_in_for(as_token):
    scopes = ["restaurants:write", *EVERYTHING_OF_A_MANAGER]

    assert (await as_token(scopes, "POST", "", {**BODY, "role": "manager"})).status == 201
    waiter = {"name": "Wim", "role": "waiter", "pin": "7391"}
    assert (await as_token(["restaurants:write", "orders:write"], "POST", "", waiter)).status == 201
    nothing = {"name": "Nil", "role": "waiter", "pin": "7392", "denials": ["orders"]}
    assert (await as_token(["restaurants:write"], "POST", "", nothing)).status == 201


async def test_all_missing_scopes_are_named(as_token):
    reply = await as_token(["restaurants:write", "menu:write"], "POST", "", {**BODY, "role": "manager"})

    assert reply["message"].count(":") == 3
    assert all(scope in reply["message"] for scope in ("orders:write", "analytics:read", "customers:write"))


@pytest.mark.parametrize(
    "change",
    [
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
    ],
)
async def test_a_stronger_member_is_not_taken_over(store, employ, as_token, change):
    boss = await employ("manager", pin="7391")
    before = await Member.filter(id=boss.id).values()

    # A token that could do most of what the manager does is no better.
    for scopes in (["restaurants:write"], ["restaurants:write", *EVERYTHING_OF_A_MANAGER[:3]]):
        reply = await as_token(scopes, "PUT", f"/{boss.id}", change)
        assert (reply.status, reply["code"]) == (403, "forbidden")

    assert await Member.filter(id=boss.id).values() == before
    assert (await boss.login()).status == 200


async def test_two_factor_of_a_stronger_member_stays_on(employ, as_token):
    boss = await employ("manager")
    owner_id = (await Member.get(id=boss.id)).owner_id
    secret = encryption.encrypt("JBSWY3DPEHPK3PXP", TOTP_SECRET, owner_id, boss.id)
    await Member.filter(id=boss.id).update(totp_secret=secret)

    reply = await as_token(["restaurants:write"], "DELETE", f"/{boss.id}/2fa")

    assert (reply.status, reply["required"]) == (403, "orders:write")
    assert (await Member.get(id=boss.id)).totp_secret == secret


async def test_nobody_is_promoted_beyond_the_token(employ, as_token):
    waiter = await employ("waiter")

    reply = await as_token(["restaurants:write", "orders:write"], "PUT", f"/{waiter.id}", {"role": "manager"})

    assert (reply.status, reply["required"]) == (403, "menu:write")
    assert (await Member.get(id=waiter.id)).role == "waiter"


async def test_a_stronger_member_is_not_brought_back(employ, as_token):
    boss = await employ("manager", is_active=False)

    assert (await as_token(["restaurants:write"], "PUT", f"/{boss.id}", {"is_active": True})).status == 403

    assert not (await Member.get(id=boss.id)).is_active


async def test_managing_the_store_suffices_to_rename_and_to_send_away(employ, as_token):
    boss, other = await employ("manager"), await employ("manager")
    scopes = ["restaurants:write"]

    renamed = await as_token(scopes, "PUT", f"/{boss.id}", {"name": "Marta", "phone": "12"})
    left = await as_token(scopes, "PUT", f"/{boss.id}", {"is_active": False})
    deleted = await as_token(scopes, "DELETE", f"/{other.id}")

    assert (renamed.status, renamed["name"], left.status, left["is_active"]) == (200, "Marta", 200, False)
    assert deleted.status == 204


async def test_a_foreign_member_is_missing_before_a_scope_is(employ, as_token, open_store, other_owner):
    elsewhere = await employ("manager", at=await open_store("restaurant"))

    reply = await as_token(["restaurants:write"], "PUT", f"/{elsewhere.id}", {"pin": "5512"})

    assert (reply.status, reply["code"]) == (404, "not_found")
