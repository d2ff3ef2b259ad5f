"""Deletion of old audit entries."""

from datetime import timedelta

from comanda.basics import clock
from comanda.contracts.requests.routes import API_PREFIX
from comanda.platform.audit_log import retention
from comanda.platform.db import sql

LOG = f"{API_PREFIX}/audit-log"


async def add_category(client, auth, store_id, name="Soups"):
    path = f"{API_PREFIX}/restaurants/{store_id}/menu/categories"
    response = await client.post(path, headers=auth, json={"name": name})
    return (await response.get_json())["id"]


async def entries(client, auth, **query):
    response = await client.get(LOG, headers=auth, query_string=query)
    page = await response.get_json()
    assert response.status_code == 200, page
    return page


async def test_old_entries_are_deleted(client, owner, other_owner, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    store_id = await owner.store()
    for _ in range(5):
        await add_category(client, owner.auth, store_id)
    await add_category(client, other_owner.auth, await other_owner.store())
    old = clock.now() - timedelta(days=401)
    await sql.execute(
        """UPDATE core_audit_entry SET occurred_at = $2 WHERE owner_id = $1 AND id NOT IN (
             SELECT max(id) FROM core_audit_entry WHERE owner_id = $1)""",
        owner.id, old,
    )  # fmt: skip

    await retention.delete_old_entries()

    assert (await entries(client, owner.auth))["total"] == 1
    assert (await entries(client, other_owner.auth))["total"] == 1
