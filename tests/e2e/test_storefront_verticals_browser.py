"""A guest with a phone at shops of goods and services: from the link to the followed order."""

import base64
import re
from datetime import UTC, datetime, timedelta

import pytest
from comanda.devkit.testing import open_store
from photographs import picture
from storefront_guest import StorefrontGuest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHIRTS = [("S", "blue", 5), ("M", "blue", 0), ("S", "red", 0), ("M", "red", 2)]
GOLF = {"make": "Volkswagen", "model": "Golf", "year_from": 2012, "year_to": 2019}
# The type of each store, the mode in which its guest orders, and the language of the guest.
VISITS = [
    ("clothing", "ship", "en"),
    ("cosmetic", "delivery", "pt"),
    ("retail", "in_store", "ar"),
    ("carparts", "ship", "pt"),
    ("pharmacy", "delivery", "ar"),
    ("laundry", "appointment", "en"),
]
WORDS = {
    "clothing": "Search products",
    "cosmetic": "Search products",
    "retail": "Search products",
    "carparts": "Search parts",
    "pharmacy": "Search products",
    "laundry": "Search services",
}


class Shop:
    """A shop with a thing in two variations and with a picture, and a small thing that is added at once."""

    def __init__(self, store, store_type):
        self.store, self.type = store, store_type
        _, category = store.send("POST", "/menu/categories", {"name": "Everything"})
        self._category_id = category["id"]
        self.thing = self._add(name="Thing", price=20, **({"age_min": 16} if store_type == "pharmacy" else {}))
        for name, price in (("Small", 20), ("Large", 24)):
            status, made = store.send("POST", f"/menu/items/{self.thing}/variants", {"name": name, "price": price})
            assert status == 201, made
        raw = base64.b64encode(picture(size=(900, 900), colour="green")).decode()
        assert store.send("POST", f"/menu/items/{self.thing}/photos", {"image_base64": raw, "alt": "It"})[0] == 201
        self.trifle = self._add(name="Trifle", price=2)
        assert store.send("POST", "/coupons", {"code": "TENTH", "type": "percentage", "value": 10})[0] == 201

    def _add(self, **fields):
        status, item = self.store.send("POST", "/menu/items", {"category_id": self._category_id, **fields})
        assert status == 201, item
        return item["id"]

    def set_sold_out(self, item_id, value):
        assert self.store.send("PUT", f"/menu/items/{item_id}", {"is_sold_out": value})[0] == 200

    def set_open(self, value):
        """Open the shop around the clock, or close it for good."""
        hours = None if value else {day: [] for day in DAYS}
        assert self.store.send("PUT", "/settings", {"timezone": "UTC", "hours": hours})[0] == 200

    def list_orders(self):
        return self.store.send("GET", "/orders")[1]["data"]

    def get_order(self, order):
        return self.store.send("GET", f"/orders/{order['id']}")[1]


@pytest.fixture(scope="session")
def open_shop(installation, server):
    """Return a function that opens a store of a type."""

    def open_of(title, store_type):
        return open_store(installation, lambda: f"http://localhost:{server.port}", title, store_type)

    return open_of


@pytest.fixture
def enter(browser):
    """Return a function that opens the page of a store in a language."""
    guests = []

    def enter(store, slug, language="en"):
        guests.append(StorefrontGuest(browser, store.url(), slug, language).open())
        return guests[-1]

    yield enter
    for guest in guests:
        assert [each for each in guest.wrong if "422" not in each] == []
        assert len(guest.hosts) == 1
        guest.close()


def choose_when(guest):
    """Choose the second day and its second time, if the mode has times."""
    days = guest.order.locator('input[name="day"]')
    if days.count():
        days.nth(1).check()
        guest.order.locator('[data-time] [aria-busy="true"]').wait_for(state="detached")
        guest.order.locator('input[name="scheduled_for"]').nth(1).check()


@pytest.mark.parametrize(("store_type", "mode", "language"), VISITS, ids=[visit[0] for visit in VISITS])
def test_order_is_placed_and_followed(open_shop, enter, store_type, mode, language):
    shop = Shop(open_shop(store_type, store_type), store_type)
    guest = enter(shop.store, store_type, language)
    page = guest.page
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    if language == "en":
        expect(page.get_by_label(WORDS[store_type])).to_be_visible()

    # The thing with its picture, a variation and a note; Back closes its dialog first.
    guest.open_item(shop.thing)
    expect(guest.item.locator(".gallery img").first).not_to_have_js_property("naturalWidth", 0)
    page.go_back()
    expect(guest.item).to_have_count(0)
    guest.open_item(shop.thing)
    guest.item.locator('input[name="variation"]').nth(1).check()
    guest.item.locator("#line-note").fill("Wrapped")
    guest.submit_item()
    guest.add(shop.trifle)

    order = guest.open_order()
    guest.choose("type", mode)
    guest.fill(customer_name="Ana Silva", phone="+351 912 345 678", note="Ring twice")
    if order.locator('[name="address"]').count():
        guest.fill(address="Rua das Flores 1, Lisboa")
    for name, text in (("city", "Lisboa"), ("postal_code", "1200-192")):
        if order.locator(f'[name="{name}"]').count():
            guest.fill(**{name: text})
    choose_when(guest)
    guest.apply_coupon("tenth")
    expect(order.locator("[data-coupon] .badge")).to_contain_text(re.compile(r"2[.,]60"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # A reload keeps it all; Back leads to the menu, and the order is opened again.
    page.reload()
    expect(order.locator("[name=customer_name]")).to_have_value("Ana Silva")
    expect(order.locator(f'input[name="type"][value="{mode}"]')).to_be_checked()
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert f"/s/{store_type}" in page.url
    guest.open_order()

    # The trifle is sold out on the way: one tap, and the rest is ordered.
    guest.wait_for_quote()
    shop.set_sold_out(shop.trifle, True)
    guest.submit.click()
    if store_type == "pharmacy":
        # Who did not say that they are old enough is asked first.
        expect(order.locator("[data-problem-of=age_confirmed]").first).not_to_be_empty()
        order.locator("[name=age_confirmed]").check()
        guest.submit.click()
    expect(order.locator("li.gone")).to_have_count(1)
    order.locator("[data-problem] button").click()
    expect(order.locator("[data-lines] li")).to_have_count(1)
    guest.wait_for_quote()

    # The shop closes on the way: it says so, and everything stays.
    shop.set_open(False)
    with page.expect_response("**/orders") as refused:
        guest.submit.click()
    assert refused.value.status == 422
    expect(order.locator("[data-problem]:not(:empty), [data-problem-of]:not(:empty)").first).to_be_in_viewport()
    assert shop.list_orders() == []
    shop.set_open(True)
    page.reload()
    expect(order.locator("[name=note]")).to_have_value("Ring twice")
    choose_when(guest)
    guest.wait_for_quote()
    token = guest.finish(clicks=2)

    [placed] = shop.list_orders()
    found = shop.get_order(placed)
    assert found["track_token"] == token
    assert (found["type"], found["customer_name"], found["note"]) == (mode, "Ana Silva", "Ring twice")
    assert found["discount_total"] == 2.4
    [line] = found["items"]
    assert (line["name"], line["variation"]["name"], line["note"]) == ("Thing", "Large", "Wrapped")
    expect(page.locator("main")).to_contain_text("Thing")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if mode == "appointment":
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
        assert found["scheduled_for"][:10] >= tomorrow


def test_shirt_is_chosen_by_size_and_colour(open_shop, enter):
    store = open_shop("Fashion", "clothing")
    _, category = store.send("POST", "/menu/categories", {"name": "Shirts"})
    _, shirt = store.send("POST", "/menu/items", {"name": "Shirt", "price": 20, "category_id": category["id"]})
    for size, colour, stock in SHIRTS:
        body = {"name": f"{size} {colour}", "price": 20, "stock": stock, "options": {"size": size, "colour": colour}}
        status, made = store.send("POST", f"/menu/items/{shirt['id']}/variants", body)
        assert status == 201, made
    guest = enter(store, "fashion")

    item = guest.open_item(shirt["id"])
    expect(item.get_by_role("group", name="Size").get_by_role("radio", name="S", exact=True)).to_be_checked()
    expect(item.get_by_role("radio", name="M (not with this choice)")).to_be_enabled()
    item.get_by_role("radio", name=re.compile("^Red")).check(force=True)
    # Red is left in M alone, so that the size follows.
    expect(item.get_by_role("group", name="Size").get_by_role("radio", name="M", exact=True)).to_be_checked()
    expect(item.get_by_text("Only 2 left")).to_be_visible()
    guest.submit_item()
    guest.open_order()
    guest.wait_for_quote()
    guest.finish(clicks=2)

    [order] = store.send("GET", "/orders")[1]["data"]
    [line] = store.send("GET", f"/orders/{order['id']}")[1]["items"]
    assert line["variation"]["name"] == "M red"


def test_parts_are_found_by_the_car(open_shop, enter):
    store = open_shop("Garage", "carparts")
    _, category = store.send("POST", "/menu/categories", {"name": "Parts"})
    for name, fitments in (("Oil filter", [GOLF]), ("Wiper", [])):
        body = {"name": name, "price": 9, "category_id": category["id"], "fitments": fitments}
        assert store.send("POST", "/menu/items", body)[0] == 201
    page = enter(store, "garage").page

    page.get_by_role("link", name="Which car do you have?").click()
    for name, choice in (("Make", "Volkswagen"), ("Model", "Golf"), ("Year", "2015")):
        page.get_by_label(name).select_option(choice)
        page.locator("form[role=search] [type=submit]").click()
    expect(page.get_by_role("heading", name="Parts for your Volkswagen Golf 2015")).to_be_visible()
    expect(page.locator(".offer")).to_have_count(1)
    page.get_by_role("link", name="Oil filter").click()
    expect(page.get_by_role("heading", name="Oil filter")).to_be_visible()

    # The car is remembered at this shop.
    page.goto(f"{store.url()}/s/garage/vehicles")
    expect(page.get_by_role("heading", name="Parts for your Volkswagen Golf 2015")).to_be_visible()
