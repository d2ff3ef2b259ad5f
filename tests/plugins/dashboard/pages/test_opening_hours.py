"""The editor of opening hours."""

import pytest

MONDAY = "hours.monday.0"
NIGHT = {f"{MONDAY}.open": "18:00", f"{MONDAY}.close": "02:00"}


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/settings/hours"


async def get_hours(store):
    return (await store.get("/settings"))["hours"]


async def test_hours_and_holidays_are_saved_without_empty_rows(dashboard, store, path):
    christmas = {"hours.exceptions.0.date": "2030-12-25", "hours.exceptions.0.note": "Christmas"}
    empty = {"hours.monday.1.open": "", "hours.monday.1.close": "", "hours.exceptions.1.date": ""}
    await dashboard.post(path, {"_mode": "week", **NIGHT, **christmas, **empty})
    hours = await get_hours(store)
    page = await dashboard.get(path)

    assert hours["monday"] == [{"open": "18:00", "close": "02:00"}]
    assert hours["tuesday"] == []
    assert hours["exceptions"] == [{"date": "2030-12-25", "is_closed": True, "intervals": [], "note": "Christmas"}]
    assert 'value="2030-12-25"' in page


async def test_a_day_is_copied_to_others_before_it_is_saved(dashboard, store, path):
    page = await dashboard.post(path, {"_mode": "week", **NIGHT, "_edit": "copy:monday:weekdays"}, status=200)

    assert page.count('value="18:00"') == 5
    assert "not saved yet" in page
    assert await get_hours(store) is None


async def test_an_overlap_is_named_at_its_day(dashboard, store, path):
    overlap = {"hours.friday.0.open": "09:00", "hours.friday.0.close": "18:00", "hours.friday.1.open": "17:00"}
    page = await dashboard.post(path, {"_mode": "week", **overlap, "hours.friday.1.close": "20:00"}, status=422)

    friday = page.partition('<th scope="row">Friday</th>')[2].partition("</tr>")[0]
    assert "overlap" in friday
    assert friday.count('aria-invalid="true"') == 4
    assert page.count("overlap") == 1
    assert await get_hours(store) is None


async def test_a_store_is_set_to_always_open_again(dashboard, store, path):
    await dashboard.post(path, {"_mode": "week", **NIGHT})
    await dashboard.post(path, {"_mode": "always", **NIGHT})

    assert await get_hours(store) is None
    assert "always open" in await dashboard.get(path)
