"""Events of orders."""

import pytest
from comanda.devkit.testing.stores import line
from comanda.orders.events import OrderCreated


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


async def test_a_new_order_is_announced_once_with_its_total_as_text(store, soup, published):
    before = len(await published())
    order = await store.order(line(soup, 3), tip_amount=0.1)

    assert (await published())[before:] == [
        (
            "order.created",
            {
                "order_id": order["id"],
                "restaurant_id": store.id,
                "number": 1,
                "type": "takeaway",
                "source": "api",
                "status": "new",
                "total": "15.10",
                "currency": "EUR",
                "created_at": order["created_at"],
            },
        )
    ]


async def test_what_is_announced_is_what_the_catalogue_promises(store, soup, published):
    await store.place(line(soup))

    (data,) = [data for name, data in await published() if name == OrderCreated.name]
    assert OrderCreated.model_validate(data).model_dump(mode="json").keys() == data.keys()
