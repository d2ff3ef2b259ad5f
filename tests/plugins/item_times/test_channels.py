"""Items that are sold at some times only, in menus and in orders of every channel."""

from datetime import UTC, datetime

from comanda.accounts import services as accounts
from comanda.devkit.testing import line
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_staff import api as staff

from tests.plugins.storefront.conftest import Front, PageGuest, new_token

SENTENCE = "Pancakes can be ordered from 2026-07-31 07:00."
TOMORROW = "2026-07-31T05:00:00+00:00"


async def get_slug(store):
    return await sql.fetch_value(
        "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2", store.id, store.owner.id
    )


async def get_version(store):
    return await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)


async def test_menus_turn_at_the_minute_without_a_write(cafe, client, set_time, published):
    before, events = await get_version(cafe), await published()
    seen = {}
    for time in ("06:59:59", "07:00", "10:59:59", "11:00"):
        set_time(f"2026-07-30 {time}")
        page = await (await client.get(f"/s/{await get_slug(cafe)}")).get_data(as_text=True)
        seen[time] = (await cafe.public_items(), "Pancakes" in page)

    off, on = (["Bread"], False), (["Bread", "Pancakes"], True)
    assert seen == {"06:59:59": off, "07:00": on, "10:59:59": on, "11:00": off}
    assert (await get_version(cafe), await published()) == (before, events)


async def test_an_order_is_refused_outside_the_times(cafe, set_time):
    placed = await cafe.place(line(cafe.pancakes))
    set_time("2026-07-30 11:00")
    refused = await cafe.place(line(cafe.bread), line(cafe.pancakes))
    set_time("2026-07-31 06:00")
    early = await cafe.place(line(cafe.pancakes))

    assert placed.status == 201
    assert (refused.status, refused.errors) == (422, {"items.1.item_id": [SENTENCE]})
    assert (refused["reason"], refused["next_sold_at"]) == ("not_sold_now", TOMORROW)
    assert early.errors == {"items.0.item_id": ["Pancakes can be ordered from 07:00."]}
    assert (await cafe.get("/orders"))["total"] == 1


async def test_a_replayed_order_keeps_what_is_no_longer_sold(cafe, set_time):
    key = {"Idempotency-Key": "breakfast-1"}
    body = {"type": "takeaway", "items": [line(cafe.pancakes)], "customer_name": "Ada"}
    placed = await cafe.send("POST", "/orders", body, **key)
    set_time("2026-07-30 11:00")

    again = await cafe.send("POST", "/orders", body, **key)

    assert (placed.status, again["id"]) == (201, placed["id"])


async def test_an_order_keeps_its_lines_and_adds_what_is_sold(cafe, set_time):
    order = await cafe.order(line(cafe.pancakes), type="on-table", table_number="4")
    set_time("2026-07-30 11:00")

    added = await cafe.send("POST", f"/orders/{order['id']}/lines", {"items": [line(cafe.bread)]})
    refused = await cafe.send("POST", f"/orders/{order['id']}/lines", {"items": [line(cafe.pancakes)]})

    assert [each["name"] for each in added["items"]] == ["Pancakes", "Bread"]
    assert list(refused.errors.values()) == [[SENTENCE]]


async def test_happy_hour_runs_across_midnight(cafe, set_time):
    window = {"days": ["fri"], "from": "22:00", "until": "02:00"}
    await cafe.send("PUT", f"/menu/items/{cafe.bread['id']}", {"sold_at": [window]})

    seen = {}
    for time in ("2026-07-31 21:59", "2026-07-31 22:00", "2026-08-01 01:59", "2026-08-01 02:00", "2026-08-01 22:00"):
        set_time(time)
        seen[time] = await cafe.public_items()

    assert list(seen.values()) == [[], ["Bread"], ["Bread"], [], []]


async def test_a_seasonal_dish_comes_and_goes(cafe, set_time):
    item = await cafe.item("Asparagus", sold_from="2027-04-15", sold_until="2027-06-24")

    refused = await cafe.place(line(item))
    set_time("2027-04-15 00:00")
    placed = await cafe.place(line(item))
    set_time("2027-06-25 00:00")
    over = await cafe.place(line(item))

    assert refused.errors == {"items.0.item_id": ["Asparagus can be ordered from 2027-04-15."]}
    assert placed.status == 201
    assert (over.errors, over.document.get("reason")) == ({"items.0.item_id": ["Asparagus is sold out."]}, None)


async def test_owners_read_whether_an_item_is_sold_now(cafe, set_time):
    async def read():
        return [(each["is_sold_now"], each["sold_now_changes_at"]) for each in await list_shown()]

    async def list_shown():
        (menu,) = (await cafe.get("/menu")).document
        listed = (await cafe.get("/menu/items?search=pancakes"))["data"]
        return [menu["items"][1], *listed, (await cafe.get(f"/menu/items/{cafe.pancakes['id']}")).document]

    assert await read() == [(True, "2026-07-30T09:00:00+00:00")] * 3
    set_time("2026-07-30 11:00")
    assert await read() == [(False, TOMORROW)] * 3


async def test_a_sold_out_item_is_sold_out_at_any_time(cafe, set_time):
    await cafe.send("PATCH", f"/menu/items/{cafe.pancakes['id']}/sold-out", {"is_sold_out": True})
    set_time("2026-07-30 11:00")

    assert (await cafe.place(line(cafe.pancakes))).errors == {"items.0.item_id": ["Pancakes is sold out."]}


async def test_a_guest_of_the_page_reads_it_in_their_language(cafe, set_time):
    page = PageGuest(cafe, await get_slug(cafe))
    german = {**PageGuest.headers, "Accept-Language": "de"}
    set_time("2026-07-30 11:00")

    response, quote = await page.send("quote", {"type": "takeaway", "items": [line(cafe.pancakes)]}, german)
    refused, document = await page.order(line(cafe.pancakes))

    assert response.status_code == 200
    assert quote["lines"][0]["state"] == "sold_later"
    assert quote["lines"][0]["sentences"] == ["Pancakes kann ab 2026-07-31 07:00 bestellt werden."]
    assert (refused.status_code, document["errors"]) == (422, {"items.0.item_id": [SENTENCE]})


async def test_the_page_tells_when_an_item_is_sold(cafe, client):
    fields = {"sold_at": [{"days": ["thu", "fri"], "from": "07:00", "until": "11:00"}], "sold_until": "2026-09-30"}
    await cafe.send("PUT", f"/menu/items/{cafe.pancakes['id']}", fields)

    path = f"/s/{await get_slug(cafe)}/items/{cafe.pancakes['id']}/details"
    details = await (await client.get(path, headers={"Accept-Language": "en"})).get_json()

    assert details["facts"] == ["Thursday, Friday: 07:00\N{EN DASH}11:00", "Until 30 Sep 2026"]


async def test_a_storefront_and_an_agent_are_refused(cafe, client, mcp, set_time):
    secret = await new_token(cafe.owner, cafe.id)
    front, agent = Front(client, secret), mcp("/mcp/storefront", {"X-Storefront-Token": secret})
    cart = await agent.call("create_cart", {"type": "takeaway", "items": [line(cafe.pancakes)]})
    assert cart["messages"] == []
    set_time("2026-07-30 11:00")

    by_front = await front.refused(line(cafe.pancakes), customer_name="Ada")
    by_agent = await agent.refused("place_order", {"cart_id": cart["cart_id"], "customer_name": "Ada"})
    item = await agent.call("get_item", {"item_id": cafe.pancakes["id"]})
    found = await agent.call("search_menu", {"query": "pancakes"})

    assert (by_front["reason"], by_front["next_sold_at"]) == ("not_sold_now", TOMORROW)
    assert (by_agent["code"], by_agent["order"]) == ("not_sold_now", None)
    assert [(each["code"], TOMORROW in each["text"]) for each in item["messages"]] == [("not_sold_now", True)]
    assert (item["item"]["is_sold_out"], found["items"]) == (True, [])


async def test_staff_are_refused(cafe, set_time):
    member_id = await sql.fetch_value(
        """INSERT INTO staff_member (owner_id, store_id, name, role, pin_hash, station_ids, created_at)
        VALUES ($1, $2, 'Ada', 'manager', $3, '{}', now()) RETURNING id""",
        cafe.owner.id, cafe.id, b"1" * 32,
    )  # fmt: skip
    kind = runtime.registry().caller_kinds[staff.STAFF_ONLY[0]]
    issued = await accounts.issue_token(
        kind, cafe.owner.id, ["orders"], name="Ada", store_id=cafe.id, subject_id=member_id
    )
    headers = {"Authorization": f"Bearer {issued.secret}"}
    set_time("2026-07-30 11:00")

    refused = await cafe.send_to(
        "/api/v1/staff/orders", "POST", {"type": "takeaway", "items": [line(cafe.pancakes)]}, **headers
    )
    (category,) = (await cafe.send_to("/api/v1/staff/menu", **headers)).document

    assert refused.errors == {"items.0.item_id": [SENTENCE]}
    assert [each.get("is_sold_now") for each in category["items"]] == [None, False]


async def test_the_catalog_finds_what_is_sold_now(cafe, mcp, set_time):
    await sql.execute("UPDATE core_store SET is_published = true WHERE id = $1", cafe.id)
    # Other tests' stores have pancakes too.
    await cafe.send("PUT", f"/menu/items/{cafe.pancakes['id']}", {"name": "Quincecakes"})
    catalog = mcp("/mcp/catalog")

    async def find():
        found = await catalog.call("search_items", {"query": "quincecakes"})
        return [item["name"] for store in found["stores"] if store["id"] == cafe.id for item in store["items"]]

    assert await find() == ["Quincecakes"]
    set_time("2026-07-30 11:00")
    assert await find() == []


async def test_a_day_without_a_change_of_clocks_has_a_new_moment(cafe, set_time):
    set_time("2026-10-24 12:00")

    refused = await cafe.place(line(cafe.pancakes))

    assert refused["next_sold_at"] == datetime(2026, 10, 25, 6, tzinfo=UTC).isoformat()
