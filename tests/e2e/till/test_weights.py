"""Goods by weight at the till: weighed, priced by the server, and provisionally without a network."""

import pytest
from comanda.devkit.testing import open_store
from till_pages import PIN, choose_item, expect, list_orders, open_drawer

pytestmark = pytest.mark.usefixtures("service_workers")


@pytest.fixture(scope="session")
def deli(installation, server):
    """A shop that sells cheese by weight, and what else a test adds."""
    opened = open_store(installation, lambda: server.url, "Deli", store_type="retail")
    assert opened.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    opened.add_item("Bread", 2)
    [category] = opened.send("GET", "/menu")[1]
    cheese = {"name": "Cheese", "price": 12.9, "category_id": category["id"], "is_priced_per_kg": True}
    assert opened.send("POST", "/menu/items", cheese)[0] == 201
    open_drawer(opened)
    return opened


def test_item_by_weight_is_weighed_sent_and_paid(open_till, deli):
    till = open_till(at=deli)
    choose_item(till, "Cheese")
    dialog = till.get_by_role("dialog", name="Cheese")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert")).to_have_text("Enter the weight in grams.")
    dialog.get_by_label("Weight in grams").fill("432")
    dialog.get_by_role("button", name="Add").click()
    line = till.locator("[data-lines] li")
    expect(line).to_contain_text("0.432 kg")
    expect(line.locator(".price")).to_have_text("€5.57")

    till.evaluate("navigator.serviceWorker.ready")
    till.wait_for_function("navigator.serviceWorker.controller !== null")
    till.context.set_offline(True)
    till.get_by_role("button", name="One more Cheese").click()
    expect(till.locator("[data-provisional]")).to_be_visible()
    expect(till.locator(".amounts .total").last).to_have_text("€11.14")
    till.context.set_offline(False)
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="Exact €11.14").click()
    expect(till.locator(".paid")).to_contain_text("Paid.")

    expect(till.locator(".receipt")).to_contain_text("0.432 kg \N{MULTIPLICATION SIGN} €12.90/kg")
    [order] = list_orders(deli)
    assert (order["total"], order["payment_status"]) == (11.14, "paid")


def test_label_of_a_scale_adds_what_was_weighed(open_till, deli):
    [category] = deli.send("GET", "/menu")[1]
    ham = {"name": "Ham", "price": 20, "category_id": category["id"], "is_priced_per_kg": True}
    status, item = deli.send("POST", "/menu/items", ham)
    assert status == 201, item
    variant = {"name": "Smoked", "price": 20, "barcode": "2801234"}
    assert deli.send("POST", f"/menu/items/{item['id']}/variants", variant)[0] == 201
    assert deli.send("PUT", "/settings/goods", {"weight_prefixes": "28"})[0] == 200
    till = open_till(at=deli)
    expect(till.locator(".item").first).to_be_visible()

    for code in ("2801234004325", "2899999004322"):
        till.locator("body").press("Escape")
        till.keyboard.type(code)
        till.keyboard.press("Enter")

    expect(till.locator("[data-lines] li")).to_contain_text("0.432 kg")
    expect(till.locator("[data-lines] .price")).to_have_text("€8.64")
    expect(till.locator("[data-notice]")).to_contain_text("No item has the code 2899999004322.")
