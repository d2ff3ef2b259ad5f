"""A menu sent as CSV."""

import pytest
from comanda.devkit.testing.stores import Reply


@pytest.fixture
def send_csv(client, owner):
    async def send(store, text, query=""):
        path = f"/api/v1/restaurants/{store.id}/menu/import{query}"
        raw = text if isinstance(text, bytes) else text.encode()
        response = await client.post(path, headers={**owner.auth, "Content-Type": "text/csv"}, data=raw)
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    return send
