"""Enrolment routes."""

import pytest
from comanda.platform.db import sql
from comanda_staff.models import EnrolledDevice


async def test_device_is_enrolled_by_code_and_logs_in(store, owner, make_till, create_member, clock):
    await create_member(pin="7391")
    new = make_till()
    asked = await new.request("Bar")
    assert (asked["expires_in"], len(asked["user_code"]), asked.headers["cache-control"]) == (600, 9, "no-store")
    assert (await new.poll()).document == {"status": "pending", "name": "Bar", "device": None}

    shown = await store.get(f"/staff-devices/requests/{new.code}")
    created = await store.send("POST", "/staff-devices", {"user_code": new.code.lower().replace("-", " ")})

    assert (shown["name"], shown["source"]) == ("Bar", new.address)
    assert (created.status, created["name"], created["device"], created["enrolled_by"]) == (
        201,
        "Bar",
        None,
        f"owner:{owner.id}",
    )
    assert (await new.poll())["status"] == "approved"
    assert len(new.device) == 50
    assert (await new.log_in_by_pin("7391")).status == 200
    [listed] = (await store.get("/staff-devices"))["data"]
    assert listed["last_used_at"] == clock().isoformat()
    # Its value is kept nowhere, not even as the name of the token that was issued on it.
    dumped = await sql.fetch("SELECT to_jsonb(t)::text AS row FROM core_access_token t WHERE owner_id = $1", owner.id)
    dumped += await sql.fetch(
        "SELECT to_jsonb(t)::text AS row FROM staff_enrolled_device t WHERE owner_id = $1", owner.id
    )
    assert not any(new.device in row["row"] for row in dumped)
    assert any('"Bar (device' in row["row"] for row in dumped)


@pytest.mark.parametrize("role", ["cashier", "kitchen", "waiter"])
async def test_enrolment_by_other_roles_returns_403(create_member, make_till, store, role):
    person, new = await create_member(role), make_till()
    await person.log_in()
    await new.request()

    for method, path, body in (
        ("POST", "/devices", {"user_code": new.code}),
        ("POST", "/devices", {}),
        ("GET", "/devices", None),
        ("GET", f"/devices/requests/{new.code}", None),
        ("DELETE", "/devices/1", None),
    ):
        reply = await person.send(method, path, body)
        assert (reply.status, reply["required"]) == (403, "manager")
    assert await EnrolledDevice.filter(store_id=store.id).count() == 0


async def test_enrolment_requires_password_login(create_member, manager, make_till, store):
    by_pin, new = await create_member("manager", pin="7391"), make_till()
    await by_pin.log_in_by_pin()
    await new.request()

    refused = await by_pin.send("POST", "/devices", {"user_code": new.code})
    assert (refused.status, refused["reason"]) == (403, "full_login_required")
    assert (await manager.send("GET", f"/devices/requests/{new.code}"))["name"] == "Till 1"
    created = await manager.send("POST", "/devices", {"user_code": new.code, "name": "Counter"})
    assert (created.status, created["name"], created["enrolled_by"]) == (201, "Counter", f"staff:{manager.id}")
    assert [one["id"] for one in (await manager.send("GET", "/devices"))["data"]] == [created["id"]]
    assert (await manager.send("DELETE", f"/devices/{created['id']}")).status == 204
    assert await EnrolledDevice.filter(store_id=store.id).count() == 0


async def test_manager_enrols_current_device(manager, make_till, create_member):
    await create_member(pin="7391")
    here = make_till()

    created = await manager.send("POST", "/devices", {"name": "Office"})

    here.device = created["device"]
    assert (created.status, created.headers["cache-control"]) == (201, "no-store")
    assert (await here.log_in_by_pin("7391")).status == 200


async def test_read_scope_cannot_enrol_devices(store, owner, make_till):
    new = make_till()
    await new.request()
    reads = await owner.token_with("restaurants:read")

    assert (await store.send("GET", "/staff-devices", **reads)).status == 200
    assert (await store.send("POST", "/staff-devices", {"user_code": new.code}, **reads)).status == 403
    assert (await store.send("GET", f"/staff-devices/requests/{new.code}", **reads)).status == 200
    assert (await store.send("PUT", "/pin-login", {"enrolled_devices_only": True}, **reads)).status == 403
