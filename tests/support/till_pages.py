"""The till as tests use it: its stores, orders and checks."""

from itertools import count

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PIN = "4826"
MANAGER_PIN = "739164"
expect = sync_api.expect
_numbers = count(70)


def add_table(store):
    number = str(next(_numbers))
    place = {"plan_column": 3, "plan_row": 1}
    assert store.send("POST", "/tables", {"number": number, "seats": 4, "area": f"Terrace {number}", **place})[0] == 201
    return number


def open_drawer(store):
    if not store.send("GET", "/shifts?status=open")[1]["data"]:
        assert store.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})[0] == 201


def place_order(store, table, quantity, **line):
    [category] = store.send("GET", "/menu")[1]
    items = [{"item_id": category["items"][0]["id"], "quantity": quantity, **line}]
    status, order = store.send("POST", "/orders", {"type": "on-table", "table_number": table, "items": items})
    assert status == 201, order
    return order


def list_orders(store):
    return store.send("GET", "/orders?per_page=100")[1]["data"]


def open_check(till, name):
    till.get_by_role("button", name="Checks").click()
    till.locator("[data-orders]").get_by_role("button", name=f"{name} ").click()
    expect(till.locator("[data-round]")).to_contain_text(name)


def table_of(till, number):
    return till.locator(f'[data-table="{number}"]')


def choose_item(till, name):
    till.locator(".items").get_by_role("button", name=f"{name} €").click()


def lose_first_answer(till, path):
    answers = []

    def lose(route):
        if route.request.method != "POST":
            route.continue_()
            return
        answers.append(route.fetch())
        route.abort() if len(answers) == 1 else route.fulfill(response=answers[-1])

    till.route(path, lose)
