"""A guest with a phone withdraws from an order, from the store's page and from the page of the order."""

import re

import pytest
from comanda.devkit.testing import open_store
from storefront_guest import StorefrontGuest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect


@pytest.fixture(scope="session")
def shop(installation, server):
    store = open_store(installation, lambda: f"http://localhost:{server.port}", "Jars", "retail")
    assert store.send("PUT", "/settings", {"timezone": "Europe/Lisbon", "country": "PT"})[0] == 200
    words = {
        "has_withdrawal": True,
        "withdrawal": "Within 14 days.",
        "withdrawal_exceptions": "Opened jars stay yours.",
    }
    assert store.send("PUT", "/settings/legal", words)[0] == 200
    return store


@pytest.fixture(scope="session")
def token(shop):
    """Place an order, and return the token of its page."""
    category = shop.send("POST", "/menu/categories", {"name": "Jars"})[1]
    item = shop.send("POST", "/menu/items", {"category_id": category["id"], "name": "Blue jar", "price": 12})[1]
    lines = [{"item_id": item["id"], "quantity": 2}]
    body = {"type": "in_store", "items": lines, "customer_name": "Ana Silva", "phone": "+351912345678"}
    status, order = shop.send("POST", "/orders", body)
    assert status == 201, order
    return order["track_token"]


@pytest.fixture
def enter(browser, shop):
    """Return a function that opens the store's page in a language, on a phone."""
    guests = []

    def enter(language="en"):
        guests.append(StorefrontGuest(browser, shop.url(), "jars", language).open())
        return guests[-1]

    yield enter
    for guest in guests:
        assert [each for each in guest.wrong if "422" not in each] == []
        assert len(guest.hosts) == 1
        guest.close()


def fill(page, **fields):
    for name, text in fields.items():
        page.locator(f'[name="{name}"]').fill(text)


def is_within_screen(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def list_withdrawals(shop):
    return shop.send("GET", "/withdrawals")[1]["data"]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_guest_withdraws_from_the_stores_page(shop, token, enter, language):
    before = len(list_withdrawals(shop))
    page = enter(language).page
    page.locator('footer a[href="/s/jars/legal/withdraw"]').click()
    assert page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
    expect(page.locator("main")).to_contain_text("Opened jars stay yours.")

    page.locator("main form [type=submit]").click()
    expect(page.locator("main [aria-invalid]")).to_have_count(3)
    fill(page, name="Eve <b>Costa</b>", contract="some order", email="eve@example.com", items="One jar")
    assert is_within_screen(page)
    page.locator("main form [type=submit]").click()
    page.locator("[name=change]").click()
    expect(page.locator('[name="items"]')).to_have_value("One jar")
    page.locator("main form [type=submit]").click()
    expect(page.locator("main dl")).to_contain_text("Eve <b>Costa</b>")
    assert len(list_withdrawals(shop)) == before
    assert is_within_screen(page)

    page.locator("[data-guest-form] [type=submit]").click(click_count=2)
    expect(page.locator("main time")).to_contain_text("Europe/Lisbon")
    assert is_within_screen(page)
    found = list_withdrawals(shop)
    assert len(found) == before + 1
    expect(page.locator("main")).to_contain_text(found[0]["reference"])
    assert (found[0]["items"], found[0]["order_id"]) == ("One jar", None)


def test_guest_withdraws_from_the_page_of_the_order(shop, token, enter):
    page = enter().page
    page.goto(f"{shop.url()}/t/{token}")
    page.get_by_role("link", name="Withdraw from contract here").click()

    expect(page.locator('[name="name"]')).to_have_value("Ana Silva")
    fill(page, email="ana@example.com")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Confirm withdrawal").click()

    expect(page.get_by_role("heading", name="Withdrawal received")).to_be_visible()
    newest = list_withdrawals(shop)[0]
    assert newest["order_number"] is not None
    assert re.fullmatch(r"W-[0-9A-Z]{8}", newest["reference"])
