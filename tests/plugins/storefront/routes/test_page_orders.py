"""The routes for the script of a store's page."""

import pytest
from comanda.platform.db import sql
from comanda_storefront.routes import page_orders


@pytest.mark.parametrize("path", ["quote", "orders"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://[", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://comanda.test.evil.example"},
        {"Origin": "http://comanda.test", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin"},
    ],
)
async def test_request_from_other_origin_returns_403(page_guest, path, headers):
    soup = await page_guest.store.item("Soup", 5)

    response, answer = await page_guest.send(path, {"type": "takeaway", "items": [{"item_id": soup["id"]}]}, headers)

    assert (response.status_code, answer["code"]) == (403, "forbidden")
    assert await page_guest.orders() == 0


async def test_other_content_type_returns_415(page_guest):
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        response, answer = await page_guest.send(
            "orders", b'{"type": "takeaway"}', {**page_guest.headers, "Content-Type": kind}
        )
        assert (response.status_code, answer["code"]) == (415, "unsupported_media_type")


async def test_hidden_store_takes_no_orders(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    await page_guest.store.send("PUT", "/settings", {"is_published": False})
    assert (await page_guest.order({"item_id": soup["id"]}))[0].status_code == 404

    await page_guest.store.send("PUT", "/settings", {"is_published": True})
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", page_guest.store.owner.id)
    assert (await page_guest.order({"item_id": soup["id"]}))[0].status_code == 404
    assert (await page_guest.quote({"item_id": soup["id"]}))[0].status_code == 404
    assert await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", page_guest.store.id) == 0


async def test_rate_limit_applies_per_address(page_guest, monkeypatch):
    monkeypatch.setattr(page_orders, "ORDERS_PER_MINUTE", 2)
    soup = await page_guest.store.item("Soup", 5)

    answers = [await page_guest.order({"item_id": soup["id"]}) for _ in range(6)]

    refused = [response for response, answer in answers if answer.get("code") == "rate_limited"]
    assert len(refused) == 4
    assert {response.status_code for response in refused} == {429}
    assert all(int(response.headers["Retry-After"]) >= 1 for response in refused)
    assert await page_guest.orders() == 6 - len(refused)


BROKEN = [
    b"", b"[]", b"null", b'"x"', b"{", b"\xff", b'{"items": null}', b'{"type": "takeaway", "items": [null]}',
    b'{"type": "takeaway", "items": [{"item_id": 1e400}]}', b'{"type": null, "items": [{"item_id": 1}]}',
    b'{"type": "takeaway", "items": [{"item_id": 1}], "expected_total": {"a": 1}, "client_uuid": "\\u0000"}',
    b"[" * 100_000,
]  # fmt: skip


# A quote has no expected total to check.
BROKEN_ORDER = b'{"type": "takeaway", "items": [{"item_id": 1}], "expected_total": 1e400}'


@pytest.mark.parametrize(("path", "bodies"), [("quote", BROKEN), ("orders", [*BROKEN, BROKEN_ORDER])])
async def test_malformed_body_returns_422(page_guest, path, bodies):
    for body in bodies:
        response, answer = await page_guest.send(path, body, {**page_guest.headers, "Content-Type": "application/json"})
        assert response.status_code in {400, 422}, (body, answer)
    assert await page_guest.orders() == 0


async def test_quote_of_unknown_mode_says_so(page_guest):
    for mode in ("\0", "room_service", "x" * 30):
        response, answer = await page_guest.quote({"item_id": 1}, type=mode)

        assert response.status_code == 200
        assert answer["problems"] == {"type": ["This store takes: on-table, takeaway, delivery."]}


@pytest.mark.parametrize("slug", ["nothing", "%00", "%ff", "x" * 3000, "%F0%9F%92%A9"])
async def test_unknown_store_returns_404(page_guest, slug, page_guest_of):
    response, _ = await page_guest_of(page_guest.store, slug).order({"item_id": 1})

    assert response.status_code == 404
