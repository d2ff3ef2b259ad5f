"""A guest who reads Arabic, in a real Chromium: the menu, an order and its progress, from right to left."""

import os

import pytest
from comanda.devkit.testing import open_store

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
expect = sync_api.expect


@pytest.fixture(scope="session")
def store(installation, server):
    made = open_store(installation, lambda: server.url, "Translated")
    made.add_item("Bread", 2)
    category = made.send("GET", "/menu")[1][0]["id"]
    base = {"name": "Base", "min": 2, "max": 3, "extras": [{"name": name, "price": 0} for name in "ABC"]}
    made.send("POST", "/menu/items", {"name": "Pizza", "price": 9, "category_id": category, "extra_groups": [base]})
    return made


@pytest.fixture
def phone(browser):
    page = browser.new_context(**PHONE, locale="en-GB").new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda message: page.wrong.append(message.text) if message.type == "error" else None)
    yield page
    page.context.close()


def picture(page, name):
    if folder := os.environ.get("COMANDA_TEST_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_a_guest_orders_in_arabic_and_reads_it_from_right_to_left(store, phone):
    phone.goto(f"{store.url()}/s/translated?table=4")
    expect(phone.locator("html")).to_have_attribute("lang", "en")
    phone.get_by_role("button", name="العربية").click()

    expect(phone.locator("html")).to_have_attribute("dir", "rtl")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    picture(phone, "shop")
    phone.goto(f"{store.url()}/s/translated?table=4")
    phone.get_by_role("button", name="إضافة Bread").click()
    phone.get_by_role("button", name="اختيار Pizza").click()
    dialog = phone.get_by_role("dialog")
    expect(dialog.get_by_label("A")).to_be_visible()
    dialog.get_by_role("button", name="إضافة ·").click()
    expect(dialog.get_by_text("اختر اثنين على الأقل.")).to_be_visible()
    picture(phone, "choice")
    dialog.get_by_label("A").check()
    dialog.get_by_label("B").check()
    dialog.get_by_role("button", name="إضافة ·").click()
    phone.get_by_role("button", name="عرض طلبك").click()
    order = phone.get_by_role("dialog", name="طلبك")
    expect(order.get_by_role("button", name="اطلب ·")).to_contain_text("11.00")
    picture(phone, "order")
    order.get_by_role("button", name="اطلب ·").click()

    expect(phone.get_by_text("تلقّينا طلبك.")).to_be_visible()
    expect(phone.get_by_role("heading", name="ما طلبته")).to_be_visible()
    picture(phone, "track")
    number = phone.get_by_role("heading", level=1).inner_text().split()[-1]
    placed = next(one for one in store.send("GET", "/orders")[1]["data"] if str(one["number"]) == number)
    store.send("PUT", f"/orders/{placed['id']}/status", {"status": "preparing"})
    expect(phone.locator("#progress").get_by_text("يجري تحضير طلبك.")).to_be_visible()
    assert phone.wrong == []
