"""The demo's owner can take online payments from the first minute, in development only."""

from comanda.platform.db import sql
from comanda_demobank.demo import connect_demo_account


class Showcase:
    def __init__(self, caller):
        self.of = caller

    def caller(self):
        return self.of


async def count_accounts(owner):
    return await sql.fetch_value("SELECT count(*) FROM payments_account WHERE owner_id = $1", owner.id)


async def test_production_gets_no_account(owner, in_production):
    await connect_demo_account(Showcase(owner.caller))

    assert await count_accounts(owner) == 0
