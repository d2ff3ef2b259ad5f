"""An order's tracking page: its steps and receipt."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from comanda.orders import queries
from comanda.platform.db import sql
from comanda_storefront.pages.tracking import order_tracking

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def get_words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


async def test_page_shows_status_and_receipt(store, tracked_order, get_order_page):
    response, text = await get_order_page(store, tracked_order["track_token"])

    words = get_words(text)
    assert response.status_code == 200
    assert f"Order {tracked_order['number']}" in words
    assert "Dine in, table 4" in words
    assert f"2 {order_tracking.MULTIPLICATION_SIGN} Soup &lt;b&gt; Bread “hot”" in words
    assert "Total €12.00" in words
    assert "To pay: €12.00" in words
    assert "We have your order." in words
    assert re.findall(r'<li class="(\w+)"', text) == ["now", "next", "next", "next"]


async def test_receipt_has_a_row_of_each_tax_rate(store, soup, get_order_page):
    await store.send("PUT", "/settings", {"tax_rate": 8.875})
    order = await store.order({"item_id": soup["id"], "quantity": 2}, tip_amount=1)

    _, text = await get_order_page(store, order["track_token"])

    table = text[text.index('aria-label="Taxes"') :]
    assert re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", table) == [
        *("Tax rate", "Net", "Tax", "Gross"),
        *("8.875%", "€9.18", "€0.82", "€10.00"),
    ]


async def test_discount_is_taken_off_once(store, tracked_order, get_order_page):
    id = tracked_order["id"]
    line = "UPDATE core_order_line SET discount_minor = 120, total_minor = total_minor - 120 WHERE order_id = $1"
    order = """UPDATE core_order SET discount_total_minor = 120, total_minor = total_minor - 120, coupon_code = 'TEN',
        rounding_minor = 2 WHERE id = $1"""
    await sql.execute(line, id)
    await sql.execute(order, id)

    _, text = await get_order_page(store, tracked_order["track_token"])

    amounts = re.findall(r'<td class="number">([^<]*)</td>', text)
    assert amounts == ["€12.00", "€12.00", "-€1.20", "€10.80", "€0.02"]


@pytest.mark.parametrize(
    ("status", "said", "steps"),
    [
        ("preparing", "Your order is being prepared.", ["done", "now", "next", "next"]),
        ("ready", "Your order is ready.", ["done", "done", "now", "next"]),
        ("completed", "Your order is complete. Thank you!", ["done", "done", "done", "now"]),
        ("cancelled", "This order was cancelled.", []),
    ],
)
async def test_each_status_has_headline_and_steps(
    store, tracked_order, status, said, steps, get_order_page, set_order_status
):
    await set_order_status(store, tracked_order, status)

    _, text = await get_order_page(store, tracked_order["track_token"])

    assert said in text
    assert re.findall(r'<li class="(\w+)"', text) == steps
    assert ("data-finished" in text) is (status in {"completed", "cancelled"})


async def test_delivery_has_its_own_steps(store, get_order_page):
    soup = await store.item("Soup", 5)
    tracked_order = await store.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    for status, steps, said in (
        ("pending", 0, "We have your order."),
        ("assigned", 0, "A driver will pick it up."),
        ("picked_up", 3, "The driver has picked up your order."),
        ("out_for_delivery", 3, "Your order is on its way."),
        ("delivered", 4, "Your order has been delivered."),
    ):
        await sql.execute("UPDATE core_order SET delivery_status = $2 WHERE id = $1", tracked_order["id"], status)

        _, text = await get_order_page(store, tracked_order["track_token"])

        assert re.findall(r'<li class="(\w+)"', text).index("now") == steps
        assert said in text


async def test_page_alone_shows_delivery_address(store, get_order_page):
    soup = await store.item("Soup", 5)
    order = await store.order({"item_id": soup["id"]}, type="delivery", address="Rua <b> 1, 2º")

    _, text = await get_order_page(store, order["track_token"])
    response = await store.client.get(f"/api/v1/track/{order['track_token']}")

    assert "Deliver to: <bdi>Rua &lt;b&gt; 1, 2º</bdi>" in text
    assert response.status_code == 200
    assert "Rua" not in await response.get_data(as_text=True)


async def test_failed_delivery_is_not_shown_as_delivered(store, get_order_page):
    soup = await store.item("Soup", 5)
    tracked_order = await store.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    await sql.execute("UPDATE core_order SET delivery_status = 'failed' WHERE id = $1", tracked_order["id"])

    _, text = await get_order_page(store, tracked_order["track_token"])

    assert "We could not deliver your order." in text
    assert re.findall(r'<li class="(\w+)"', text) == ["done"] * 4 + ["failed"]
    assert "Not delivered" in text


@pytest.fixture
def public_sections(monkeypatch):
    """Return a dict of public sections that is added to the order's public record."""
    added = {}
    read = queries.get_tracking

    async def tracking(token):
        order = await read(token)
        return replace(order, sections={**order.sections, **added})

    monkeypatch.setattr(queries, "get_tracking", tracking)
    return added


@pytest.mark.parametrize(
    ("minutes", "seen"), [(0, ", last seen just now"), (2, ", last seen 2 min ago"), (90, ""), (None, "")]
)
async def test_driver_is_shown_with_first_name_and_last_update(
    store, public_sections, clock, minutes, seen, get_order_page
):
    soup = await store.item("Soup", 5)
    tracked_order = await store.order({"item_id": soup["id"]}, type="delivery", address="Here 1")
    clock.set(NOON)
    at = None if minutes is None else (NOON - timedelta(minutes=minutes)).isoformat()
    public_sections["driver"] = {"name": "Rui Costa", "lat": 38.7, "lng": -9.1, "location_updated_at": at}
    _, early = await get_order_page(store, tracked_order["track_token"])
    await sql.execute("UPDATE core_order SET delivery_status = 'out_for_delivery' WHERE id = $1", tracked_order["id"])

    _, text = await get_order_page(store, tracked_order["track_token"])

    assert f"Rui is on the way{seen}." in re.sub(r"<[^>]+>", "", text)
    assert ("mlat=38.70000&amp;mlon=-9.10000" in text) == bool(seen)
    assert "Costa" not in text
    assert "Rui" not in early


async def test_delivery_photo_is_shown(store, public_sections, tracked_order, get_order_page):
    public_sections["proof"] = {
        "code_verified_at": None,
        "photos": [{"url": "/delivery-photos/7?x=1"}, {"url": "javascript:1"}],
    }

    _, text = await get_order_page(store, tracked_order["track_token"])

    assert re.findall(r'<p class="proof"><img src="([^"]+)"', text) == ["/delivery-photos/7?x=1"]


@pytest.mark.parametrize(
    ("address", "is_shown"), [("https://pay.example/1", True), ("/pay/1", True), ("javascript:1", False), (None, False)]
)
async def test_payment_link_is_shown(store, public_sections, tracked_order, address, is_shown, get_order_page):
    public_sections["pay_url"] = address

    _, text = await get_order_page(store, tracked_order["track_token"])

    assert (f'href="{address}"' in text) is is_shown


async def test_cancelled_order_shows_no_payment_link(
    store, public_sections, tracked_order, get_order_page, set_order_status
):
    public_sections["pay_url"] = "/pay/1"
    await set_order_status(store, tracked_order, "cancelled")

    _, text = await get_order_page(store, tracked_order["track_token"])

    assert "To pay" not in text
    assert "/pay/1" not in text
    assert "Nothing is to be paid." in text


async def test_page_is_neither_cached_nor_indexed(store, tracked_order, get_order_page):
    response, text = await get_order_page(store, tracked_order["track_token"])

    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "://" not in re.sub(r'"@context".*', "", text)


@pytest.mark.parametrize("token", ["nothing", "%00", "x" * 3000, "%ff", "%C3%A9", "A" * 43])
async def test_invalid_track_token_returns_404(store, tracked_order, token, get_order_page):
    for path in ("", "/events"):
        response, _ = await get_order_page(store, token, path)
        assert response.status_code == 404


async def test_page_of_expired_order_leads_to_its_store(
    store, tracked_order, clock, get_order_page, set_order_status, update_settings
):
    await set_order_status(store, tracked_order, "completed")
    clock.advance(days=31)
    response, text = await get_order_page(store, tracked_order["track_token"])

    assert "<h1>This order is no longer available</h1>" in text
    assert "for 30 days after it has ended" in text
    assert re.search(r'<a class="button" href="/s/[^"]+">Back to <bdi>', text)
    assert response.headers["Cache-Control"] == "no-store"
    assert not any(line["name"] in text for line in tracked_order["items"])

    await update_settings(store, is_published=False)
    _, text = await get_order_page(store, tracked_order["track_token"])
    assert "/s/" not in text.partition("<main")[2]


async def test_expired_or_suspended_order_returns_404(store, tracked_order, clock, get_order_page, set_order_status):
    await set_order_status(store, tracked_order, "completed")
    clock.advance(days=31)
    assert (await get_order_page(store, tracked_order["track_token"]))[0].status_code == 404
    assert (await get_order_page(store, tracked_order["track_token"], "/events"))[0].status_code == 404

    await set_order_status(store, tracked_order, "ready")
    assert (await get_order_page(store, tracked_order["track_token"]))[0].status_code == 200
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)
    assert (await get_order_page(store, tracked_order["track_token"]))[0].status_code == 404
    assert (await get_order_page(store, tracked_order["track_token"], "/events"))[0].status_code == 404
