"""A store whose guests can withdraw on its pages, and a guest who does."""

from uuid import uuid4

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
STATEMENT = {
    "name": "Ana Silva",
    "contract": "Order #7, last week",
    "email": "ana@example.com",
    "items": "The blue <b>jar</b>, twice",
}


class WithdrawingGuest:
    """A guest at the pages of a store."""

    def __init__(self, store, slug):
        self.store, self.slug = store, slug
        self.page = f"/s/{slug}/legal/withdraw"

    async def read(self, path=None, language="en"):
        response = await self.store.client.get(path or self.page, headers={"Accept-Language": language})
        return response.status_code, await response.get_data(as_text=True)

    async def review(self, path=None, **fields):
        """Send the form of the first step, which stores nothing."""
        response = await self.store.client.post(path or self.page, form={**STATEMENT, **fields})
        return response.status_code, await response.get_data(as_text=True)

    async def confirm(self, path=None, headers=OWN_PAGE, **fields):
        body = {**STATEMENT, "client_uuid": str(uuid4()), **fields}
        response = await self.store.client.post(path or f"/s/{self.slug}/withdrawals", json=body, headers=headers)
        return response.status_code, await response.get_json()

    async def list_stored(self):
        return (await self.store.get("/withdrawals"))["data"]

    async def list_mails(self):
        return await sql.fetch(
            "SELECT address, subject, text FROM notifications_message WHERE owner_id = $1 ORDER BY id",
            self.store.owner.id,
        )


@pytest.fixture
async def guest(store):
    place = {"country": "PT", "timezone": "Europe/Lisbon"}
    assert (await store.send("PUT", "/settings", place)).status == 200
    assert (await store.send("PUT", "/settings/legal", {"has_withdrawal": True})).status == 200
    return WithdrawingGuest(store, (await store.get())["slug"])


@pytest.fixture
def new_order(store):
    async def place(**fields):
        return await store.order(line(await store.item("Jar", 12)), **{"type": "takeaway", **fields})

    return place
