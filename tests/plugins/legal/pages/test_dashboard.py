"""Withdrawals in the dashboard: the list, the panel of the day, the entry of the navigation."""

import pytest


@pytest.fixture
def today(store):
    return f"/stores/{store.id}/today"


async def test_owner_finds_matched_orders_and_marks_what_is_handled(guest, store, dashboard, new_order):
    order = await new_order(phone="912345678")
    await guest.confirm(contract=str(order["number"]), phone="912345678")
    await guest.confirm(contract="the <big> one")
    path = f"/stores/{store.id}/withdrawals"

    page = await dashboard.get(path)
    newest = (await guest.list_stored())[0]
    await dashboard.post(f"{path}/{newest['id']}/handled", {})
    unhandled = await dashboard.get(f"{path}?is_handled=false")

    assert f'href="/dashboard/stores/{store.id}/orders/{order["id"]}"' in page
    assert "the &lt;big&gt; one" in page
    assert page.count("Not matched") == 1
    assert "the &lt;big&gt; one" not in unhandled
    assert (await guest.list_stored())[0]["handled_by"] is not None


async def test_entry_and_panel_are_shown_while_there_is_something(guest, store, dashboard):
    entry = f'href="/dashboard/stores/{store.id}/withdrawals"'
    day = f"/stores/{store.id}"
    before = await dashboard.get(day)
    await guest.confirm(name="Ana <b>Silva</b>")
    waiting = await dashboard.get(day)
    [stored] = await guest.list_stored()
    await store.send("POST", f"/withdrawals/{stored['id']}/handled")
    after = await dashboard.get(day)

    assert [entry in page for page in (before, waiting, after)] == [False, True, True]
    assert ["Withdrawals to handle" in page for page in (before, waiting, after)] == [False, True, False]
    assert "Ana &lt;b&gt;Silva&lt;/b&gt;" in waiting


async def test_a_store_without_statements_learns_how_to_switch_it_on(store, dashboard):
    page = await dashboard.get(f"/stores/{store.id}/withdrawals")

    assert f'href="/dashboard/stores/{store.id}/settings/plugins/legal"' in page
