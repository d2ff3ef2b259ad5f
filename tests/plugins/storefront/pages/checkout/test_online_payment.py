"""The page says that guests can pay online where the store has an account that is ready."""


async def test_quote_says_whether_the_order_can_be_paid_online(page_guest):
    soup = await page_guest.store.item("Soup", 5)
    _, before = await page_guest.quote({"item_id": soup["id"]})

    reply = await page_guest.store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})

    assert reply.status == 201, reply
    _, after = await page_guest.quote({"item_id": soup["id"]})
    assert (before["pays_online"], after["pays_online"]) == (False, True)
