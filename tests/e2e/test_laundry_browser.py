"""A laundry's owner with a phone: washing by the kilogram is ordered, weighed, tagged and handed back."""

import re
import shutil

import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

SETUP_LINK = re.compile(r"/setup/\S+")
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def server():
    data = create_migrated_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning", "COMANDA_DEVELOPMENT": "true"})
    try:
        with installation.running("serve") as running:
            yield running
    finally:
        shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def page(server, browser):
    opened = browser.new_page(viewport=PHONE)
    problems = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    yield opened
    assert problems == []


def press(page, name):
    page.get_by_role("main").get_by_role("button", name=name, exact=True).first.click()


@pytest.fixture(scope="module")
def store(server, page):
    page.goto(server.url + SETUP_LINK.search(server.printed())[0])
    page.get_by_label("Your name or your company's").fill("Espuma")
    page.get_by_label("E-mail").fill("espuma@example.com")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_label("Name of the store").fill("Espuma")
    page.get_by_label("Type of store").select_option("laundry")
    page.get_by_label("Currency").select_option("EUR")
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    press(page, "Create account and store")
    page.wait_for_url("**/dashboard/stores/*")
    store = page.url
    page.goto(f"{store}/menu/categories/new")
    page.locator("#field-name").fill("Washing")
    page.get_by_role("main").locator("form button[type=submit]").first.click()
    page.wait_for_url(lambda url: not url.endswith("/new"))
    page.goto(f"{store}/menu/items/new")
    page.locator("#field-name").fill("Wash and fold")
    page.locator("#field-price").fill("4.50")
    page.locator("#field-category_id").select_option(label="Washing")
    page.get_by_label("Sold by the kilogram").check()
    press(page, "Create item")
    page.wait_for_url(lambda url: not url.endswith("/new"))
    return store


@pytest.fixture(scope="module")
def order(page, store):
    page.goto(f"{store}/orders/new")
    page.get_by_role("listitem").filter(has_text="Wash and fold").get_by_role("button").click()
    page.get_by_label("Quantity").first.wait_for()
    page.get_by_role("main").get_by_label("Type").select_option("in_store")
    press(page, "Place order")
    page.wait_for_url(re.compile(r"/orders/\d+$"))
    return page.url


def test_washing_is_weighed_tagged_and_handed_back(page, order):
    page.goto(order)
    page.get_by_role("link", name="Weigh and tag").click()
    page.get_by_label("Weight in grams").fill("4350")
    press(page, "Save")
    page.get_by_text("Weight saved.").wait_for()
    assert "€19.58" in page.get_by_role("main").inner_text()
    press(page, "Give tags")
    page.get_by_text("Tags given.").wait_for()
    press(page, "All returned")
    page.get_by_text("Garments saved.").wait_for()
    assert "Returned" in page.get_by_role("main").inner_text()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_pages_fit_a_phone_and_can_be_read_by_all(page, store, order, server, language):
    order_id = order.rsplit("/", 1)[1]
    page.context.add_cookies([{"name": "comanda_language", "value": language, "url": server.url}])
    found = []
    for path in ("/laundry", f"/laundry/{order_id}", f"/laundry/{order_id}/labels"):
        page.goto(store + path)
        looks = axe_rules.find_violations_in_looks(page, [(PHONE, "light"), (DESK, "dark")], ".side")
        found += [(path, scheme, each["id"], node["target"]) for _, scheme, each in looks for node in each["nodes"]]
        page.set_viewport_size(PHONE)
        if not page.evaluate(FITS):
            found.append((path, "too wide for a phone"))

    assert found == []
