"""What the database refuses, whatever the code does."""

import asyncpg
import pytest
from comanda.platform.db import sql
from comanda_wallet import api
from comanda_wallet.services.ledger import join_transaction

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


async def test_block_runs_in_a_transaction_of_its_own(app):
    assert not sql.is_in_transaction()
    async with join_transaction():
        assert sql.is_in_transaction()
    assert not sql.is_in_transaction()


async def test_block_joins_the_open_transaction(wallet):
    async def top_up_and_fail():
        async with sql.transaction():
            async with join_transaction():
                await wallet.top_up(500)
            assert await wallet.balance() == 500
            raise RuntimeError("The caller fails.")

    with pytest.raises(RuntimeError, match="caller fails"):
        await top_up_and_fail()

    assert (await wallet.counts()).entries == 0
