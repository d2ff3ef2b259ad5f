"""The page of an order: its steps, its receipt, and events while it is on its way."""

import asyncio
import re
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import orjson
import pytest
from comanda.db import sql
from comanda.http import live_updates
from comanda.orders import queries
from comanda_storefront.pages import following, tracked

SECONDS = 10
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def page(store, token, path=""):
    response = await store.client.get(f"/t/{token}{path}")
    return response, (await response.get_data()).decode()


async def move(store, order, status):
    reply = await store.send("PUT", f"/orders/{order['id']}/status", {"status": status})
    assert reply.status == 200, reply


def words_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.fixture
async def order(store):
    soup = await store.item("Soup <b>", 5, extra_groups=[{"name": "With", "extras": [{"name": "Bread", "price": 1}]}])
    bread = soup["extra_groups"][0]["extras"][0]["id"]
    return await store.order(
        {"item_id": soup["id"], "quantity": 2, "extras": [bread], "note": "hot"}, type="on-table", table_number="4"
    )


@asynccontextmanager
async def follower(store, token):
    """Open the events of an order; the function that is given waits for the next one."""
    async with store.client.request(f"/t/{token}/events", method="GET") as connection:
        await connection.send_complete()
        buffer = b""

        async def next_event():
            nonlocal buffer
            while True:
                head, mark, rest = buffer.partition(b"\n\n")
                if not mark:
                    buffer += await asyncio.wait_for(connection.receive(), SECONDS)
                    continue
                buffer = rest
                name, mark, data = head.partition(b"\nevent: progress\ndata: ")
                if mark:
                    assert re.fullmatch(rb"id: [0-9a-f]{18}", name)
                    return orjson.loads(data)

        yield next_event
        await connection.disconnect()


async def test_an_orders_page_shows_where_it_is_and_what_it_costs(store, order):
    response, text = await page(store, order["track_token"])

    words = words_of(text)
    assert response.status_code == 200
    assert f"Order {order['number']}" in words
    assert "At the table, table 4" in words
    assert f"2 {tracked.TIMES} Soup &lt;b&gt; Bread “hot”" in words
    assert "Total €12.00" in words
    assert "To pay: €12.00" in words
    assert "We have your order." in words
    assert re.findall(r'<li class="(\w+)"', text) == ["now", "next", "next", "next"]


@pytest.mark.parametrize(
    ("status", "said", "steps"),
    [
        ("preparing", "Your order is being prepared.", ["done", "now", "next", "next"]),
        ("ready", "Your order is ready.", ["done", "done", "now", "next"]),
        ("completed", "Your order is complete. Thank you!", ["done", "done", "done", "now"]),
        ("cancelled", "This order was cancelled.", []),
    ],
)
async def test_each_state_is_said_in_words_and_steps(store, order, status, said, steps):
    await move(store, order, status)

    _, text = await page(store, order["track_token"])

    assert said in text
    assert re.findall(r'<li class="(\w+)"', text) == steps
    assert ("data-finished" in text) is (status in {"completed", "cancelled"})


async def test_an_order_that_is_brought_has_the_steps_of_its_way(store):
    soup = await store.item("Soup", 5)
    order = await store.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    for status, steps, said in (
        ("pending", 0, "We have your order."),
        ("assigned", 0, "A driver will come for it."),
        ("picked_up", 3, "The driver has picked up your order."),
        ("out_for_delivery", 3, "Your order is on its way."),
        ("delivered", 4, "Your order has been delivered."),
    ):
        await sql.execute("UPDATE core_order SET delivery_status = $2 WHERE id = $1", order["id"], status)

        _, text = await page(store, order["track_token"])

        assert re.findall(r'<li class="(\w+)"', text).index("now") == steps
        assert said in text


async def test_a_delivery_that_failed_is_no_delivery(store):
    soup = await store.item("Soup", 5)
    order = await store.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    await sql.execute("UPDATE core_order SET delivery_status = 'failed' WHERE id = $1", order["id"])

    _, text = await page(store, order["track_token"])

    assert "We could not deliver your order." in text
    assert re.findall(r'<li class="(\w+)"', text) == ["done"] * 4 + ["failed"]
    assert "Not delivered" in text


@pytest.fixture
def told(monkeypatch):
    """Have plugins tell the public what the test puts here."""
    added = {}
    read = queries.get_tracking

    async def tracking(token):
        return {**await read(token), **added}

    monkeypatch.setattr(queries, "tracking", tracking)
    return added


@pytest.mark.parametrize(
    ("minutes", "seen"), [(0, ", last seen just now"), (2, ", last seen 2 min ago"), (90, ""), (None, "")]
)
async def test_who_waits_for_a_driver_sees_a_first_name_and_how_fresh_the_news_is(store, told, clock, minutes, seen):
    soup = await store.item("Soup", 5)
    order = await store.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    clock.set(NOON)
    at = None if minutes is None else (NOON - timedelta(minutes=minutes)).isoformat()
    told["driver"] = {"name": "Rui Costa", "lat": 38.7, "lng": -9.1, "location_updated_at": at}
    _, early = await page(store, order["track_token"])
    await sql.execute("UPDATE core_order SET delivery_status = 'out_for_delivery' WHERE id = $1", order["id"])

    _, text = await page(store, order["track_token"])

    assert f"Rui is on the way{seen}." in re.sub(r"<[^>]+>", "", text)
    assert ("mlat=38.70000&amp;mlon=-9.10000" in text) == bool(seen)
    assert "Costa" not in text
    assert "Rui" not in early


async def test_a_photo_of_the_delivery_is_shown(store, told, order):
    told["proof"] = {"code_verified_at": None, "photos": [{"url": "/delivery-photos/7?x=1"}, {"url": "javascript:1"}]}

    _, text = await page(store, order["track_token"])

    assert re.findall(r'<p class="proof"><img src="([^"]+)"', text) == ["/delivery-photos/7?x=1"]


@pytest.mark.parametrize(
    ("address", "is_shown"), [("https://pay.example/1", True), ("/pay/1", True), ("javascript:1", False), (None, False)]
)
async def test_an_order_that_can_be_paid_here_leads_to_where(store, told, order, address, is_shown):
    told["pay_url"] = address

    _, text = await page(store, order["track_token"])

    assert (f'href="{address}"' in text) is is_shown


async def test_a_cancelled_order_asks_for_no_money(store, told, order):
    told["pay_url"] = "/pay/1"
    await move(store, order, "cancelled")

    _, text = await page(store, order["track_token"])

    assert "To pay" not in text
    assert "/pay/1" not in text
    assert "Nothing is to be paid." in text


async def test_an_orders_page_is_kept_by_nobody_and_found_by_nobody(store, order):
    response, text = await page(store, order["track_token"])

    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "://" not in re.sub(r'"@context".*', "", text)


@pytest.mark.parametrize("token", ["nothing", "%00", "x" * 3000, "%ff", "%C3%A9", "A" * 43])
async def test_what_is_no_track_token_is_not_found(store, order, token):
    for path in ("", "/events"):
        response, _ = await page(store, token, path)
        assert response.status_code == 404


async def test_an_order_that_ended_long_ago_or_whose_owner_is_suspended_is_not_found(store, order, clock):
    await move(store, order, "completed")
    clock.advance(days=31)
    assert (await page(store, order["track_token"]))[0].status_code == 404

    await move(store, order, "ready")
    assert (await page(store, order["track_token"]))[0].status_code == 200
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)
    assert (await page(store, order["track_token"]))[0].status_code == 404
    assert (await page(store, order["track_token"], "/events"))[0].status_code == 404


async def test_events_tell_each_change_and_end_with_the_order(store, order):
    async with follower(store, order["track_token"]) as next_event:
        first = await next_event()
        assert "We have your order." in first["html"]
        assert first["is_finished"] is False
        await move(store, order, "preparing")
        assert "Your order is being prepared." in (await next_event())["html"]
        await move(store, order, "completed")
        assert (await next_event())["is_finished"] is True
    assert following.watch.is_idle


async def test_several_pages_of_several_orders_are_told_of_their_own(store, order):
    soup = await store.item("Tea", 2)
    other = await store.order({"item_id": soup["id"]})
    async with (
        follower(store, order["track_token"]) as one,
        follower(store, order["track_token"]) as two,
        follower(store, other["track_token"]) as third,
    ):
        for next_event in (one, two, third):
            await next_event()
        await move(store, order, "ready")
        assert "Your order is ready." in (await one())["html"]
        assert "Your order is ready." in (await two())["html"]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(third(), 1.5)
    assert following.watch.is_idle


async def test_a_page_too_many_is_told_to_come_back(store, order, monkeypatch):
    monkeypatch.setattr(following.watch, "max_watchers_of_one", 1)
    async with follower(store, order["track_token"]) as next_event:
        await next_event()

        response, _ = await page(store, order["track_token"], "/events")

        assert (response.status_code, response.headers["Retry-After"]) == (503, "30")


async def test_a_quiet_order_sends_a_sign_of_life_and_leaves_in_the_end(store, order, monkeypatch):
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 0.3)

    response, text = await page(store, order["track_token"], "/events")

    assert response.content_type == "text/event-stream"
    assert re.match(r"retry: 1000\n\nid: \w+\nevent: progress\n", text)
    assert text.endswith(": waiting\n\n")
    assert text.count("event: progress") == 1


async def test_a_database_that_is_away_for_a_moment_ends_nothing(store, order, monkeypatch):
    view = tracked.order_view
    async with follower(store, order["track_token"]) as next_event:
        await next_event()

        async def fails(token):
            monkeypatch.setattr(tracked, "order_view", view)
            raise OSError("away")

        monkeypatch.setattr(tracked, "order_view", fails)
        await move(store, order, "ready")

        assert "Your order is ready." in (await next_event())["html"]


async def test_a_page_that_comes_back_is_told_only_what_is_new(store, order, monkeypatch):
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 0.2)
    _, first = await page(store, order["track_token"], "/events")
    known = re.search(r"id: (\w+)", first)[1]

    async def back():
        response = await store.client.get(f"/t/{order['track_token']}/events", headers={"Last-Event-ID": known})
        return await response.get_data(as_text=True)

    assert "event: progress" not in await back()
    await move(store, order, "ready")
    assert "Your order is ready." in await back()
