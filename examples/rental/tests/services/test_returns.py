"""Returns and late fees."""

import asyncio


async def test_return_in_time_costs_nothing(shop, clock, published):
    order = await shop.hire()
    clock.advance(days=2)

    reply = await shop.bring_back(order["id"])

    assert (reply.status, reply.document) == (
        200,
        {"order_id": order["id"], "returned_on": "2030-01-12", "late_days": 0, "late_fee": 0, "amount_due": 60},
    )
    shown = (await shop.get(f"/orders/{order['id']}")).document
    assert (shown["total"], shown["items"][0]["returned_on"]) == (60, "2030-01-12")
    assert await shop.bookings() == {}
    assert [data["late_fee"] for name, data in await published() if name == "rental.tools_returned"] == ["0.00"]


async def test_late_days_are_charged_once(shop, clock, published):
    order = await shop.hire()
    clock.advance(days=5)

    replies = await asyncio.gather(*(shop.bring_back(order["id"]) for _ in range(3)))

    assert sorted(reply.status for reply in replies) == [200, 409, 409]
    shown = (await shop.get(f"/orders/{order['id']}")).document
    assert [(each["code"], each["label"], each["amount"]) for each in shown["charges"]] == [
        ("late_fee", "Late return, 2 days", 40)
    ]
    assert (shown["total"], shown["amount_due"]) == (100, 100)
    [event] = [data for name, data in await published() if name == "rental.tools_returned"]
    assert (event["late_days"], event["late_fee"], event["currency"]) == (2, "40.00", "EUR")


async def test_impossible_returns_are_refused(shop, clock):
    order = await shop.hire()
    clock.advance(days=2)

    for day in ("2030-01-10", "2030-01-13"):
        assert (await shop.bring_back(order["id"], returned_on=day)).status == 422
    await shop.set_status(order["id"], "cancelled")
    refused = await shop.bring_back(order["id"])

    assert (refused.status, refused["reason"]) == (409, "order_cancelled")


async def test_returned_pieces_are_free_again(shop, clock):
    order = await shop.hire(last="2030-01-20")
    await shop.hire(last="2030-01-20")
    clock.advance(days=1)
    assert (await shop.hire(first="2030-01-15", last="2030-01-16")).status == 422

    await shop.bring_back(order["id"])

    assert (await shop.hire(first="2030-01-15", last="2030-01-16")).status == 201


async def test_scope_and_tenancy_of_returns(shop, foreign_shop, client, owner, clock):
    theirs = await foreign_shop.hire()
    mine = await shop.hire()
    clock.advance(days=1)
    assert (await shop.bring_back(theirs["id"])).status == 404
    path = f"/api/v1/restaurants/{shop.id}/rental/orders/{mine['id']}/return"
    for scope, status in (("rentals:read", 403), ("orders:write", 403), ("rentals:write", 200)):
        response = await client.put(path, json={}, headers=await owner.token_with(scope))
        assert response.status_code == status
    assert await foreign_shop.bookings() == {theirs["id"]: [1]}


async def test_customer_is_sent_what_is_still_to_pay(shop, clock, sent_messages):
    order = await shop.hire(phone="+351912345678")
    clock.advance(days=4)

    await shop.bring_back(order["id"])

    [sent] = await sent_messages()
    assert (sent.channel, sent.to) == ("sms", "+351912345678")
    assert sent.text == f"Tool Shed: thank you, the tools of order {order['number']} are back. Still to pay: 80.00 EUR."


async def test_number_that_takes_no_messages_delays_no_return(shop, clock, sent_messages):
    order = await shop.hire(phone="at the bar")
    clock.advance(days=1)

    assert (await shop.bring_back(order["id"])).status == 200
    assert await sent_messages() == []
