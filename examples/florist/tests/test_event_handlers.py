"""Occasions from gifts."""


async def test_gifts_become_occasions_if_enabled(shop, dispatch):
    await shop.gift("2030-01-12")
    await dispatch()
    assert await shop.occasions() == []

    await shop.decide(remembers_gifts=True, remind_days_before=3)
    order = (await shop.gift("2030-01-11", recipient_name="Eva")).document
    await dispatch()
    [remembered] = await shop.occasions()

    assert (remembered["recipient_name"], remembered["order_id"]) == ("Eva", order["id"])
    assert remembered["remind_at"] == "2031-01-08T09:00:00+00:00"
