"""Every write of an owner's, of staff and of a storefront leaves one entry: asked of every route that writes."""

import json
import re

import pyotp
import pytest
from audit import EntryTime, entries_of
from comanda.accounts import passwords
from comanda.accounts import services as accounts
from comanda.contracts.routes import API_PREFIX
from comanda_customers.models import Customer
from installed_plugins import get_registry
from route_requests import called, everything_of, filled, send
from workshop import HOLDERS, Workshop

REGISTRY = get_registry()
AUDITED = [
    pytest.param(kind, route, id=f"{kind} {called(route)}")
    for route in REGISTRY.routes
    for kind in route.callers
    if REGISTRY.caller_kinds[kind].is_audited and not route.is_read_only and route.is_rest
]
OTHERS = [
    pytest.param(kind, route, id=f"{kind} {called(route)}")
    for route in REGISTRY.routes
    for kind in route.callers
    if route.is_rest and route.method != "GET" and (route.is_read_only or not REGISTRY.caller_kinds[kind].is_audited)
]
# In a fresh store there is nothing for it to write: no delivery that could be sent again.
FINDING_NOTHING = {"/webhook-endpoints/{id}/replay", "/reseller/customers/{id}/unsuspend"}
REQUEST_ID = "audit-contract"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT")


async def holder(workshop, kind):
    if kind == "owner":
        return workshop.owner.auth
    if kind == "storefront":
        issued = await accounts.issue_token(
            REGISTRY.caller_kinds[kind], workshop.owner.id, ["*"], name="site", store_id=workshop.home
        )
        return {"X-Storefront-Token": issued.secret}
    return await HOLDERS[kind](workshop)


async def confirmation(client, _, headers):
    """Return a body that turns two-factor on."""
    setup = await client.post(f"{API_PREFIX}/staff/2fa/setup", headers=headers)
    return {"code": pyotp.TOTP((await setup.get_json())["secret"]).now()}


async def end_of_two_factor(client, workshop, headers):
    body = await confirmation(client, workshop, headers)
    confirmed = await client.post(f"{API_PREFIX}/staff/2fa/confirm", headers=headers, json=body)
    code = (await confirmed.get_json())["recovery_codes"][0]
    return {"password": "lemon tart at dawn", "recovery_code": code}


async def something_sold_out(_, workshop, __):
    return {"item_ids": [await workshop.item(workshop.home)], "snoozed": True}


async def erasure(_, workshop, __):
    customer = await Customer.get(id=workshop.holder_id, owner_id=workshop.owner.id)
    customer.password_hash = await passwords.hash_password("correct horse")
    customer.login_email = customer.email
    await customer.save(update_fields=["password_hash", "login_email"])
    return {"password": "correct horse"}


async def order_of_customer(_, workshop, __):
    return {"type": "takeaway", "items": [{"item_id": await workshop.item(workshop.home)}]}


async def registered_device(client, _, headers):
    await client.post(f"{API_PREFIX}/staff/push/register-device", headers=headers, json=DEVICE)
    return DEVICE


async def registered_app_device(client, _, headers):
    await client.post("/api/v1/app/devices", headers=headers, json=DEVICE)
    return DEVICE


DEVICE = {"platform": "ios", "token": "f3a1c0de9b0000"}
# Bodies of routes whose paths name nothing, so that only their holder says what can stand in them.
PREPARED = {
    "/staff/2fa/confirm": confirmation,
    "/staff/2fa/disable": end_of_two_factor,
    "/staff/integration/snooze": something_sold_out,
    "/staff/integration/busy": {"status": "busy", "delay_minutes": 15},
    "/staff/push/register-device": DEVICE,
    "/staff/push/unregister-device": registered_device,
    "/driver/push/register-device": DEVICE,
    "/driver/push/unregister-device": DEVICE,
    "/app/devices": DEVICE,
    "/app/devices/unregister": registered_app_device,
    "/customer/me": erasure,
    "/customer/orders": order_of_customer,
    "/storefront/orders": order_of_customer,
    "/wallet": {"low_balance": 10.0},
}


async def request_of(client, owner, kind, route):
    home = None if kind == "owner" else await owner.store()
    workshop = Workshop(client, owner, home)
    auth = await holder(workshop, kind)
    ids = await workshop.ids_of(route)
    body = await workshop.body_of(route, ids)
    if route.path in PREPARED and route.method != "PUT":
        prepared = PREPARED[route.path]
        body = await prepared(client, workshop, auth) if callable(prepared) else prepared
    return workshop, {**auth, "X-Request-Id": REQUEST_ID}, ids, body


def test_there_is_something_to_test():
    assert {each.values[0] for each in AUDITED} >= {"owner", "staff", "storefront"}
    assert len(AUDITED) > 100


@pytest.mark.parametrize(("kind", "route"), AUDITED)
async def test_a_write_leaves_one_entry_with_ids_and_no_secret(client, owner, other_owner, entry_times, kind, route):
    workshop, headers, ids, body = await request_of(client, owner, kind, route)
    entry_times.clear()

    status, answer = await send(client, route, ids, headers, body)

    assert 200 <= status < 300, answer
    entries = await entries_of(owner, REQUEST_ID)
    assert len(entries) == 1
    entry = entries[0]
    assert (entry["actor_kind"], entry["action"], entry["outcome"]) == (kind, route.operation_id, "ok")
    assert entry["actor_id"] == (workshop.holder_id or owner.id)
    assert sorted(json.loads(entry["before_ids"]).values()) == sorted(id for id in ids if isinstance(id, int))
    after_ids = json.loads(entry["after_ids"])
    if isinstance(answer, dict) and isinstance(answer.get("id"), int):
        assert answer["id"] in after_ids.values()
    assert all(type(id) is int for id in after_ids.values())
    if route.method == "DELETE" and route.path.endswith("}") and isinstance(ids[-1], int):
        assert len(after_ids) == len(ids) - 1
    for text in texts_in([body, answer]):
        assert text not in entry["row"], text
    assert await entries_of(other_owner, REQUEST_ID) == []
    # A process that is killed before it answers leaves the entry with the write.
    if route.path not in FINDING_NOTHING:
        assert entry_times == [EntryTime.WITH_WRITE]


def texts_in(document):
    """Yield the longer texts of a body or an answer: names, secrets, notes; short words may be in anything."""
    if isinstance(document, dict):
        document = list(document.values())
    if isinstance(document, list):
        for value in document:
            yield from texts_in(value)
    elif isinstance(document, str) and len(document) > 12 and not MOMENT.match(document):
        yield document


REFUSABLE = [each for each in AUDITED if each.values[1].binding.path_parameters or each.values[1].binding.body]


@pytest.mark.parametrize(("kind", "route"), REFUSABLE)
async def test_a_refused_write_leaves_no_entry(client, owner, other_owner, kind, route):
    _, headers, ids, body = await request_of(client, owner, kind, route)
    _, foreign, _, _ = await request_of(client, other_owner, kind, route)
    before = await everything_of(owner, but={"core_access_token"})

    if ids:
        assert (await send(client, route, ids, foreign, body))[0] == 404
    if route.binding.body is not None:
        broken = await client.open(filled(route, ids), method=route.method, headers=headers, data=b'{"')
        assert broken.status_code in {400, 404, 415, 422}

    assert await entries_of(owner, REQUEST_ID) == []
    assert await entries_of(other_owner, REQUEST_ID) == []
    assert await everything_of(owner, but={"core_access_token"}) == before


@pytest.mark.parametrize(("kind", "route"), OTHERS)
async def test_what_customers_and_drivers_do_leaves_no_entry(client, owner, kind, route):
    _, headers, ids, body = await request_of(client, owner, kind, route)

    status, answer = await send(client, route, ids, headers, body)

    assert 200 <= status < 300, answer
    assert await entries_of(owner, REQUEST_ID) == []
