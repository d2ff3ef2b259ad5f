"""Invalid input never causes a server error."""

import pytest
from comanda.devkit.testing import line

INVALID_VALUES = [
    None, True, 0, -1, 2**31, 2**53, 2**63, 10**400, 0.1, 1e-320, "", " ", "0", "\x00", "a\x00b", "\u202e", "é" * 300,
    "x" * 5000, "\ufdfa" * 500, "2026-02-30", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", [], [[]], [None],
    {}, {"": ""}, "'; DROP TABLE core_owner; --", "%s{0}",
]  # fmt: skip
MEMBER = {
    "name": "Ana", "role": "waiter", "email": "ana@example.com", "phone": "1", "password": "lemon tart at dawn",
    "pin": "8301", "grants": ["kds"], "denials": ["orders"], "station_ids": [], "is_active": True,
}  # fmt: skip
DEVICE = {"platform": "ios", "token": "token", "app_version": "1", "locale": "pt"}
PACE = {"status": "busy", "delay_minutes": 5, "until": "2040-01-01T00:00:00Z", "reason": "x"}


def variations(document):
    """Return the document with each value replaced by each invalid one."""
    return [{**document, key: value} for key in document for value in INVALID_VALUES]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/2fa/confirm", {"code": "123456"}),
        ("/2fa/disable", {"password": "x", "code": "123456", "recovery_code": "x"}),
        ("/push/register-device", DEVICE),
        ("/push/unregister-device", {"token": "token"}),
        ("/integration/busy", PACE),
        ("/integration/snooze", {"item_ids": [1], "extra_ids": [1], "until": None, "minutes": 5, "snoozed": True}),
        ("/orders", {"type": "takeaway", "items": [{"item_id": 1}], "note": "x"}),
    ],
)
async def test_invalid_values_of_staff_cause_no_server_error(manager, store, path, body):
    soup = await store.item("Soup")
    if "item_ids" in body:
        body = {**body, "item_ids": [soup["id"]]}
    if path == "/orders":
        body = {**body, "items": [line(soup)]}
    for changed in variations(body):
        reply = await manager.send("POST", path, changed)
        assert reply.status < 500, (changed, reply)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/login", {"email": "a@b.example", "password": "x", "device": "d", "otp": "1", "recovery_code": "x"}),
        ("/pin", {"pin": "1234", "device": "d"}),
    ],
)
async def test_invalid_logins_cause_no_server_error(store, path, body):
    for changed in variations(body):
        reply = await store.send("POST", f"/staff{path}", changed)
        assert reply.status in {401, 422, 429}, (changed, reply)


async def test_invalid_values_of_owner_cause_no_server_error(store, create_member):
    person = await create_member()
    for changed in variations(MEMBER):
        for method, path in (("POST", "/staff"), ("PUT", f"/staff/{person.id}")):
            reply = await store.send(method, path, changed)
            assert reply.status < 500, (changed, reply)


QUERIES = ["since=9999-99", "since=0001-01-01T00:00:00%2B14:00", "table=%00", "type=%ff", "page=x"]


async def test_invalid_queries_cause_no_server_error(waiter, subtests):
    for query in QUERIES:
        with subtests.test(query=query):
            assert (await waiter.send("GET", f"/orders?{query}")).status in {200, 422}


IDS = ["0", "-1", "x", "1.0", "9" * 30, "%00", "%ff"]


async def test_invalid_ids_cause_no_server_error(manager, store, subtests):
    for id in IDS:
        with subtests.test(id=id):
            for method, path in (
                ("GET", f"/orders/{id}"),
                ("PUT", f"/menu/items/{id}"),
                ("DELETE", f"/menu/items/{id}"),
            ):
                assert (await manager.send(method, path, {} if method == "PUT" else None)).status in {404, 422}
            assert (await store.send("GET", f"/staff/{id}")).status == 404


BODIES = [b"", b"[]", b"{", b"null", b"[" * 50_000, b'{"email": "\xff"}', b'{"pin": "\\ud800"}']


async def test_invalid_bodies_cause_no_server_error(store, subtests):
    for body in BODIES:
        with subtests.test(body=body):
            for way in ("login", "pin"):
                path = f"/api/v1/restaurants/{store.id}/staff/{way}"
                response = await store.client.post(path, headers={"Content-Type": "application/json"}, data=body)
                assert response.status_code in {400, 401, 422}
