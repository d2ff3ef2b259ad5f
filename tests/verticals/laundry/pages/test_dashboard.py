"""The intake of a laundry in the dashboard."""

import pytest
from comanda.devkit.testing import line


@pytest.fixture
async def order(laundry):
    return await laundry.drop_off(line(laundry.wash, 3), line(laundry.shirt, 2), customer_name="Ana Silva")


@pytest.fixture
def path(laundry, order):
    return f"/stores/{laundry.id}/laundry/{order['id']}"


async def test_order_is_weighed_tagged_and_returned(laundry, order, path, dashboard):
    washed, shirt = (str(each["id"]) for each in order["items"])
    before = await dashboard.get(path)
    await dashboard.post(f"{path}/weight", {"line_id": washed, "grams": "4350"})
    await dashboard.post(f"{path}/tags", {"line_id": shirt, "count": "", "note": "White"})
    tagged = await dashboard.get(path)
    labels = await dashboard.get(f"{path}/labels")
    await dashboard.post(f"{path}/garments", {"state": "returned"})
    after = await dashboard.get(path)

    assert "Expected: 3 kg" in before
    assert "The total is an estimate until everything is weighed." in before
    assert "Weighed: 4.35 kg" in tagged
    assert "€25.58" in tagged
    assert tagged.count("White") == 2
    assert (labels.count("<strong>1</strong>"), labels.count("<strong>2</strong>")) == (1, 1)
    assert after.count("Returned</span>") == 2
    assert (await laundry.intake(order))["garments_returned"] == 2


async def test_what_is_wrong_is_said(laundry, order, path, dashboard):
    washed = str(order["items"][0]["id"])
    tag = (await laundry.tag(order, place=1, count=1))["tagged"][0]

    for target, values, sentence in (
        ("weight", {"line_id": washed, "grams": "heavy"}, "Must be"),
        ("garments", {"garment_id": str(tag["id"]), "state": "lost"}, "Write down what happened to it."),
        ("ready-day", {"ready_on": "soon"}, "date"),
    ):
        await dashboard.post(f"{path}/{target}", values)
        assert sentence in await dashboard.get(path), target
    assert (await laundry.intake(order))["lines_to_weigh"] == 1


async def test_lost_garment_keeps_its_note(laundry, order, path, dashboard):
    tag = (await laundry.tag(order, place=1, count=1))["tagged"][0]

    await dashboard.post(f"{path}/garments", {"garment_id": str(tag["id"]), "state": "lost", "note": "Not on the rail"})

    page = await dashboard.get(path)
    assert "Not on the rail" in page
    assert "Lost garment</span>" in page


async def test_ready_day_is_changed(laundry, order, path, dashboard):
    await dashboard.post(f"{path}/ready-day", {"ready_on": "2030-02-01"})

    assert "Fri 1 Feb 2030" in await dashboard.get(path)


async def test_list_shows_what_is_due(laundry, order, dashboard, clock):
    base = f"/stores/{laundry.id}/laundry"
    listed, today = await dashboard.get(base), await dashboard.get(f"{base}?due=today")

    assert "Ana Silva" in listed
    assert "Nothing is due" in today
    assert "No orders found" in await dashboard.get(f"{base}?tag=17")


async def test_tag_leads_to_its_order(laundry, order, path, dashboard):
    await laundry.tag(order)

    await dashboard.get(f"/stores/{laundry.id}/laundry?tag=1", status=303)


async def test_page_of_an_order_shows_its_garments(laundry, order, dashboard):
    await laundry.tag(order, place=1)

    page = await dashboard.get(f"/stores/{laundry.id}/orders/{order['id']}")

    assert "Weigh and tag" in page
    assert "Taken in</span>" in page
