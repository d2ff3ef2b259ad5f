"""The day sheet of reservations in the dashboard."""

import pytest
from comanda.devkit.testing import line

FIELDS = {"guest_name": "Bea Luz", "party_size": "3", "phone": "+351912345678", "note": "By the window"}


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/reservations"


async def test_a_day_shows_tables_guests_and_times(restaurant, dashboard, path):
    await restaurant.create_table("7")
    await restaurant.create_reservation(6, 2, note="Birthday <3")
    await restaurant.create_reservation(30, 4, guest_name="Tomorrow")

    page = await dashboard.get(f"{path}?on=2027-03-10")

    assert "Ada Costa" in page
    assert "Birthday &lt;3" in page
    assert '<svg class="plan"' in page
    assert "Tomorrow" not in page
    assert "Tomorrow" in await dashboard.get(f"{path}?on=2027-03-11")
    assert "No reservations on this day" in await dashboard.get(f"{path}?on=2027-03-13")
    assert "Ada Costa" in await dashboard.get(f"{path}?on=never")


async def test_a_table_is_reserved_moved_and_refused_when_taken(restaurant, dashboard, path):
    for number in ("1", "2"):
        await restaurant.create_table(number)
    fields = {**FIELDS, "starts_at": "2027-03-10T19:00", "ends_at": "", "table_numbers": ["", "1"], "override": "false"}

    to = await dashboard.post(f"{path}/new", fields)
    taken = await dashboard.post(f"{path}/new", {**fields, "guest_name": "Late"}, status=422)

    assert to == f"{path}?on=2027-03-10"
    assert 'value="Late"' in taken
    [made] = (await restaurant.store.get("/reservations")).document["data"]
    assert (made["guest_name"], made["party_size"], made["table_numbers"]) == ("Bea Luz", 3, ["1"])
    assert made["starts_at"].startswith("2027-03-10T19:00")
    moved = {**fields, "starts_at": "2027-03-11T20:30", "ends_at": "2027-03-11T22:30", "table_numbers": ["", "2"]}
    assert await dashboard.post(f"{path}/{made['id']}", moved) == f"{path}?on=2027-03-11"
    changed = await restaurant.get_reservation(made)
    assert (changed["table_numbers"], changed["starts_at"][:16]) == (["2"], "2027-03-11T20:30")


async def test_guests_are_missing_only_after_their_time(restaurant, dashboard, path, clock):
    reservation = await restaurant.create_reservation(1)
    one = f"{path}/{reservation['id']}"

    before = await dashboard.get(one)
    clock.advance(hours=1)
    after = await dashboard.get(one)
    await dashboard.post(f"{one}/status", {"status": "no_show"})

    assert "No-show" not in before
    assert "No-show" in after
    assert (await restaurant.get_reservation(reservation))["status"] == "no_show"


async def test_guests_who_walk_in_are_seated_at_once(restaurant, dashboard, path):
    await restaurant.create_table("1")
    await restaurant.update_settings(min_notice_minutes=120)

    form = await dashboard.get(f"{path}/new?source=walk_in")
    fields = {
        "guest_name": "Walk-in", "party_size": "2", "starts_at": "2027-03-10T12:00", "ends_at": "",
        "table_numbers": ["", "1"], "source": "walk_in", "override": "true",
    }  # fmt: skip
    await dashboard.post(f"{path}/new", fields)
    twice = await dashboard.post(f"{path}/new", fields, status=422)

    assert 'value="2027-03-10T12:00"' in form
    assert "Already reserved at that time: 1." in twice
    [made] = (await restaurant.store.get("/reservations")).document["data"]
    assert (made["status"], made["source"], made["table_numbers"]) == ("seated", "walk_in", ["1"])


async def test_a_day_is_listed_by_the_hour(restaurant, dashboard, path):
    for hours, name in ((7.5, "Late"), (6, "Early"), (6.5, "Half past")):
        await restaurant.create_reservation(hours, guest_name=name)

    page = await dashboard.get(f"{path}?on=2027-03-10")

    places = [page.index(text) for text in ('rowgroup">18:00', "Early", "Half past", 'rowgroup">19:00', "Late")]
    assert places == sorted(places)


async def test_stores_without_tables_have_no_day_sheet(dashboard, owner):
    hotel_id = await owner.store("hotel")

    today = await dashboard.get(f"/stores/{hotel_id}")
    await dashboard.get(f"/stores/{hotel_id}/reservations", status=404)

    assert f"/stores/{hotel_id}/reservations" not in today


async def test_a_guest_is_seated_and_leaves(restaurant, dashboard, path):
    await restaurant.create_table("1")
    reservation = await restaurant.create_reservation()
    one = f"{path}/{reservation['id']}"

    await dashboard.post(f"{one}/status", {"status": "seated"})
    assert "Complete" in await dashboard.get(f"{path}?on=2027-03-10")
    await dashboard.post(f"{one}/status", {"status": "completed"})
    await dashboard.post(f"{one}/status", {"status": "pending"})

    assert (await restaurant.get_reservation(reservation))["status"] == "completed"
    await dashboard.get(f"{path}/999999", status=404)


async def test_guests_still_expected_are_on_the_page_of_today(restaurant, dashboard, store):
    assert "Reservations today" not in await dashboard.get(f"/stores/{store.id}")
    await restaurant.create_table("1")
    await restaurant.create_reservation(6)

    page = await dashboard.get(f"/stores/{store.id}")

    assert "Reservations today" in page
    assert "Ada Costa" in page


async def test_deposit_is_put_on_the_bill_of_the_table(guest, pay, dashboard, clock):
    await pay()
    found = await guest.get()
    path = f"/stores/{guest.store.id}/reservations/{found['id']}"
    assert "Deposit paid" in await dashboard.get(f"/stores/{guest.store.id}/reservations?on=2027-03-12")
    shown = await dashboard.get(path)
    assert "Once there is an open check" in shown
    assert f"/prepayments/{found['deposit']['id']}" in shown
    item = await guest.store.item("Menu", 55)
    order = await guest.store.order(line(item), type="on-table", table_number="1")

    assert f'value="{order["id"]}"' in await dashboard.get(path)
    assert await dashboard.post(f"{path}/deposit/apply", {"order_id": order["id"]}) == path

    paid = (await guest.store.get(f"/orders/{order['id']}")).document
    assert (paid["paid_total"], paid["amount_due"]) == (40, 15)
    assert "Deposit on the bill" in await dashboard.get(path)
