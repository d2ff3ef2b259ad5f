"""The waitlist on the day sheet of the dashboard."""

import pytest


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/reservations"


async def test_line_stands_on_the_sheet_of_today_only(waitlist, dashboard, path):
    await waitlist.add("Ada <3", note="Pram", phone="+351912345678")

    today, later = await dashboard.get(path), await dashboard.get(f"{path}?on=2027-03-11")

    assert "Ada &lt;3" in today
    assert "Pram" in today
    assert 'aria-labelledby="waitlist"' not in later


async def test_store_without_waitlist_shows_none(restaurant, dashboard, path):
    assert 'aria-labelledby="waitlist"' not in await dashboard.get(path)

    rules = await dashboard.get(f"{path}/tables")

    assert "has_waitlist" in rules


async def test_party_is_added_called_and_seated(waitlist, dashboard, path):
    form = await dashboard.get(f"{path}/waitlist/new")
    fields = {"guest_name": "Bea", "party_size": "4", "phone": "", "note": "", "quoted_minutes": "25"}
    to = await dashboard.post(f"{path}/waitlist/new", fields)
    [party] = (await waitlist.store.get("/waitlist"))["data"]
    await dashboard.post(f"{path}/waitlist/{party['id']}/call", {})
    called = await dashboard.get(path)
    await dashboard.post(f"{path}/waitlist/{party['id']}/seat", {"table_number": "1"})

    assert to == path
    assert "Nobody is waiting." in form
    assert "no SMS" in called
    seated = await waitlist.get(party)
    assert (seated["status"], seated["quoted_minutes"], seated["calls"]) == ("seated", 25, 1)


async def test_party_that_is_refused_keeps_the_form(waitlist, dashboard, path):
    page = await dashboard.post(f"{path}/waitlist/new", {"guest_name": "Bea", "party_size": "0"}, status=422)

    assert 'value="Bea"' in page
    assert await waitlist.list_names() == []


@pytest.mark.parametrize("status", ["left", "no_show"])
async def test_party_is_taken_out_of_the_line(waitlist, dashboard, path, status):
    party = await waitlist.add()
    await waitlist.act(party, "call")

    await dashboard.post(f"{path}/waitlist/{party['id']}/status", {"status": status})

    assert (await waitlist.get(party))["status"] == status
