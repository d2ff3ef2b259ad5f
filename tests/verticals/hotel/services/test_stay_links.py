"""The links by which guests find the page of their stay again."""

from datetime import date

import pytest
from comanda.basics import NotFound
from comanda_hotel.services import stay_links

TODAY = date(2027, 3, 10)


async def test_link_leads_to_the_stay_it_was_made_for(hotel):
    made = await hotel.stay(await hotel.room_type(rooms=2), 5)

    path = await stay_links.create_path(hotel.owner.id, made["id"], TODAY, TODAY)

    start, _, query = path.partition("?")
    values = dict(part.split("=") for part in query.split("&"))
    assert start == f"/stays/{made['id']}"
    assert await stay_links.find_store(made["id"], **values) == (hotel.owner.id, hotel.id)
    with pytest.raises(NotFound):
        await stay_links.find_store(made["id"] + 1, **values)
