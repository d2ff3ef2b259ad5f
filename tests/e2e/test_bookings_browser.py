"""Guests with a phone book a room at a hotel and reserve a table at a restaurant, with what can come in between."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from comanda.devkit.testing import open_store
from storefront_guest import StorefrontGuest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
# Other tests here are in English, whose words are shorter than those of Portuguese.
LANGUAGES = ("pt", "ar")
CONTACT = {"guest_name": "Ana <b>Silva</b>", "phone": "+351 912 345 678", "note": "Late, after 22:00"}


def day(offset):
    return (datetime.now(UTC).date() + timedelta(days=offset)).isoformat()


class Hotel:
    """A hotel with rooms of two types, one of which has a single room."""

    def __init__(self, store):
        self.store = store
        self.double = self._add_type("Double, river view", 120, rooms=("101", "102", "103", "104", "105", "106"))
        self.suite = self._add_type("Suite", 300, rooms=("201",))

    def _add_type(self, name, price, rooms):
        body = {"name": name, "base_price": price, "max_adults": 2, "max_children": 1}
        status, made = self.store.send("POST", "/room-types", body)
        assert status == 201, made
        for number in rooms:
            assert self.store.send("POST", "/rooms", {"number": number, "room_type_id": made["id"]})[0] == 201
        return made["id"]

    def list_stays(self):
        return self.store.send("GET", "/stays")[1]["data"]

    def take_suite(self, check_in, check_out):
        body = {"room_type_id": self.suite, "check_in": check_in, "check_out": check_out, "guest_name": "Rui"}
        assert self.store.send("POST", "/stays", body)[0] == 201


@pytest.fixture(scope="session")
def open_shop(installation, server):
    """Return a function that opens a store of a type, whose name is that of the type."""

    def open_of(store_type):
        url = f"http://localhost:{server.port}"
        return open_store(installation, lambda: url, store_type.capitalize(), store_type)

    return open_of


@pytest.fixture(scope="session")
def hotel(open_shop):
    return Hotel(open_shop("hotel"))


@pytest.fixture(scope="session")
def restaurant(open_shop):
    store = open_shop("restaurant")
    for number in ("1", "2", "3", "4"):
        assert store.send("POST", "/tables", {"number": number, "seats": 4})[0] == 201
    return store


@pytest.fixture
def enter(browser):
    """Return a function that opens the page of a store in a language, on a phone."""
    guests = []

    def enter(store, slug, language="en"):
        guests.append(StorefrontGuest(browser, store.url(), slug, language).open())
        return guests[-1]

    yield enter
    for guest in guests:
        assert [each for each in guest.wrong if "409" not in each and "422" not in each] == []
        assert len(guest.hosts) == 1
        guest.close()


def fill(page, fields):
    for name, text in fields.items():
        page.locator(f'[name="{name}"]').fill(text)


def submit(page, clicks=1):
    page.locator("[data-guest-form] [type=submit]").click(click_count=clicks)


def is_within_screen(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", LANGUAGES)
def test_guest_books_a_room(hotel, enter, language):
    before = len(hotel.list_stays())
    page = enter(hotel.store, "hotel", language).page
    page.locator('main a[href="/s/hotel/rooms"]').click()
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")

    fill(page, {"check_in": day(20), "check_out": day(22), "adults": "2"})
    page.locator("form[role=search] [type=submit]").click()
    offer = page.locator(".offer", has_text="Double, river view")
    expect(offer.locator(".price strong")).to_have_text(re.compile(r"240[.,]00"))
    assert is_within_screen(page)
    offer.locator("a").click()

    # What is missing is asked for at its field, and a reload keeps the search.
    submit(page)
    expect(page.locator("[data-problem-of=guest_name]")).not_to_be_empty()
    expect(page.locator("[name=guest_name]")).to_be_focused()
    page.reload()
    fill(page, CONTACT)
    submit(page, clicks=2)
    page.wait_for_url("**/stays/*")

    [stay, *earlier] = hotel.list_stays()
    assert len(earlier) == before
    assert (stay["guest_name"], stay["note"], stay["phone"]) == tuple(
        CONTACT[name] for name in ("guest_name", "note", "phone")
    )
    assert (stay["check_in"], stay["check_out"], stay["adults"], stay["total"]) == (day(20), day(22), 2, 240)
    assert (stay["room_type_id"], stay["source"], stay["status"]) == (hotel.double, "website", "confirmed")
    expect(page.locator("main")).to_contain_text(CONTACT["guest_name"])
    assert is_within_screen(page)

    # The page is the guest's: a reload and Back book nothing, and the stay can be cancelled there.
    page.reload()
    page.go_back()
    page.go_forward()
    assert len(hotel.list_stays()) == before + 1
    page.on("dialog", lambda dialog: dialog.accept())
    submit(page)
    expect(page.locator("[data-guest-form]")).to_have_count(0)
    assert hotel.list_stays()[0]["status"] == "cancelled"
    assert hotel.list_stays()[0]["cancelled_by"] == "customer"


def test_last_room_is_taken_on_the_way(hotel, enter):
    page = enter(hotel.store, "hotel").page
    page.goto(f"{page.url}/rooms/{hotel.suite}?check_in={day(30)}&check_out={day(31)}")
    fill(page, CONTACT)
    hotel.take_suite(day(30), day(31))
    before = len(hotel.list_stays())

    submit(page)

    expect(page.locator("[data-problem]")).to_have_text("This room is sold out on one of these nights.")
    expect(page.locator("[name=guest_name]")).to_have_value(CONTACT["guest_name"])
    assert len(hotel.list_stays()) == before
    page.reload()
    expect(page.get_by_role("alert").first).to_have_text("This room is sold out on one of these nights.")
    page.get_by_role("link", name="Choose another room").click()
    expect(page.locator(".offer", has_text="Suite").locator("a")).to_have_count(0)


def test_wrong_dates_are_explained_at_the_search(hotel, enter):
    page = enter(hotel.store, "hotel").page

    page.goto(f"{page.url}/rooms?check_in=2020-01-01&check_out=2019-12-31")

    expect(page.get_by_role("alert")).to_have_text("Arrival: Must not be in the past.")
    expect(page.locator(".offer")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_guest_reserves_a_table(restaurant, enter, language):
    before = restaurant.send("GET", "/reservations")[1]["total"]
    page = enter(restaurant, "restaurant", language).page
    page.locator('main a[href="/s/restaurant/tables"]').click()
    when = LANGUAGES.index(language) + 2

    search = page.locator("form[role=search]")
    search.locator("[name=day]").fill(day(when))
    search.locator("[name=party_size]").fill("3")
    search.locator("[type=submit]").click()
    page.wait_for_url(f"**day={day(when)}*")
    assert is_within_screen(page)
    submit(page)
    expect(page.locator("[data-problem-of=starts_at]")).not_to_be_empty()
    page.locator(".time", has_text="19:30").locator("input").check()
    fill(page, CONTACT)
    submit(page, clicks=2)
    page.wait_for_url("**/reservations/*")

    listed = restaurant.send("GET", "/reservations")[1]
    assert listed["total"] == before + 1
    [reserved] = [each for each in listed["data"] if each["starts_at"].startswith(day(when))]
    assert (reserved["party_size"], reserved["guest_name"]) == (3, CONTACT["guest_name"])
    assert (reserved["starts_at"][11:16], reserved["source"], reserved["status"]) == ("19:30", "website", "confirmed")
    expect(page.locator("main")).to_contain_text("19:30")
    page.reload()
    page.on("dialog", lambda dialog: dialog.accept())
    submit(page)
    expect(page.locator("[data-guest-form]")).to_have_count(0)
    assert restaurant.send("GET", f"/reservations/{reserved['id']}")[1]["cancelled_by"] == "customer"


def test_time_is_taken_on_the_way(restaurant, enter):
    page = enter(restaurant, "restaurant").page
    page.goto(f"{page.url}/tables?day={day(9)}&party_size=4")
    page.locator(".time", has_text="20:00").locator("input").check()
    fill(page, CONTACT)
    for name in ("One", "Two", "Three", "Four"):
        body = {"guest_name": name, "party_size": 4, "starts_at": f"{day(9)}T20:00:00Z"}
        assert restaurant.send("POST", "/reservations", body)[0] == 201
    before = restaurant.send("GET", "/reservations")[1]["total"]

    submit(page)

    expect(page.locator("[data-problem]")).to_have_text("This time is fully booked. Please choose another one.")
    assert restaurant.send("GET", "/reservations")[1]["total"] == before
    page.reload()
    expect(page.locator(".time", has_text="20:00")).to_have_count(0)
    expect(page.locator(".time", has_text="22:00")).to_have_count(1)


def test_store_that_takes_no_reservations_says_so(restaurant, enter):
    page = enter(restaurant, "restaurant").page
    assert restaurant.send("PUT", "/reservations/settings", {"is_accepting": False})[0] == 200
    try:
        page.goto(f"{page.url}/tables")
        expect(page.locator("main")).to_contain_text("takes no reservations here at the moment")
        expect(page.locator("form[role=search]")).to_have_count(0)
    finally:
        restaurant.send("PUT", "/reservations/settings", {"is_accepting": True})


def test_room_service_is_charged_to_the_stay_in_the_room(hotel, enter):
    today = datetime.now(UTC).date()
    body = {"room_type_id": hotel.double, "check_in": today.isoformat(), "check_out": day(2), "guest_name": "Ana Silva"}
    status, stay = hotel.store.send("POST", "/stays", body)
    assert status == 201, stay
    assert hotel.store.send("PUT", f"/stays/{stay['id']}/status", {"status": "checked_in"})[0] == 200
    room = hotel.store.send("GET", f"/stays/{stay['id']}")[1]["room_number"]
    breakfast = hotel.store.add_item("Breakfast", 19)
    guest = enter(hotel.store, "hotel")
    guest.add(breakfast)
    order = guest.open_order()

    # Nothing is ordered to a room that is not said, or that is empty.
    expect(order.locator('input[name="type"]').first).to_have_value("room_service")
    guest.wait_for_quote()
    guest.submit.click()
    expect(order.locator("[data-problem-of=room_number]")).not_to_be_empty()
    guest.fill(room_number=room)
    guest.submit.click()
    expect(order.locator("[data-problem-of=customer_name]")).not_to_be_empty()
    guest.fill(customer_name="Somebody Else")
    guest.submit.click()
    expect(order.locator("[data-problem-of=room_number]")).to_have_text(
        "No guest of this name is checked in to this room."
    )
    guest.fill(customer_name="Ana Silva")
    guest.finish(clicks=2)

    found = hotel.store.send("GET", f"/stays/{stay['id']}")[1]
    assert [charge["amount"] for charge in found["folio"]] == [19]
