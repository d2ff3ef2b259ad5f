"""Verification finds what does not agree, and nothing else."""

import random
import time

import pytest
from comanda.devkit.testing import Installation
from comanda.platform.db import sql
from comanda_wallet.api import EntryKind, find_entry
from comanda_wallet.services.verification import verify_ledger

CHARGING_PROCESS = """
import asyncio, sys
from comanda.composition.app import open_runtime
from comanda.composition.bootstrap import start_runtime
from comanda.platform.settings import Settings, read_settings
from comanda_wallet import api
from comanda_wallet.api import Charge, EntryKind

async def charge(owner_id, payee_id):
    async with open_runtime(made, with_background=False):
        for number in range(1_000_000):
            made_charge = Charge(EntryKind.USAGE, 7, f"kill:{number}", "", payee_id, 5)
            entry = await api.charge(owner_id, made_charge)
            print(number, entry.is_repeat, flush=True)

made = start_runtime(read_settings(Settings))
asyncio.run(charge(int(sys.argv[1]), int(sys.argv[2])))
"""
SABOTAGE = {
    "The wallet has 5, its entries sum to 10": "UPDATE wallet_wallet SET balance_minor = 5 WHERE owner_id = $1",
    "has legs that sum to 1": "UPDATE wallet_leg SET amount_minor = amount_minor + 1 "
    "WHERE owner_id = $1 AND account = 'cash'",
    "leaves 11, after 0": "UPDATE wallet_entry SET balance_minor = 11 WHERE owner_id = $1",
}


async def find_problems(owner):
    return [problem.sentence for problem in (await verify_ledger()).problems if problem.owner_id == owner.id]


@pytest.mark.parametrize(("sentence", "statement"), SABOTAGE.items())
async def test_verification_finds_sabotage(wallet, owner, sentence, statement):
    await wallet.top_up(10)
    assert await find_problems(owner) == []

    async def sabotage():
        async with sql.transaction():
            # What a person with the database's password could do.
            await sql.execute("SET LOCAL session_replication_role = replica")
            await sql.execute(statement, owner.id)
            found.extend(await find_problems(owner))
            raise LookupError

    found = []
    with pytest.raises(LookupError):
        await sabotage()

    assert any(sentence in problem for problem in found)
    assert await find_problems(owner) == []


def charge_until_killed(installation, owner, payee):
    """Charge in a process that is killed some time after its first new charge; return the numbers."""
    numbers = []
    with installation.running_program(CHARGING_PROCESS, owner.id, payee.id) as program:
        for line in program.stdout:
            numbers.append(int(line.split()[0]))
            if line.split()[1] == "False":
                break
        time.sleep(random.uniform(0.05, 0.4))
        program.process.kill()
        # The last line may be cut off by the kill.
        return numbers + [int(line.split()[0]) for line in program.stdout.read().splitlines()[:-1]]


async def test_killed_processes_charge_every_reference_once(wallet, owner, other_owner, settings):
    """Each process begins with the same references, so it repeats what those before it have charged."""
    await wallet.top_up(10_000_000)
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url})
    seen = []

    for _ in range(4):
        seen += charge_until_killed(installation, owner, other_owner)

    assert len(set(seen)) < len(seen)
    assert await find_problems(owner) == []
    rows = await sql.fetch("SELECT reference FROM wallet_entry WHERE owner_id = $1 AND kind = 'usage'", owner.id)
    assert len(rows) >= len(set(seen)) > 20
    assert await wallet.balance() == 10_000_000 - 7 * len(rows)
    for number in set(seen):
        assert (await find_entry(owner.id, EntryKind.USAGE, f"kill:{number}")).amount_minor == -7
