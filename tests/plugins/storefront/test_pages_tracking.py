"""The page of an order: its steps, its receipt, and events while it is on its way."""

import asyncio
import re
from contextlib import asynccontextmanager

import orjson
import pytest
from comanda.db import sql
from comanda_storefront.pages import live, tracked

SECONDS = 10


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
async def following(store, token):
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
                if head.startswith(b"event: progress\ndata: "):
                    return orjson.loads(head.removeprefix(b"event: progress\ndata: "))

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
    for status, steps in (("pending", 0), ("out_for_delivery", 3), ("delivered", 4)):
        await sql.execute("UPDATE core_order SET delivery_status = $2 WHERE id = $1", order["id"], status)

        _, text = await page(store, order["track_token"])

        assert re.findall(r'<li class="(\w+)"', text).index("now") == steps
    assert "Delivered" in text


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
    async with following(store, order["track_token"]) as next_event:
        first = await next_event()
        assert "We have your order." in first["html"]
        assert first["is_finished"] is False
        await move(store, order, "preparing")
        assert "Your order is being prepared." in (await next_event())["html"]
        await move(store, order, "completed")
        assert (await next_event())["is_finished"] is True
    assert live.watch._watchers == {}
    assert live.watch._looking is None


async def test_several_pages_of_several_orders_are_told_of_their_own(store, order):
    soup = await store.item("Tea", 2)
    other = await store.order({"item_id": soup["id"]})
    async with (
        following(store, order["track_token"]) as one,
        following(store, order["track_token"]) as two,
        following(store, other["track_token"]) as third,
    ):
        for next_event in (one, two, third):
            await next_event()
        await move(store, order, "ready")
        assert "Your order is ready." in (await one())["html"]
        assert "Your order is ready." in (await two())["html"]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(third(), 1.5)
    assert live.watch._watchers == {}


async def test_a_page_too_many_is_told_to_come_back(store, order, monkeypatch):
    monkeypatch.setattr(live, "MAX_WATCHERS_OF_ONE", 1)
    async with following(store, order["track_token"]) as next_event:
        await next_event()

        response, _ = await page(store, order["track_token"], "/events")

        assert (response.status_code, response.headers["Retry-After"]) == (503, "30")


async def test_a_quiet_order_sends_a_sign_of_life_and_leaves_in_the_end(store, order, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(live, "LONGEST_SECONDS", 0.3)

    response, text = await page(store, order["track_token"], "/events")

    assert response.content_type == "text/event-stream"
    assert text.startswith("retry: 1000\n\nevent: progress\n")
    assert text.endswith(": waiting\n\n")
    assert text.count("event: progress") == 1


async def test_a_database_that_is_away_for_a_moment_ends_nothing(store, order, monkeypatch):
    view = tracked.order_view
    async with following(store, order["track_token"]) as next_event:
        await next_event()

        async def fails(token):
            monkeypatch.setattr(tracked, "order_view", view)
            raise OSError("away")

        monkeypatch.setattr(tracked, "order_view", fails)
        await move(store, order, "ready")

        assert "Your order is ready." in (await next_event())["html"]
