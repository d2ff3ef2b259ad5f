"""What an owner is entitled to, from memory while the owner has not changed."""

from comanda.contracts import Entitlement
from comanda.platform.db import sql
from comanda_entitlements.services import effective

NOTHING = Entitlement(is_granted=False)


async def read_version(owner):
    return await sql.fetch_value("SELECT xmin FROM core_owner WHERE id = $1", owner.id)


async def find(owner, version):
    return (await effective.find_entitlements(owner.id, ["crm_suite"], version))["crm_suite"]


async def test_unknown_version_is_looked_up_each_time(owner, plan, statements):
    await plan()
    statements.clear()

    assert [await find(owner, None) for _ in range(2)] == [NOTHING, NOTHING]
    assert len([text for text in statements if "entitlements_" in text]) == 2


async def test_known_version_is_looked_up_once(owner, plan, statements):
    await plan()
    version = await read_version(owner)
    statements.clear()

    assert [await find(owner, version) for _ in range(3)] == [NOTHING] * 3
    assert len([text for text in statements if "entitlements_" in text]) == 1


async def test_change_gives_the_owner_another_version(owner, plan):
    await plan()
    before = await read_version(owner)
    assert await find(owner, before) == NOTHING

    await plan(crm_suite=None)

    after = await read_version(owner)
    assert after != before
    assert await find(owner, after) == Entitlement()


async def test_memory_is_bounded(owner, plan, monkeypatch):
    monkeypatch.setattr(effective, "MAX_CACHED_OWNERS", 2)
    await plan()
    version = await read_version(owner)

    for number in range(5):
        await effective.find_entitlements(owner.id + 1_000_000 + number, ["crm_suite"], 1)

    assert await find(owner, version) == NOTHING
    assert len(effective._cached) <= 2
