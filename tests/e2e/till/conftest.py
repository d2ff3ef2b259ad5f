"""Stores with a till, and the till in a real Chromium."""

import pytest
from chromium import hold
from comanda.devkit.testing import open_store
from till_pages import MANAGER_PIN, PIN, TABLET, add_table, open_drawer, place_order

SIZES = [{"name": "Small", "price": 0}, {"name": "Large", "price": 3}]
PIZZA = {
    "name": "Pizza",
    "price": 10,
    "tax_rate": 8.875,
    "extra_groups": [{"name": "Size", "min": 1, "max": 1, "extras": SIZES}],
}


@pytest.fixture(scope="session")
def store(installation, server):
    opened = open_store(installation, lambda: server.url, "Till")
    for name, role, pin in (("Ada", "cashier", PIN), ("Rosa", "kitchen", "7391")):
        status, answer = opened.send("POST", "/staff", {"name": name, "role": role, "pin": pin})
        assert status == 201, answer
    opened.add_item("Risotto", 14)
    category_id = opened.send("GET", "/menu")[1][0]["id"]
    assert opened.send("POST", "/menu/items", {**PIZZA, "category_id": category_id})[0] == 201
    return opened


@pytest.fixture
def table(store):
    """The number of a table at which nobody sits."""
    return add_table(store)


@pytest.fixture(scope="session")
def busy_store(installation, server):
    """A store with an open table that is older than a hundred other unpaid orders; its waiter needs approvals."""
    opened = open_store(installation, lambda: server.url, "Busy")
    for name, role, pin in (("Ada", "waiter", PIN), ("Max", "manager", MANAGER_PIN)):
        status, answer = opened.send("POST", "/staff", {"name": name, "role": role, "pin": pin})
        assert status == 201, answer
    opened.add_item("Soup", 5)
    open_drawer(opened)
    place_order(opened, "12", 3)
    for number in range(100):
        place_order(opened, f"N{number}", 1)
    return opened


@pytest.fixture
def open_till(browser, store):
    """Return a function that opens the till and logs in; the page must not complain, nor ask anybody else."""
    opened = []

    def open_till(pin=PIN, at=store, held=None, **options):
        context = browser.new_context(**(options or TABLET))
        page = context.new_page()
        page.held = hold(page, held) if held else []
        page.wrong, page.asked = [], set()
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("request", lambda request: page.asked.add(request.url.split("/")[2]))
        opened.append((context, page))
        page.goto(f"{at.url()}/till/?store={at.id}")
        page.get_by_label("PIN", exact=True).and_(page.locator("[type=password]")).fill(pin)
        page.get_by_role("button", name="Log in").click()
        return page

    yield open_till
    for context, page in opened:
        context.close()
        assert page.wrong == []
        assert page.asked == {store.url().split("/")[2]}


@pytest.fixture(scope="session")
def declared_store(installation, server):
    """A store that says what is in its dishes."""
    opened = open_store(installation, lambda: server.url, "Declared")
    assert opened.send("POST", "/staff", {"name": "Ada", "role": "waiter", "pin": PIN})[0] == 201
    for number in ("5", "6"):
        assert opened.send("POST", "/tables", {"number": number, "seats": 4, "area": "Hall"})[0] == 201
    opened.add_item("Satay", 9)
    [category] = opened.send("GET", "/menu")[1]
    declared = {"has_allergen_information": True, "category_id": category["id"]}
    satay = category["items"][0]["id"]
    assert opened.send("PUT", f"/menu/items/{satay}", {"allergens": ["peanuts"], **declared})[0] == 200
    assert opened.send("POST", "/menu/items", {"name": "Rice", "price": 3, **declared})[0] == 201
    return opened
