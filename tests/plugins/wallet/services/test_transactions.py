"""Transactions of entries."""

import pytest
from comanda.platform.db import sql
from comanda_wallet.services.transactions import join_transaction


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
