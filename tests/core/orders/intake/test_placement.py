"""Placement of orders by their owner."""

import base64

import pytest
from comanda.devkit.testing.stores import TestStore, line
from comanda.orders.intake import placement
from comanda.platform.db import sql

FIELDS = {
    *("amendments", "discounts", "voided_items"),
    *("id", "number", "restaurant_id", "type", "status", "delivery_status", "payment_status", "is_paid", "currency"),
    *(
        "subtotal",
        "discount_total",
        "coupon_code",
        "service_charge",
        "delivery_fee",
        "tax_total",
        "tax_included",
        "taxes",
    ),
    *(
        "tip_amount",
        "rounding",
        "total",
        "paid_total",
        "refunded_total",
        "amount_due",
        "customer_id",
        "customer_name",
        "phone",
    ),
    *("address", "table_number", "room_number", "scheduled_for", "note", "source", "client_uuid", "track_token"),
    *("charges", "driver", "proof", "items", "timeline", "business_date", "created_at", "updated_at"),
}


LINE_FIELDS = {
    *("id", "item_id", "name", "quantity", "unit_price", "price_label", "variation", "extras", "note", "discount"),
    *("tax", "line_total", "kds_status", "station_id", "round", "seat", "course", "is_held", "fire_at"),
    *("voided_quantity", "combo"),
}


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


async def count_rows(owner):
    tables = ("core_order", "core_order_line", "core_order_change", "core_stock_change", "core_order_tally")
    return [await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id) for table in tables]


async def test_placed_order_equals_the_order_read_later(store, soup, clock):
    placed = await store.place(
        line(soup, 2, note=" no salt "),
        type="delivery",
        customer_name="Zoë",
        phone="+351 910 000 000",
        address="Rua 1, Lisboa",
        tip_amount=1.5,
        note="Ring twice",
        scheduled_for="2027-01-01T20:00:00+01:00",
        source="till",
        price=0.01,
        total=0.01,
    )

    order = placed.document
    moment = clock().isoformat()
    assert placed.status == 201
    assert order.keys() == FIELDS
    assert order["items"][0].keys() == LINE_FIELDS
    expected = {
        "restaurant_id": store.id,
        "number": 1,
        "type": "delivery",
        "status": "new",
        "delivery_status": "pending",
        "payment_status": "unpaid",
        "is_paid": False,
        "currency": "EUR",
        "subtotal": 10,
        "tip_amount": 1.5,
        "total": 11.5,
        "customer_name": "Zoë",
        "phone": "+351 910 000 000",
        "address": "Rua 1, Lisboa",
        "note": "Ring twice",
        "source": "till",
        "scheduled_for": "2027-01-01T19:00:00+00:00",
        "driver": None,
        "created_at": moment,
        "updated_at": moment,
        "timeline": {"created_at": moment},
    }
    assert {name: order[name] for name in expected} == expected
    kept = order["items"][0]
    assert (kept["name"], kept["quantity"], kept["unit_price"], kept["line_total"]) == ("Soup", 2, 5, 10)
    assert kept["note"] == "no salt"
    assert len(base64.urlsafe_b64decode(order["track_token"][-43:] + "=")) == 32
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_only_what_the_cached_menu_cannot_answer_is_looked_up(bazaar, monkeypatch):
    postcard, counted = await bazaar.item("Postcard", 1), await bazaar.item("Lamp", 8, stock=5)
    await bazaar.order(line(postcard))
    lookup, looked_up = placement._Placement._get_version_and_replay, []

    async def count(self):
        looked_up.append(self)
        return await lookup(self)

    monkeypatch.setattr(placement._Placement, "_get_version_and_replay", count)
    for item in (postcard, counted):
        await bazaar.order(line(item))
    assert looked_up == []

    placed = await bazaar.place(line(counted, 2), key="once")
    again = await bazaar.place(line(counted, 2), key="once")
    refused = await bazaar.place(line(counted, 3))

    assert (placed["id"], refused.status) == (again["id"], 422)
    assert (await bazaar.get(f"/menu/items/{counted['id']}"))["stock"] == 2
    assert len(looked_up) == 2


async def test_minimal_order_is_accepted(store, soup):
    order = await store.order({"item_id": soup["id"]})

    assert (order["items"][0]["quantity"], order["source"], order["delivery_status"]) == (1, "api", None)
    assert (order["customer_name"], order["note"], order["tip_amount"]) == (None, None, 0)


@pytest.mark.parametrize(("given", "kept"), [("12", "12"), (7, "7"), (0, "0"), (" T-4 ", "T-4")])
async def test_table_number_is_text_or_integer(store, soup, given, kept):
    order = await store.order(line(soup), type="on-table", table_number=given)

    assert order["table_number"] == kept


@pytest.mark.parametrize("given", [True, 1.5, [1], {}, "x" * 21, 10**20])
async def test_invalid_table_number_is_refused(store, soup, given):
    assert (await store.place(line(soup), type="on-table", table_number=given)).errors.keys() == {"table_number"}


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"type": "on-table"}, "table_number", "Table number is required for dine-in orders."),
        ({"type": "on-table", "table_number": " "}, "table_number", "Table number is required for dine-in orders."),
        ({"type": "delivery"}, "address", "Delivery address is required."),
        ({"type": "delivery", "address": "\t"}, "address", "Delivery address is required."),
        ({"type": "ship"}, "type", "This store takes: on-table, takeaway, delivery, room_service."),
        ({"type": "ON-TABLE"}, "type", "This store takes: on-table, takeaway, delivery, room_service."),
        ({"type": None}, "type", "Must be a string."),
        ({"coupon_code": "SAVE10"}, "coupon_code", "Coupons are for storefront orders."),
        ({"tip_amount": -1}, "tip_amount", "Must be 0 or more."),
        ({"tip_amount": 0.001}, "tip_amount", "An amount in EUR has at most 2 decimals."),
        ({"tip_amount": True}, "tip_amount", "Must be a number, not true or false."),
        ({"scheduled_for": "2027-01-01T20:00:00"}, "scheduled_for", "This time needs a UTC offset, such as +00:00."),
        ({"source": "x" * 51}, "source", "Must have at most 50 characters."),
        ({"customer_name": "x" * 256}, "customer_name", "Must have at most 255 characters."),
        ({"note": "x" * 2001}, "note", "Must have at most 2000 characters."),
        ({"phone": 351}, "phone", "Must be a string."),
        ({"client_uuid": ""}, "client_uuid", "Must have 1 to 255 visible characters."),
        ({"client_uuid": "a\u0000b"}, "client_uuid", "Must have 1 to 255 visible characters."),
        ({"client_uuid": "a b"}, "client_uuid", "Must have 1 to 255 visible characters."),
        ({"client_uuid": "x" * 256}, "client_uuid", "Must have at most 255 characters."),
        ({"items": []}, "items", "Must contain at least 1 item."),
        ({"items": None}, "items", "Must be a list."),
    ],
)
async def test_invalid_orders_are_refused(store, owner, soup, fields, field, sentence):
    before = await count_rows(owner)

    refused = await store.place(line(soup), **fields)

    assert refused.errors == {field: [sentence]}
    assert await count_rows(owner) == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"quantity": 0}, "quantity"),
        ({"quantity": -1}, "quantity"),
        ({"quantity": 1.5}, "quantity"),
        ({"quantity": True}, "quantity"),
        ({"quantity": 1000}, "quantity"),
        ({"quantity": 10**30}, "quantity"),
        ({"item_id": "soup"}, "item_id"),
        ({"item_id": None}, "item_id"),
        ({"item_id": 2**53}, "item_id"),
        ({"item_id": 2**63}, "item_id"),
        ({"variation": 2**40}, "variation"),
        ({"extras": [2**40]}, "extras"),
        ({"extras": "all"}, "extras"),
        ({"note": "x" * 2001}, "note"),
    ],
)
async def test_invalid_lines_are_reported_by_position(store, owner, soup, change, field):
    before = await count_rows(owner)

    refused = await store.place(line(soup), {**line(soup), **change})

    assert refused.errors.keys() == {f"items.1.{field}"}
    assert await count_rows(owner) == before


async def test_integral_texts_are_taken_for_ids_and_quantities(store, soup):
    order = await store.order({"item_id": str(soup["id"]), "quantity": "2"})

    assert order["items"][0]["quantity"] == 2


async def test_all_errors_are_returned_at_once(store, soup):
    refused = await store.place(
        {"item_id": 2**40}, line(soup, 1000), type="delivery", coupon_code="X", tip_amount=99_999
    )

    assert refused.errors == {
        "address": ["Delivery address is required."],
        "coupon_code": ["Coupons are for storefront orders."],
        "items.0.item_id": [f"This store has no item {2**40}."],
        "items.1.quantity": ["At most 999 of one line can be ordered."],
        "tip_amount": ["A tip may be at most 1000.00."],
    }


async def test_item_of_other_store_refuses_the_order(store, owner, client, other_owner, soup):
    sister = TestStore(client, owner, await owner.store())
    stranger = TestStore(client, other_owner, await other_owner.store())

    for elsewhere in (sister, stranger):
        foreign = await elsewhere.item("Theirs")
        refused = await store.place(line(soup), line(foreign))
        assert refused.errors == {"items.1.item_id": [f"This store has no item {foreign['id']}."]}
    assert (await store.get("/orders"))["total"] == 0


async def test_order_limits_lines_and_quantities(store, soup):
    largest = await store.place(*[line(soup, 999)] * 200)
    larger = await store.place(*[line(soup)] * 201)

    assert (largest.status, largest["total"], len(largest["items"])) == (201, 999_000, 200)
    assert [kept["id"] for kept in largest["items"]] == sorted(kept["id"] for kept in largest["items"])
    assert larger.errors == {"items": ["An order may have at most 200 lines; this one has 201."]}


async def test_room_service_requires_specified_fields_only(store, soup):
    assert (await store.order(line(soup), type="room_service"))["room_number"] is None
    assert (await store.order(line(soup), type="room_service", room_number=214))["room_number"] == "214"


async def test_unusual_unicode_texts_are_handled(store, soup):
    growing = "\u0958" * 255

    order = await store.order(line(soup, note="a\u0000b\u0007c"), customer_name=growing, note="one\r\ntwo")

    assert order["customer_name"] == growing
    assert (order["items"][0]["note"], order["note"]) == ("abc", "one\ntwo")
    assert (await store.get(f"/orders/{order['id']}")).document == order


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/orders/{}", None),
        ("PUT", "/orders/{}/status", {"status": "ready"}),
    ],
)
async def test_order_of_other_store_or_owner_is_404(store, owner, client, other_owner, soup, method, path, body):
    order = await store.order(line(soup))
    sister = TestStore(client, owner, await owner.store())
    intruder = TestStore(client, other_owner, store.id)

    for elsewhere in (sister, intruder):
        reply = await elsewhere.send(method, path.format(order["id"]), body)
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert (await intruder.place(line(soup))).status == 404
    assert (await store.get(f"/orders/{order['id']}")).document == order


async def test_placing_requires_the_write_scope(store, owner, soup):
    read_only = await owner.token_with("orders:read")
    writing = await owner.token_with("orders:write")
    path = f"/api/v1/restaurants/{store.id}/orders"
    body = {"type": "takeaway", "items": [line(soup)]}

    refused = await store.client.post(path, json=body, headers=read_only)
    taken = await store.client.post(path, json=body, headers=writing)

    assert (refused.status_code, (await refused.get_json())["code"]) == (403, "forbidden")
    assert taken.status_code == 201
    assert (await store.client.get(path, headers=writing)).status_code == 200


async def test_orders_keep_their_names_and_prices(store):
    pizza = await store.item(
        "Pizza",
        9,
        variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Cheese", "extras": [{"name": "Feta", "price": 1}]}],
    )
    variant, extra = pizza["variations"][0], pizza["extra_groups"][0]["extras"][0]
    order = await store.order(line(pizza, variation=variant["id"], extras=[extra["id"]]))
    path = f"/menu/items/{pizza['id']}"

    changed = {"name": "Focaccia", "price": 1, "variations": [], "extra_groups": []}
    assert (await store.send("PUT", path, changed)).status == 200
    assert (await store.get(f"/orders/{order['id']}")).document == order
    assert (await store.send("DELETE", path)).status == 204
    assert (await store.get(f"/orders/{order['id']}")).document == order
    assert order["items"][0]["variation"] == {"id": variant["id"], "name": "Large", "price": 12}
    assert order["items"][0]["extras"] == [{"id": extra["id"], "name": "Feta", "price": 1, "quantity": 1}]
    gone = await store.place(line(pizza))
    assert gone.errors == {"items.0.item_id": [f"This store has no item {pizza['id']}."]}
    assert (await store.set_status(order["id"], "cancelled")).status == 200


async def test_orders_are_isolated_between_owners(store, owner, other_owner, client, soup):
    await store.order(line(soup), customer_name="Secret")
    stranger = TestStore(client, other_owner, store.id)

    assert (await stranger.send("GET", "/orders")).status == 404
