"""The kitchen's items when orders are amended."""

import pytest
from comanda.devkit.testing import line


@pytest.fixture
async def order(kitchen):
    """An order of soup and bread."""
    return await kitchen.place_order(kitchen.soup, kitchen.bread)


async def amend(kitchen, order, path, body):
    return await kitchen.send("POST", f"/orders/{order.id}/{path}", body)


async def test_new_round_is_queued_while_the_first_is_ready(kitchen, cook, order):
    await kitchen.set_status(order.id, "ready")

    amended = (await amend(kitchen, order, "lines", {"items": [line(kitchen.bread)]})).document

    assert [each["kds_status"] for each in amended["items"]] == ["ready", "ready", "queued"]
    assert amended["status"] == "preparing"


async def test_new_round_of_a_new_order_writes_no_states(kitchen, cook, order):
    amended = (await amend(kitchen, order, "lines", {"items": [line(kitchen.bread)]})).document

    assert [each["kds_status"] for each in amended["items"]] == ["queued"] * 3
    await kitchen.set_status(order.id, "preparing")
    assert await kitchen.list_kds_statuses(order) == ["preparing"] * 3


async def test_void_of_the_last_unfinished_line_makes_the_order_ready(kitchen, cook, order):
    soup, bread = order.lines
    for _ in range(2):
        await cook.bump(soup)

    voided = await amend(kitchen, order, f"lines/{bread}/void", {"reason": "Sold out"})

    assert voided.document["status"] == "ready"


async def test_merged_lines_keep_their_states(kitchen, cook, order):
    other = await kitchen.place_order(kitchen.bread)
    await kitchen.set_status(other.id, "ready")

    merged = (await amend(kitchen, order, "merge", {"order_id": other.id})).document

    assert [each["kds_status"] for each in merged["items"]] == ["queued", "queued", "ready"]
    assert merged["status"] == "preparing"


async def test_split_lines_keep_their_states(kitchen, cook):
    order = await kitchen.order(line(kitchen.soup, 2), line(kitchen.bread))
    soup, bread = (each["id"] for each in order["items"])
    await cook.bump(soup)

    split = await kitchen.send(
        "POST",
        f"/orders/{order['id']}/split",
        {"lines": [{"line_id": soup, "quantity": 1}, {"line_id": bread}]},
    )

    assert [each["kds_status"] for each in split.document["items"]] == ["preparing", "queued"]
    rest = (await kitchen.get(f"/orders/{order['id']}")).document
    assert ([each["kds_status"] for each in rest["items"]], rest["status"]) == (["preparing"], "preparing")
