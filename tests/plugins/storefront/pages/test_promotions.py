"""Promotions on a store's page, in its quotes and in the page of an order."""

from datetime import UTC, datetime

HAPPY_HOUR = {
    "name": "Happy <hour>", "type": "percentage", "value": 25, "valid_at": [{"from": "17:00", "until": "19:00"}],
}  # fmt: skip


async def create_promotion(store, **fields):
    reply = await store.send("POST", "/promotions", {**HAPPY_HOUR, **fields})
    assert reply.status == 201, reply
    return reply


async def test_page_says_what_is_on_and_until_when(store, get_page_text, clock):
    await store.item("Soup", 8)
    plain = await get_page_text(store)
    await create_promotion(store)
    shown = []
    for hour, minute in ((16, 59), (17, 0), (18, 59), (19, 0)):
        clock.set(datetime(2030, 1, 7, hour, minute, tzinfo=UTC))
        shown.append("Happy &lt;hour&gt;</strong>" in await get_page_text(store))

    assert 'class="offer"' not in plain
    assert shown == [False, True, True, False]
    clock.set(datetime(2030, 1, 7, 18, tzinfo=UTC))
    assert "19:00" in (await get_page_text(store)).split('class="offer"')[1].split("</p>")[0]


async def test_promotion_of_another_channel_is_not_shown(store, get_page_text):
    await create_promotion(store, valid_at=[], channels=["staff"])

    assert 'class="offer"' not in await get_page_text(store)


async def test_quote_and_order_name_the_promotion_under_the_discount(page_guest, get_order_page):
    store = page_guest.store
    soup = await store.item("Soup", 8)
    await create_promotion(store, valid_at=[])

    _, quoted = await page_guest.quote({"item_id": soup["id"]})
    _, placed = await page_guest.order({"item_id": soup["id"]}, expected_total=6)
    _, page = await get_order_page(store, placed["track_token"])

    assert quoted["amounts"] == [
        {"label": "Subtotal", "text": "€8.00"},
        {"label": "Discount", "text": "-€2.00"},
        {"label": "of which Happy <hour>", "text": "-€2.00"},
    ]
    assert (quoted["total"], placed["total"]) == (6, 6)
    assert '<th scope="row">of which Happy &lt;hour&gt;</th><td class="number">-€2.00</td>' in page


async def test_price_that_ended_between_quote_and_order_is_confirmed_again(page_guest, clock):
    clock.set(datetime(2030, 1, 7, 18, 59, tzinfo=UTC))
    soup = await page_guest.store.item("Soup", 8)
    await create_promotion(page_guest.store)
    _, quoted = await page_guest.quote({"item_id": soup["id"]})
    clock.advance(minutes=1)

    response, refused = await page_guest.order({"item_id": soup["id"]}, expected_total=quoted["total"])

    assert (response.status_code, refused["reason"], refused["total"]) == (409, "price_changed", 8)
