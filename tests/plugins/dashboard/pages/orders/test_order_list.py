"""The orders of a store in the dashboard."""

import csv
import io

import pytest
from comanda.devkit.testing import line, sign_in


@pytest.fixture
async def order(store):
    soup = await store.item("Soup", 5)
    return await store.order(line(soup, 2, note="No salt"), customer_name="Ana Silva", phone="+351 912 345 678")


async def test_orders_are_listed_and_filtered(dashboard, store, order):
    page = await dashboard.get(f"/stores/{store.id}/orders")

    assert f"/dashboard/stores/{store.id}/orders/{order['id']}" in page
    assert "Ana Silva" in page
    assert "€10.00" in page
    for query in ("status=ready", "search=Nobody", "type=delivery", "payment_status=paid", "to=2020-01-01"):
        assert "Ana Silva" not in await dashboard.get(f"/stores/{store.id}/orders?{query}"), query
    for query in ("status=new", "search=silva", "type=takeaway", "payment_status=unpaid"):
        assert "Ana Silva" in await dashboard.get(f"/stores/{store.id}/orders?{query}"), query


async def test_filter_says_which_days_it_means(dashboard, store):
    await store.send("PUT", "/settings", {"day_start": "05:30"})

    page = await dashboard.get(f"/stores/{store.id}/orders?from=2026-01-01&day=calendar")

    assert '<option value="business">Business days, from 05:30</option>' in page
    assert '<option value="calendar" selected>Calendar days, from midnight</option>' in page


async def test_orders_are_filtered_by_total_and_exported(dashboard, store, order):
    path = f"/stores/{store.id}/orders"
    assert "Ana Silva" not in await dashboard.get(f"{path}?min_total=10.01")
    page = await dashboard.get(f"{path}?min_total=10&max_total=10&search=silva&all=1")
    assert "Ana Silva" in page
    assert f'/dashboard{path}/export.csv?min_total=10&amp;max_total=10&amp;search=silva"' in page

    found = await dashboard.get(f"{path}/export.csv?min_total=10&search=silva")
    missed = await dashboard.get(f"{path}/export.jsonl?min_total=10.01")

    assert [row["id"] for row in csv.DictReader(io.StringIO(found.removeprefix("\ufeff")))] == [str(order["id"])]
    assert missed == ""
    await dashboard.get(f"{path}/export.xml", status=422)


async def test_order_moves_over_the_board(dashboard, store, order):
    board = f"/stores/{store.id}/orders/board"
    assert "Start preparing" in await dashboard.get(board)

    led_to = await dashboard.post(f"/stores/{store.id}/orders/{order['id']}/move", {"status": "preparing"})

    assert led_to == board
    assert (await store.get(f"/orders/{order['id']}"))["status"] == "preparing"
    live = await dashboard.get(f"{board}/live")
    assert "Mark ready" in live
    assert "<html" not in live


async def test_board_shows_the_oldest_open_orders_first(dashboard, store, monkeypatch):
    monkeypatch.setattr("comanda_dashboard.pages.orders.order_list.MAX_CARDS", 3)
    soup = await store.item("Soup", 5)
    placed = [await store.order(line(soup)) for _ in range(5)]

    live = await dashboard.get(f"/stores/{store.id}/orders/board/live")

    places = [live.find(f'/orders/{order["id"]}"') for order in placed]
    assert 0 < places[0] < places[1] < places[2]
    assert places[3:] == [-1, -1]
    assert "All 5 in the list" in live


async def test_store_of_nobody_is_not_found(dashboard):
    await dashboard.get("/stores/999999999/orders", status=404)
    await dashboard.get("/stores/999999999/orders/export.csv", status=404)


async def test_person_without_the_scope_may_not_write(app, owner, store, order):
    reader = await sign_in(app, owner.id, scopes={"orders:read"})
    page = await reader.get(f"/stores/{store.id}/orders/{order['id']}")

    assert "Change status" not in page
    await reader.post(f"/stores/{store.id}/orders/{order['id']}/status", {"status": "ready"}, status=403)
    assert (await store.get(f"/orders/{order['id']}"))["status"] == "new"


async def test_person_without_a_session_signs_in_first(client, store):
    response = await client.get(f"/dashboard/stores/{store.id}/orders")

    assert response.status_code == 303
    assert response.headers["Location"] == f"/sign-in?next=/dashboard/stores/{store.id}/orders"
