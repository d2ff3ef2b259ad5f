"""Totals of several stores, and of orders whose events are pending."""

from comanda.devkit.testing import line


async def test_report_adds_further_stores_of_the_owner(shop, open_store):
    other = await open_store("restaurant")
    await other.order(line(await other.item("Tea", 3)))
    await shop.order(line(shop.soup))

    both = await shop.report(f"also={other.id}")

    assert both["restaurant_ids"] == [shop.id, other.id]
    assert both["figures"]["net_sales"] == 13


async def test_stores_of_others_and_of_other_currencies_are_refused(shop, open_store, other_owner):
    foreign, dollars = await other_owner.store(), await open_store("restaurant", currency="USD")

    replies = [await shop.send("GET", f"/day-report?also={id}") for id in (foreign, dollars.id, "x")]

    assert [reply.status for reply in replies] == [404, 422, 422]
    assert replies[1]["errors"] == {"also": ["Must be stores of the same currency."]}


async def test_some_orders_are_pending_and_some_counted(shop):
    await shop.order(line(shop.soup))
    await shop.count_orders()
    await shop.order(line(shop.cake))

    assert (await shop.figures())["net_sales"] == 14
