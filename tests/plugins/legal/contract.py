"""Paths and bodies of the legal plugin, for tests of every route."""

from comanda.contracts import API_PREFIX
from comanda.platform.db import sql

STATEMENT = {
    "name": "Stolen", "contract": "1", "email": "stolen@example.com", "phone": "+351912345678", "items": "x",
    "client_uuid": "w-1",
}  # fmt: skip


async def switch_on(workshop, store_id):
    path = f"{API_PREFIX}/restaurants/{store_id}/settings/legal"
    response = await workshop.client.put(path, headers=workshop.owner.auth, json={"has_withdrawal": True})
    assert response.status_code == 200, await response.get_json()


async def withdrawal(workshop, store_id):
    return await sql.fetch_value(
        """INSERT INTO legal_withdrawal (owner_id, store_id, reference, name, email, contract, submitted_at)
           VALUES ($1, $2, 'W-' || substr(md5(random()::text), 1, 8), 'Ada', 'ada@example.com', '1', now())
           RETURNING id""",
        workshop.owner.id,
        store_id,
    )


async def statement(workshop, store_id, *_):
    # By the token of an order, its store was switched on.
    if isinstance(store_id, int):
        await switch_on(workshop, store_id)
    return STATEMENT


async def track_token(workshop):
    store_id = workshop.home or await workshop.store()
    await switch_on(workshop, store_id)
    order_id = await workshop.order(store_id)
    return (await workshop.get(f"/restaurants/{store_id}/orders/{order_id}"))["track_token"]


FACTORIES = {
    "/restaurants/{id}/withdrawals/{withdrawalId}": withdrawal,
    "/withdraw/{token}": track_token,
}
BODIES = {"WithdrawalBody": statement}
