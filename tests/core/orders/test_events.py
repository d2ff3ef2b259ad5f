"""Events of orders."""

import pytest
from comanda.devkit.testing.stores import line
from comanda.orders.events import OrderCreated


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


async def test_order_created_is_sent_once_with_text_total(store, soup, published):
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
                "split_from": None,
            },
        )
    ]


async def test_events_match_the_catalogue(store, soup, published):
    await store.place(line(soup))

    (data,) = [data for name, data in await published() if name == OrderCreated.name]
    assert OrderCreated.model_validate(data).model_dump(mode="json").keys() == data.keys()
