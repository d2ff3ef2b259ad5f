"""Orders from a store's page: same origin, server's prices, one order for one key, errors at their line."""

import asyncio

import pytest
from comanda.db import sql
from comanda_storefront.pages import routes

HERE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


KEY = "0123456789abcdef" * 2


class Guest:
    """Somebody with a store's page open."""

    def __init__(self, store, slug):
        self.store, self.slug = store, slug

    async def send(self, path, body, headers=HERE):
        options = {"json": body} if not isinstance(body, bytes) else {"data": body}
        response = await self.store.client.post(f"/s/{self.slug}/{path}", headers=headers, **options)
        return response, await response.get_json()

    async def quote(self, *lines, **fields):
        return await self.send("quote", {"type": "takeaway", "items": list(lines), **fields})

    async def order(self, *lines, **fields):
        return await self.send("orders", {"type": "takeaway", "items": list(lines), **fields})

    async def orders(self):
        return (await self.store.get("/orders"))["total"]


@pytest.fixture
async def guest(store):
    return Guest(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))


async def test_an_order_is_placed_and_followed_at_its_page(guest, published):
    soup = await guest.store.item("Soup", 5)

    response, placed = await guest.order({"item_id": soup["id"], "quantity": 2}, customer_name="Ada")

    assert response.status_code == 201
    assert {**placed, "id": 0, "track_token": ""} == {
        "id": 0, "number": 1, "status": "new", "total": 10, "currency": "EUR", "track_token": "",
        "continue_url": f"http://comanda.test/t/{placed['track_token']}",
    }  # fmt: skip
    order = await guest.store.get(f"/orders/{placed['id']}")
    assert (order["source"], order["customer_name"], order["payment_status"]) == ("storefront", "Ada", "unpaid")
    assert [name for name, _ in await published() if name == "order.created"] == ["order.created"]


async def test_a_price_that_a_guest_sends_is_not_the_price(guest):
    soup = await guest.store.item("Soup", 5)

    _, placed = await guest.order({"item_id": soup["id"], "price": 0.01, "unit_price": 0.01}, total=0.01)

    assert placed["total"] == 5


async def test_a_quote_tells_what_an_order_would_cost_and_places_none(guest):
    await guest.store.send("PUT", "/settings", {"service_charge_rate": 10, "service_charge_modes": ["takeaway"]})
    soup = await guest.store.item("Soup", 5)

    response, quoted = await guest.quote({"item_id": soup["id"], "quantity": 2})

    assert (response.status_code, quoted) == (
        200,
        {
            "lines": ["€10.00"],
            "amounts": [{"label": "Subtotal", "text": "€10.00"}, {"label": "Service charge", "text": "€1.00"}],
            "total": 11.0,
            "total_text": "€11.00",
        },
    )
    assert await guest.orders() == 0


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
async def test_what_other_pages_send_is_refused(guest, path, headers):
    soup = await guest.store.item("Soup", 5)

    response, answer = await guest.send(path, {"type": "takeaway", "items": [{"item_id": soup["id"]}]}, headers)

    assert (response.status_code, answer["code"]) == (403, "forbidden")
    assert await guest.orders() == 0


async def test_what_is_not_json_is_refused(guest):
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        response, answer = await guest.send("orders", b'{"type": "takeaway"}', {**HERE, "Content-Type": kind})
        assert (response.status_code, answer["code"]) == (415, "unsupported_media_type")


async def test_a_double_click_is_one_order(guest):
    soup = await guest.store.item("Soup", 5)

    answers = await asyncio.gather(
        *(guest.order({"item_id": soup["id"]}, client_uuid=KEY, expected_total=5) for _ in range(6))
    )

    assert {response.status_code for response, _ in answers} == {201}
    assert len({placed["track_token"] for _, placed in answers}) == 1
    assert await guest.orders() == 1


async def test_another_order_under_a_used_key_is_the_first_and_says_so(guest):
    soup = await guest.store.item("Soup", 5)
    _, first = await guest.order({"item_id": soup["id"]}, client_uuid=KEY)

    response, again = await guest.order({"item_id": soup["id"], "quantity": 3}, client_uuid=KEY)

    assert (again, response.headers["Idempotency-Mismatch"]) == (first, "true")
    assert await guest.orders() == 1


async def test_a_key_that_could_be_guessed_leads_to_the_order_of_the_same_body_only(guest):
    soup = await guest.store.item("Soup", 5)
    _, first = await guest.order({"item_id": soup["id"]}, client_uuid="1", customer_name="Ada")

    response, second = await guest.order({"item_id": soup["id"]}, client_uuid="1", customer_name="Ben")
    _, again = await guest.order({"item_id": soup["id"]}, client_uuid="1", customer_name="Ada")

    assert (response.status_code, "Idempotent-Replayed" in response.headers) == (201, False)
    assert second["id"] != first["id"]
    assert again == first


async def test_a_price_that_changed_since_it_was_seen_must_be_agreed_to(guest):
    soup = await guest.store.item("Soup", 5)
    await guest.store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    response, answer = await guest.order({"item_id": soup["id"]}, expected_total=5, client_uuid=KEY)

    assert (response.status_code, answer["reason"], answer["total"]) == (409, "price_changed", 6)
    assert answer["message"] == "Prices have changed: the total is €6.00 now."
    assert await guest.orders() == 0
    response, placed = await guest.order({"item_id": soup["id"]}, expected_total=6, client_uuid=KEY)
    assert (response.status_code, placed["total"]) == (201, 6)


async def test_the_last_piece_is_the_guests_whose_answer_was_lost(guest, open_store):
    shop = await open_store("pharmacy")
    guest = Guest(shop, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", shop.id))
    last = await shop.item("Plaster", 3, stock=1)
    body = {"type": "in_store", "client_uuid": KEY, "expected_total": 3}
    _, first = await guest.order({"item_id": last["id"]}, **body)

    response, again = await guest.order({"item_id": last["id"]}, **body)

    assert (response.status_code, again) == (201, first)
    assert response.headers["Idempotent-Replayed"] == "true"


async def test_what_is_wrong_is_said_at_its_line(guest):
    soup, gone = await guest.store.item("Soup", 5), await guest.store.item("Fish", 9, is_sold_out=True)

    for path in ("quote", "orders"):
        response, answer = await guest.send(
            path,
            {
                "type": "on-table",
                "items": [{"item_id": soup["id"], "quantity": 31}, {"item_id": gone["id"]}, {"item_id": 987_654_321}],
            },
        )

        assert response.status_code == 422
        assert answer["errors"] == {
            "table_number": ["Table number is required for dine-in orders."],
            "items.0.quantity": ["At most 30 of one line can be ordered."],
            "items.1.item_id": ["Fish is sold out."],
            "items.2.item_id": ["This store has no item 987654321."],
        }
    assert await guest.orders() == 0


async def test_a_page_takes_no_deliveries_and_at_most_40_lines(guest):
    soup = await guest.store.item("Soup", 5)

    _, delivery = await guest.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    _, long = await guest.order(*[{"item_id": soup["id"]}] * 41)

    assert delivery["errors"] == {"type": ["This store takes: on-table, takeaway."]}
    assert list(long["errors"]) == ["items"]
    assert await guest.orders() == 0


async def test_an_item_of_another_store_is_not_there(guest, other_owner):
    other = type(guest.store)(guest.store.client, other_owner, await other_owner.store())
    theirs = await other.item("Theirs", 1)

    _, answer = await guest.order({"item_id": theirs["id"]})

    assert list(answer["errors"]) == ["items.0.item_id"]
    assert (await other.get("/orders"))["total"] == 0


async def test_a_closed_store_takes_no_orders_and_says_when_it_opens(guest, clock):
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    hours = {day: [{"open": "09:00", "close": "10:00"}] for day in days}
    await guest.store.send("PUT", "/settings", {"timezone": "UTC", "hours": {**hours, "exceptions": []}})
    soup = await guest.store.item("Soup", 5)
    clock.advance(hours=24 - clock().hour + 11)

    response, answer = await guest.order({"item_id": soup["id"]})

    assert (response.status_code, answer["reason"]) == (422, "store_closed")
    assert answer["next_open_at"].endswith("T09:00:00Z") or answer["next_open_at"].endswith("T09:00:00+00:00")
    assert await guest.orders() == 0


async def test_a_store_that_guests_may_not_see_takes_no_orders(guest):
    soup = await guest.store.item("Soup", 5)
    await guest.store.send("PUT", "/settings", {"is_published": False})
    assert (await guest.order({"item_id": soup["id"]}))[0].status_code == 404

    await guest.store.send("PUT", "/settings", {"is_published": True})
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", guest.store.owner.id)
    assert (await guest.order({"item_id": soup["id"]}))[0].status_code == 404
    assert (await guest.quote({"item_id": soup["id"]}))[0].status_code == 404
    assert await sql.fetch_value("SELECT count(*) FROM core_order WHERE store_id = $1", guest.store.id) == 0


async def test_one_address_cannot_flood_a_store(guest, monkeypatch):
    monkeypatch.setattr(routes, "ORDERS_PER_MINUTE", 2)
    soup = await guest.store.item("Soup", 5)

    answers = [await guest.order({"item_id": soup["id"]}) for _ in range(6)]

    refused = [response for response, answer in answers if answer.get("code") == "rate_limited"]
    # The minute may have turned in between.
    assert 2 <= len(refused) <= 4
    assert {response.status_code for response in refused} == {429}
    assert all(int(response.headers["Retry-After"]) >= 1 for response in refused)
    assert await guest.orders() == 6 - len(refused)


BROKEN = [
    b"", b"[]", b"null", b'"x"', b"{", b"\xff", b'{"items": null}', b'{"type": "takeaway", "items": [null]}',
    b'{"type": "takeaway", "items": [{"item_id": 1e400}]}', b'{"type": "\\u0000", "items": [{"item_id": 1}]}',
    b'{"type": "takeaway", "items": [{"item_id": 1}], "expected_total": 1e400}',
    b'{"type": "takeaway", "items": [{"item_id": 1}], "expected_total": {"a": 1}, "client_uuid": "\\u0000"}',
    b"[" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("path", ["quote", "orders"])
async def test_bodies_that_make_no_sense_are_refused(guest, path):
    for body in BROKEN:
        response, answer = await guest.send(path, body, {**HERE, "Content-Type": "application/json"})
        assert response.status_code in {400, 422}, (body, answer)
    assert await guest.orders() == 0


@pytest.mark.parametrize("slug", ["nothing", "%00", "%ff", "x" * 3000, "%F0%9F%92%A9"])
async def test_orders_for_no_store_are_not_found(guest, slug):
    response, _ = await Guest(guest.store, slug).order({"item_id": 1})

    assert response.status_code == 404
