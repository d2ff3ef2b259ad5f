"""Every write reaches only what is its caller's, and leaves one audit entry if its caller's writes are audited."""

import json
import re
from itertools import count

import pyotp
import pytest
from audit import EntryTime, entries_of
from comanda.accounts import passwords
from comanda.accounts import services as accounts
from comanda.contracts.requests.routes import API_PREFIX
from comanda.devkit.testing.callers import create_test_owner
from comanda_customers.models import Customer
from installed_plugins import get_registry
from route_requests import called, filled, get_code, list_mixtures, send
from sweep import sweep
from workshop import HOLDERS, Workshop

# Each write is tried in one of so many tests, so that workers share them.
PARTS = 8
# In a fresh store there is nothing for it to write: no delivery that could be sent again, no order that is paid.
FINDING_NOTHING = {
    "/webhook-endpoints/{id}/replay",
    # What is written is at the provider, which keeps the readers.
    "/payment-accounts/{accountId}/readers",
    "/payment-accounts/{accountId}/readers/{reference}",
    "/reseller/customers/{id}/unsuspend",
    "/restaurants/{id}/orders/{orderId}/reopen",
    "/staff/orders/{orderId}/reopen",
}
# What only the system outside answers, or a printer of another kind does; tests of their own play them.
ASKING_OTHERS = {
    "/payment-accounts/{accountId}/page",
    "/restaurants/{id}/printers/{printerId}/claim",
    "/restaurants/{id}/hosts/{hostId}/check",
    "/restaurants/{id}/hubrise",
    "/restaurants/{id}/deliverect",
    "/restaurants/{id}/deliverect/menu",
}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT")
_request_ids = (f"sweep-of-writes-{number}" for number in count(1))


def list_writes():
    """List the kinds of callers and routes of all requests that are no GET."""
    return [
        (kind, route)
        for route in get_registry().routes
        if route.is_rest and route.method != "GET" and route.path not in ASKING_OTHERS
        for kind in route.callers
    ]


def is_audited(kind, route):
    return get_registry().caller_kinds[kind].is_audited and not route.is_read_only


async def holder(workshop, kind):
    if kind == "owner":
        return workshop.owner.auth
    if kind == "storefront":
        issued = await accounts.issue_token(
            get_registry().caller_kinds[kind], workshop.owner.id, ["*"], name="site", store_id=workshop.home
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
    await client.post("/app/devices", headers=headers, json=DEVICE)
    return DEVICE


async def connected_sms_service(client, _, headers):
    await client.put(f"{API_PREFIX}/sms-service", headers=headers, json={"url": "bulksms://token:secret@{to}"})


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
    "/sms-service": connected_sms_service,
}


async def list_strangers(world, kind, route, own_body):
    """List whom a route refuses what is another's: their headers, ids and body.

    For an owner that is another owner; for others also their like in another store of their owner.
    """
    if kind == "owner":
        _, mine = await world.sides_of(route)
        ids = await mine.ids_of(route)
        return [(mine.owner.auth, ids, await mine.body_of(route, ids))]
    people = [await world.person(kind, owner, "Stranger") for owner in (world.owner, world.other_owner)]
    return [(headers, await workshop.ids_of(route), own_body) for workshop, headers in people]


def texts_in(document):
    """Yield the longer texts of a body or an answer: names, secrets, notes; short words may be in anything."""
    if isinstance(document, dict):
        document = list(document.values())
    if isinstance(document, list):
        for value in document:
            yield from texts_in(value)
    elif isinstance(document, str) and len(document) > 12 and not MOMENT.match(document):
        yield document


@pytest.mark.parametrize("part", range(PARTS))
async def test_a_write_reaches_what_is_its_callers_and_leaves_one_entry_if_audited(world, tally, entry_times, part):
    with sweep(at_least=20) as checks:
        for kind, route in list_writes()[part::PARTS]:
            with checks.check(f"{kind} {called(route)}"):
                await check_write(world, tally, entry_times, kind, route)


async def check_write(world, tally, entry_times, kind, route):
    # Owners' records may exclude each other; those of people stand in stores of their own.
    owner = await create_test_owner() if kind == "owner" else world.owner
    workshop = Workshop(world.client, owner, None if kind == "owner" else await owner.store())
    auth = await holder(workshop, kind)
    ids = await workshop.ids_of(route)
    body = await workshop.body_of(route, ids)
    if route.path in PREPARED and route.method != "PUT":
        prepared = PREPARED[route.path]
        body = await prepared(world.client, workshop, auth) if callable(prepared) else prepared

    for headers, own_ids, own_body in await list_strangers(world, kind, route, body) if ids else []:
        await tally.take()
        for mixture in list_mixtures(own_ids, ids):
            for sent in [body] if body == own_body else [body, own_body]:
                status, answer = await send(world.client, route, mixture, headers, sent)
                assert (status, get_code(answer)) == (404, "not_found"), (mixture, answer)
        assert await tally.take() == {}

    # The same request goes through where it is one's own: so it was about whose it is.
    request_id = next(_request_ids)
    entry_times.clear()
    status, answer = await send(world.client, route, ids, {**auth, "X-Request-Id": request_id}, body)
    assert 200 <= status < 300, answer
    entries = await entries_of(owner, request_id)
    assert await entries_of(world.other_owner, request_id) == []
    assert len(entries) == is_audited(kind, route)
    if entries:
        assert await tally.take(), "Not even the entry is counted."
        check_entry(entries[0], kind, route, ids, answer)
        assert entries[0]["actor_id"] == (workshop.holder_id or owner.id)
        for text in texts_in([body, answer]):
            assert text not in entries[0]["row"], text
        # A process that is killed before it answers leaves the entry with the write.
        if route.path not in FINDING_NOTHING:
            assert entry_times == [EntryTime.WITH_WRITE]


def check_entry(entry, kind, route, ids, answer):
    assert (entry["actor_kind"], entry["action"], entry["outcome"]) == (kind, route.operation_id, "ok")
    assert sorted(json.loads(entry["before_ids"]).values()) == sorted(id for id in ids if isinstance(id, int))
    after_ids = json.loads(entry["after_ids"])
    if isinstance(answer, dict) and isinstance(answer.get("id"), int):
        assert answer["id"] in after_ids.values()
    assert all(type(id) is int for id in after_ids.values())
    if route.method == "DELETE" and route.path.endswith("}") and isinstance(ids[-1], int):
        assert len(after_ids) == len(ids) - 1


async def test_a_write_without_a_readable_body_changes_nothing(world, tally):
    with sweep(at_least=100) as checks:
        for kind, route in list_writes():
            if route.binding.body is None or not is_audited(kind, route):
                continue
            with checks.check(f"{kind} {called(route)}"):
                if kind == "owner":
                    workshop, _ = await world.sides_of(route)
                    auth = workshop.owner.auth
                elif kind in HOLDERS:
                    workshop, auth = await world.person(kind, world.owner, "Stranger")
                else:
                    workshop = Workshop(world.client, world.owner, await world.owner.store())
                    auth = await holder(workshop, kind)
                ids = await workshop.ids_of(route)
                await tally.take()

                broken = await world.client.open(filled(route, ids), method=route.method, headers=auth, data=b'{"')

                assert broken.status_code in {400, 404, 415, 422}
                assert await tally.take() == {}
