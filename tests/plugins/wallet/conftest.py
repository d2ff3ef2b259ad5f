"""A wallet with money, and functions that book on it."""

from itertools import count
from types import SimpleNamespace

import pytest
from comanda.platform.db import sql
from comanda_wallet import api
from comanda_wallet.api import Charge, EntryKind

SELECT_LEGS = """
    SELECT l.account, l.account_owner_id, l.amount_minor FROM wallet_leg l
    WHERE l.owner_id = $1 AND l.entry_id = $2 ORDER BY l.id
"""


class TestWallet:
    """The wallet of an owner, as tests use it."""

    __test__ = False

    def __init__(self, owner):
        self.owner = owner
        self._numbers = count(1)

    def reference(self):
        return f"test:{next(self._numbers)}"

    async def top_up(self, amount_minor):
        return await api.top_up(self.owner.id, amount_minor, self.reference())

    async def charge(self, amount_minor, reference=None, *, kind=EntryKind.USAGE, payee=None, share=0):
        charge = Charge(kind, amount_minor, reference or self.reference(), "Calls", payee and payee.id, share)
        return await api.charge(self.owner.id, charge)

    async def balance(self):
        return (await api.get_wallet(self.owner.id)).balance_minor

    async def legs(self, entry):
        """Return the legs of an entry: account, its owner's id, amount."""
        return [tuple(row) for row in await sql.fetch(SELECT_LEGS, self.owner.id, entry.id)]

    async def counts(self):
        """Return the balance, and how many entries and legs there are; a refusal leaves them alone."""
        entries = await sql.fetch_value("SELECT count(*) FROM wallet_entry WHERE owner_id = $1", self.owner.id)
        legs = await sql.fetch_value("SELECT count(*) FROM wallet_leg WHERE owner_id = $1", self.owner.id)
        return SimpleNamespace(balance=await self.balance(), entries=entries, legs=legs)


@pytest.fixture
def wallet(owner):
    return TestWallet(owner)
