"""Erasure of an owner."""

import pytest
from comanda.accounts import administration
from comanda.accounts.owners import owner_erasure
from comanda.accounts.owners.owner_erasure import erase_owner, plan_owner_erasure
from comanda.basics.errors import Conflict, NotFound
from comanda.platform.db import sql

NAME = "Eraseme Ünique"


async def list_tables_with(text):
    """List the tables whose rows contain a text anywhere."""
    tables = [row["name"] for row in await sql.fetch(owner_erasure.SELECT_OWNED_TABLES)] + ["core_owner"]
    return [
        table
        for table in sorted(tables)
        if await sql.fetch_value(f'SELECT count(*) FROM "{table}" t WHERE strpos(t::text, $1) > 0', text)
    ]


async def list_rows(owner):
    tables = [row["name"] for row in await sql.fetch(owner_erasure.SELECT_OWNED_TABLES)]
    return {
        table: count
        for table in tables
        if (count := await sql.fetch_value(f'SELECT count(*) FROM "{table}" WHERE owner_id = $1', owner.id))
    }


async def finish(store, order):
    for status in ("preparing", "ready", "completed"):
        reply = await store.send("PUT", f"/orders/{order['id']}/status", {"status": status})
        assert reply.status == 200, reply


async def test_erased_owner_leaves_a_suspended_account_without_a_name(store, owner, other_owner):
    await other_owner.store()
    before = await list_rows(other_owner)
    soup = await store.item("Minestrone")
    order = await store.order({"item_id": soup["id"]}, customer_name=NAME)
    await finish(store, order)
    assert "core_order" in await list_tables_with(NAME)

    plan = await erase_owner(owner.email)

    assert (plan.deleted["core_store"], plan.deleted["core_order"], plan.kept) == (1, 1, {})
    assert await list_tables_with(NAME) == await list_tables_with(owner.email) == []
    assert await list_rows(owner) == {"core_audit_entry": 1}
    [entry] = await sql.fetch("SELECT action, actor_kind FROM core_audit_entry WHERE owner_id = $1", owner.id)
    assert tuple(entry) == ("account/erase", "operator")
    assert await sql.fetch_value("SELECT is_suspended FROM core_owner WHERE id = $1", owner.id)
    assert await list_rows(other_owner) == before
    with pytest.raises(NotFound):
        await erase_owner(owner.email)


async def test_open_order_keeps_the_owner(store, owner):
    soup = await store.item("Minestrone")
    await store.order({"item_id": soup["id"]})
    before = await list_rows(owner)

    with pytest.raises(Conflict, match="Open orders: 1"):
        await erase_owner(owner.email)

    assert await list_rows(owner) == before
    assert not await sql.fetch_value("SELECT is_suspended FROM core_owner WHERE id = $1", owner.id)


async def test_administrator_is_not_erased(owner):
    await administration.set_administrator(owner.email, is_administrator=True)
    try:
        with pytest.raises(Conflict, match="administrator"):
            await erase_owner(owner.email)
    finally:
        await administration.set_administrator(owner.email, is_administrator=False)


async def test_kept_tables_are_closed_under_their_references(runtime):
    kept = {table for eraser in runtime.registry.erasers for table in eraser.kept_tables}
    keys = await sql.fetch(owner_erasure.SELECT_FOREIGN_KEYS)
    referred = {row["referred"] for row in keys if row["referring"] in kept}
    assert kept
    assert referred - kept <= {"core_owner"}


async def test_rows_of_an_absent_plugin_keep_the_owner(owner):
    await sql.execute("CREATE TABLE bygone_note (id bigint PRIMARY KEY, owner_id bigint NOT NULL)")
    try:
        await sql.execute("INSERT INTO bygone_note VALUES (1, $1)", owner.id)
        plan = await plan_owner_erasure(owner.email)
        assert [sentence for sentence in plan.obstacles if "bygone_note is not installed" in sentence]
    finally:
        await sql.execute("DROP TABLE bygone_note")
