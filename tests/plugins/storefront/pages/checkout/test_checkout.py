"""Quotes and orders from a store's page."""

import asyncio

import pytest
from comanda.accounts import web_sessions
from comanda.basics import clock
from comanda.devkit.testing import line
from comanda.platform.db import sql

KEY = "0123456789abcdef" * 2
INSERT_CUSTOMER = """
    INSERT INTO customers_customer (owner_id, store_id, name, phone, login_phone, created_at)
    VALUES ($1, $2, 'Ada', $3, $3, $4) RETURNING id
"""
ERASE_CUSTOMER = """
    UPDATE customers_customer SET erased_at = $2, name = NULL, phone = NULL, login_phone = NULL WHERE id = $1
"""


async def test_order_is_placed_and_tracked_at_its_page(page_guest, published):
    soup = await page_guest.store.item("Soup", 5)

    response, placed = await page_guest.order({"item_id": soup["id"], "quantity": 2}, customer_name="Ada")

    assert response.status_code == 201
    assert {**placed, "id": 0, "track_token": ""} == {
        "id": 0, "number": 1, "status": "new", "total": 10, "currency": "EUR", "track_token": "",
        "continue_url": f"http://comanda.test/t/{placed['track_token']}",
    }  # fmt: skip
    order = await page_guest.store.get(f"/orders/{placed['id']}")
    assert (order["source"], order["customer_name"], order["payment_status"]) == ("storefront", "Ada", "unpaid")
    assert [name for name, _ in await published() if name == "order.created"] == ["order.created"]


async def test_price_sent_by_guest_is_ignored(page_guest):
    soup = await page_guest.store.item("Soup", 5)

    _, placed = await page_guest.order({"item_id": soup["id"], "price": 0.01, "unit_price": 0.01}, total=0.01)

    assert placed["total"] == 5


async def test_quote_prices_order_without_placing_it(page_guest):
    await page_guest.store.send("PUT", "/settings", {"service_charge_rate": 10, "service_charge_modes": ["takeaway"]})
    soup = await page_guest.store.item("Soup", 5)

    response, quoted = await page_guest.quote({"item_id": soup["id"], "quantity": 2})

    assert (response.status_code, quoted) == (
        200,
        {
            "lines": [
                {"state": "ok", "unit_price": 500, "text": "€10.00", "price_label": None, "sentences": []},
            ],
            "amounts": [{"label": "Subtotal", "text": "€10.00"}, {"label": "Service charge", "text": "€1.00"}],
            "total": 11.0,
            "total_text": "€11.00",
            "coupon": None,
            "ready_at": None,
            "problems": {},
            "reason": None,
            "next_open_at": None,
            "pays_online": False,
            "pays_first": False,
        },
    )
    assert await page_guest.orders() == 0


async def test_double_click_places_one_order(page_guest):
    soup = await page_guest.store.item("Soup", 5)

    answers = await asyncio.gather(
        *(page_guest.order({"item_id": soup["id"]}, client_uuid=KEY, expected_total=5) for _ in range(6))
    )

    assert {response.status_code for response, _ in answers} == {201}
    assert len({placed["track_token"] for _, placed in answers}) == 1
    assert await page_guest.orders() == 1


async def test_reused_key_returns_first_order_and_says_so(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    _, first = await page_guest.order({"item_id": soup["id"]}, client_uuid=KEY)

    response, again = await page_guest.order({"item_id": soup["id"], "quantity": 3}, client_uuid=KEY)

    assert (again, response.headers["Idempotency-Mismatch"]) == (first, "true")
    assert await page_guest.orders() == 1


async def test_short_key_matches_same_body_only(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    _, first = await page_guest.order({"item_id": soup["id"]}, client_uuid="1", customer_name="Ada")

    response, second = await page_guest.order({"item_id": soup["id"]}, client_uuid="1", customer_name="Ben")
    _, again = await page_guest.order({"item_id": soup["id"]}, client_uuid="1", customer_name="Ada")

    assert (response.status_code, "Idempotent-Replayed" in response.headers) == (201, False)
    assert second["id"] != first["id"]
    assert again == first


async def test_changed_price_must_be_confirmed(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    await page_guest.store.send("PUT", f"/menu/items/{soup['id']}", {"price": 6})

    response, answer = await page_guest.order({"item_id": soup["id"]}, expected_total=5, client_uuid=KEY)

    assert (response.status_code, answer["reason"], answer["total"]) == (409, "price_changed", 6)
    assert answer["message"] == "Prices have changed: the total is €6.00 now."
    assert await page_guest.orders() == 0
    response, placed = await page_guest.order({"item_id": soup["id"]}, expected_total=6, client_uuid=KEY)
    assert (response.status_code, placed["total"]) == (201, 6)


async def test_lost_response_keeps_last_piece_for_guest(page_guest, open_store, page_guest_of):
    shop = await open_store("pharmacy")
    page_guest = page_guest_of(shop, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", shop.id))
    last = await shop.item("Plaster", 3, stock=1)
    body = {"type": "in_store", "client_uuid": KEY, "expected_total": 3}
    _, first = await page_guest.order({"item_id": last["id"]}, **body)

    response, again = await page_guest.order({"item_id": last["id"]}, **body)

    assert (response.status_code, again) == (201, first)
    assert response.headers["Idempotent-Replayed"] == "true"


async def test_errors_are_reported_at_their_line(page_guest):
    soup, gone = await page_guest.store.item("Soup", 5), await page_guest.store.item("Fish", 9, is_sold_out=True)

    response, answer = await page_guest.send(
        "orders",
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
    assert await page_guest.orders() == 0


async def test_quote_prices_what_can_be_ordered_and_reports_the_rest(page_guest):
    extras = [{"name": "Dip", "min": 1, "max": 1, "extras": [{"name": "Mayo"}]}]
    soup, chips = await page_guest.store.item("Soup", 5), await page_guest.store.item("Chips", 3, extra_groups=extras)
    fish = await page_guest.store.item("Fish", 9, is_sold_out=True)
    lines = [{"item_id": each, "quantity": 2} for each in (soup["id"], chips["id"], fish["id"], 987_654_321)]

    response, answer = await page_guest.quote(*lines, type="on-table")

    assert response.status_code == 200
    assert [(line["state"], line["unit_price"]) for line in answer["lines"]] == [
        ("ok", 500), ("choices", None), ("sold_out", None), ("gone", None),
    ]  # fmt: skip
    assert answer["lines"][1]["sentences"] == ["Dip: choose at least 1."]
    assert (answer["total"], answer["problems"]) == (
        10,
        {"table_number": ["Table number is required for dine-in orders."]},
    )
    assert await page_guest.orders() == 0


async def test_quote_says_what_a_coupon_takes_off_or_why_not(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    reply = await page_guest.store.send("POST", "/coupons", {"code": "TEN", "type": "percentage", "value": 10})
    assert reply.status == 201, reply

    _, taken = await page_guest.quote({"item_id": soup["id"], "quantity": 2}, coupon_code="ten")
    _, refused = await page_guest.quote({"item_id": soup["id"], "quantity": 2}, coupon_code="NONE")

    assert (taken["coupon"], taken["total"]) == ({"code": "TEN", "text": "-€1.00"}, 9)
    assert (refused["coupon"], refused["total"], list(refused["problems"])) == (None, 10, ["coupon_code"])


async def test_quote_includes_the_tip(page_guest):
    soup = await page_guest.store.item("Soup", 5)

    _, answer = await page_guest.quote({"item_id": soup["id"]}, tip_amount=0.5)

    assert {"label": "Tip", "text": "€0.50"} in answer["amounts"]
    assert answer["total"] == 5.5


async def test_page_takes_at_most_40_lines(page_guest):
    soup = await page_guest.store.item("Soup", 5)

    _, long = await page_guest.order(*[{"item_id": soup["id"]}] * 41)

    assert list(long["errors"]) == ["items"]
    assert await page_guest.orders() == 0


async def test_item_of_other_store_returns_422(page_guest, other_owner):
    other = type(page_guest.store)(page_guest.store.client, other_owner, await other_owner.store())
    theirs = await other.item("Theirs", 1)

    _, answer = await page_guest.order({"item_id": theirs["id"]})

    assert list(answer["errors"]) == ["items.0.item_id"]
    assert (await other.get("/orders"))["total"] == 0


async def test_closed_store_refuses_and_returns_opening_time(page_guest, clock):
    days = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    hours = {day: [{"open": "09:00", "close": "10:00"}] for day in days}
    await page_guest.store.send("PUT", "/settings", {"timezone": "UTC", "hours": {**hours, "exceptions": []}})
    soup = await page_guest.store.item("Soup", 5)
    clock.advance(hours=24 - clock().hour + 11)

    response, answer = await page_guest.order({"item_id": soup["id"]})

    assert (response.status_code, answer["reason"]) == (422, "store_closed")
    assert answer["next_open_at"].endswith("T09:00:00Z") or answer["next_open_at"].endswith("T09:00:00+00:00")
    assert await page_guest.orders() == 0


async def test_quote_of_closed_store_says_when_it_opens_and_what_it_would_cost(page_guest, closed):
    soup = await page_guest.store.item("Soup", 5)

    response, answer = await page_guest.quote({"item_id": soup["id"]})

    assert (response.status_code, answer["reason"], answer["total"]) == (200, "store_closed", 5)
    assert answer["next_open_at"] == "2026-06-01T18:00:00+00:00"
    assert answer["ready_at"] is None


class SignedInGuest:
    """A customer of the store with its page open."""

    def __init__(self, page, customer_id, secret):
        self.page, self.customer_id = page, customer_id
        self.headers = {**page.headers, "Cookie": f"comanda_customer_{page.store.id}={secret}"}

    async def send(self, path, *lines, **fields):
        # The page fills in the name of the account.
        body = {"type": "takeaway", "customer_name": "Ada", "items": list(lines), **fields}
        return await self.page.send(path, body, self.headers)


@pytest.fixture
def sign_in(page_guest, owner):
    async def create(phone="+351912345678", store_id=page_guest.store.id):
        customer_id = await sql.fetch_value(INSERT_CUSTOMER, owner.id, store_id, phone, clock.now())
        secret, _ = await web_sessions.create_session(
            owner_id=owner.id, kind="customer", store_id=store_id, subject_id=customer_id, scopes=("customer",)
        )
        return SignedInGuest(page_guest, customer_id, secret)

    return create


async def find_owner_of(placed):
    return await sql.fetch_value("SELECT customer_id FROM core_order WHERE id = $1", placed["id"])


async def test_order_belongs_to_the_customer(sign_in, page_guest, soup):
    ada = await sign_in()

    response, placed = await ada.send("orders", line(soup, 2), expected_total=10)
    _, quote = await ada.send("quote", line(soup, 2))

    assert (response.status_code, placed["total"], quote["total"]) == (201, 10, 10)
    assert await find_owner_of(placed) == ada.customer_id
    _, anonymous = await page_guest.order(line(soup, 2))
    assert (anonymous["total"], await find_owner_of(anonymous)) == (10, None)


async def test_repeated_order_is_found_again(sign_in, page_guest, soup):
    ada = await sign_in()

    _, first = await ada.send("orders", line(soup), client_uuid="k" * 32)
    _, second = await ada.send("orders", line(soup), client_uuid="k" * 32)

    assert first["id"] == second["id"]
    assert await page_guest.orders() == 1


async def test_customer_of_another_store_is_an_unknown_guest(sign_in, owner, soup):
    elsewhere = await sign_in(store_id=await owner.store())

    response, placed = await elsewhere.send("orders", line(soup))

    assert (response.status_code, await find_owner_of(placed)) == (201, None)


async def test_erased_customer_orders_nothing(sign_in, page_guest, soup):
    ada = await sign_in()
    # The erasure has ended no session yet: it runs at the same time.
    await sql.execute(ERASE_CUSTOMER, ada.customer_id, clock.now())

    response, refused = await ada.send("orders", line(soup))

    assert (response.status_code, refused["reason"]) == (401, "signed_out")
    assert await page_guest.orders() == 0


async def test_suspended_owner_takes_no_orders_of_customers(sign_in, page_guest, soup, suspend):
    ada = await sign_in()
    await suspend(page_guest.store.owner)

    response, _ = await ada.send("orders", line(soup))

    assert response.status_code == 404


async def test_quote_says_whether_the_order_can_be_paid_online(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    _, before = await page_guest.quote({"item_id": soup["id"]})

    reply = await page_guest.store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})

    assert reply.status == 201, reply
    _, after = await page_guest.quote({"item_id": soup["id"]})
    assert (before["pays_online"], after["pays_online"]) == (False, True)
