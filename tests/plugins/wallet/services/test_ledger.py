"""What the database refuses, whatever the code does."""

import asyncpg
import pytest
from comanda.platform.db import sql
from comanda_wallet import api

INSERT_LONE_LEG = """
    INSERT INTO wallet_leg (owner_id, entry_id, account, amount_minor) VALUES ($1, $2, 'cash', 5)
"""


async def test_database_refuses_legs_that_do_not_balance(wallet, owner):
    entry = await wallet.charge(0)

    with pytest.raises(asyncpg.CheckViolationError, match="do not balance"):
        await sql.execute(INSERT_LONE_LEG, owner.id, entry.id)

    assert await wallet.legs(entry) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE wallet_entry SET amount_minor = 1 WHERE owner_id = $1",
        "DELETE FROM wallet_entry WHERE owner_id = $1",
        "UPDATE wallet_leg SET amount_minor = 1 WHERE owner_id = $1",
        "DELETE FROM wallet_leg WHERE owner_id = $1",
    ],
)
async def test_database_refuses_changes_of_entries(wallet, owner, statement):
    await wallet.top_up(10)
    before = await wallet.counts()

    with pytest.raises(asyncpg.RestrictViolationError, match="never changed"):
        await sql.execute(statement, owner.id)

    assert await wallet.counts() == before


async def test_database_refuses_balance_below_limit(wallet, owner):
    await wallet.top_up(10)

    with pytest.raises(asyncpg.CheckViolationError):
        await sql.execute("UPDATE wallet_wallet SET balance_minor = -1 WHERE owner_id = $1", owner.id)

    assert await wallet.balance() == 10


@pytest.mark.parametrize("reference", ["", "x" * 201])
async def test_reference_of_invalid_length_is_refused(wallet, owner, reference):
    with pytest.raises(ValueError, match="1 to 200 characters"):
        await api.top_up(owner.id, 10, reference)

    assert (await wallet.counts()).entries == 0


async def test_long_description_is_cut(owner):
    entry = await api.top_up(owner.id, 10, "x" * 200, "y" * 300)

    assert entry.description == "y" * 255
