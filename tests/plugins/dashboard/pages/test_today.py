"""The first page of the dashboard."""

import dataclasses
from datetime import timedelta

import pytest
from comanda.accounts import web_sessions
from comanda.contracts import Panel
from comanda.devkit.testing import line, sign_in
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.db.connections.pooled import PooledConnection

# What a view may ask the database at most, with every plugin installed.
MAX_STATEMENTS = {"": 11, "/live": 5, "/orders": 5, "/orders/{order}": 14, "/reports": 7}
METHODS = ("execute", "fetch", "fetchrow", "fetchval")


@pytest.fixture
def statements(monkeypatch):
    """The statements that run from now on, without announcements, which leave whenever their turn comes."""
    found = []

    def recording(method):
        def call(self, query, *values, **options):
            if "pg_notify" not in query:
                found.append(query)
            return method(self, query, *values, **options)

        return call

    for name in METHODS:
        monkeypatch.setattr(PooledConnection, name, recording(getattr(PooledConnection, name)))
    return found


async def test_open_orders_are_counted_and_old_ones_pointed_out(dashboard, store):
    soup = await store.item("Soup", 5)
    old, young = (
        await store.order(line(soup), customer_name="Old"),
        await store.order(line(soup), customer_name="Young"),
    )
    await sql.execute(
        "UPDATE core_order SET created_at = created_at - $2::interval WHERE id = $1", old["id"], timedelta(hours=1)
    )

    page = await dashboard.get(f"/stores/{store.id}")
    live = await dashboard.get(f"/stores/{store.id}/live")

    for text in (page, live):
        assert "Waiting too long" in text
        assert f'/orders/{old["id"]}"' in text
        assert f'/orders/{young["id"]}"' not in text


async def test_first_steps_are_shown_until_they_are_done(dashboard, store):
    assert "First steps" in await dashboard.get(f"/stores/{store.id}")
    await store.order(line(await store.item("Soup", 5)))
    await sql.execute("UPDATE core_store SET is_published = true WHERE id = $1", store.id)

    assert "First steps" not in await dashboard.get(f"/stores/{store.id}")


async def test_owner_of_several_stores_sees_each_with_its_orders(dashboard, store, open_store):
    assert (await dashboard.client.get("/dashboard")).headers["Location"] == f"/dashboard/stores/{store.id}"
    other = await open_store("restaurant")
    await store.order(line(await store.item("Soup", 5)))

    page = await dashboard.get("")

    assert f"/dashboard/stores/{store.id}" in page
    assert f"/dashboard/stores/{other.id}" in page
    assert "Open orders" in page


@pytest.fixture
def add_panels(runtime):
    """Add panels to the page, each with its name as its text; ``None`` raises."""

    def add(**queries):
        async def load(visit, subject_id, name):
            if queries[name] is None:
                raise RuntimeError("thorns")
            return f"<p>text of {name}</p>"

        panels = [
            Panel(name, "today", "Roses", lambda visit, id, name=name: load(visit, id, name), is_for=query or None)
            for name, query in queries.items()
        ]
        registry = dataclasses.replace(runtime.registry, panels=(*runtime.registry.panels, *panels))
        runtime_module.use(dataclasses.replace(runtime, registry=registry))

    yield add
    runtime_module.use(runtime)


async def test_panel_is_shown_where_its_query_finds_something_and_does_not_fail(dashboard, store, add_panels):
    mine = "SELECT FROM core_store_v1 WHERE owner_id = $1 AND id = $2"
    add_panels(open="", mine=mine, others=f"{mine} AND id < 0", broken=None)

    page = await dashboard.get(f"/stores/{store.id}")

    assert [name for name in ("open", "mine", "others", "broken") if f"text of {name}" in page] == ["open", "mine"]


async def test_query_that_cannot_run_spoils_no_page(dashboard, store, add_panels):
    add_panels(mine="SELECT FROM core_store_v1 WHERE owner_id = $1 AND id = $2", wrong="SELECT FROM roses")

    page = await dashboard.get(f"/stores/{store.id}")

    assert "text of mine" in page
    assert "text of wrong" not in page


async def test_pages_ask_the_database_for_few_things(dashboard, store, statements):
    order = await store.order(line(await store.item("Soup", 5)))
    found = {}
    for path in MAX_STATEMENTS:
        page = f"/stores/{store.id}{path.format(order=order['id'])}"
        await dashboard.get(page)
        statements.clear()
        await dashboard.get(page)
        found[path] = len(statements)

    assert {path: count for path, count in found.items() if not 0 < count <= MAX_STATEMENTS[path]} == {}


async def test_next_page_knows_what_has_changed(app, owner, dashboard, store):
    page = f"/stores/{store.id}"
    await store.order(line(await store.item("Soup", 5)))
    await dashboard.get(page)

    await sql.execute("UPDATE core_store SET title = 'Renamed', currency = 'GBP' WHERE id = $1", store.id)
    await sql.execute("UPDATE core_owner SET name = 'Another name' WHERE id = $1", owner.id)
    changed = await dashboard.get(page)

    assert "Renamed" in changed
    assert "£" in changed
    assert "Another name" in changed


async def test_person_without_the_scope_or_the_session_gets_no_next_page(app, owner, dashboard, store):
    page = f"/stores/{store.id}/orders"
    person = await sign_in(app, owner.id)
    await person.get(page)

    await sql.execute("UPDATE core_web_session SET scopes = '{menu:read}' WHERE owner_id = $1", owner.id)
    await person.get(page, status=403)
    await web_sessions.end_sessions_of(owner.id, "owner")

    await person.get(page, status=303)
