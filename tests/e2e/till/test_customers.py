"""The customer of a check at the till, whose points it earns."""

import pytest
from comanda.devkit.testing import open_store
from till_pages import PIN, expect, open_check, open_drawer, place_order


@pytest.fixture(scope="module")
def points_store(installation, server):
    """A store whose customers collect a point for each euro; Ada has 60 of them."""
    opened = open_store(installation, lambda: server.url, "Points")
    assert opened.send("POST", "/staff", {"name": "Tom", "role": "waiter", "pin": PIN})[0] == 201
    assert opened.send("PUT", "/loyalty", {"is_on": True})[0] == 200
    assert (
        opened.send("POST", "/loyalty/rewards", {"name": "5 off", "type": "fixed", "value": 5, "points": 50})[0] == 201
    )
    status, ada = opened.send("POST", "/customers", {"name": "Ada", "phone": "+351912345678"})
    assert status == 201, ada
    points = {"points": 60, "reason": "Welcome"}
    assert opened.send("POST", f"/loyalty/customers/{ada['id']}/entries", points)[0] == 201
    opened.add_item("Risotto", 14)
    open_drawer(opened)
    return opened


def test_customer_is_named_by_phone_and_removed(open_till, points_store):
    place_order(points_store, "L1", 2)
    till = open_till(at=points_store)
    dialog = till.locator("[data-line-dialog]")
    open_check(till, "Table L1")

    till.get_by_role("button", name="Customer", exact=True).click()
    expect(dialog).to_contain_text("This check earns 28 points.")
    dialog.get_by_label("Phone").fill("+351900000000")
    dialog.get_by_role("button", name="Find the customer").click()
    expect(dialog.locator(".problem")).to_have_text("This store has no customer with this phone number.")
    dialog.get_by_label("Phone").fill("+351 912 345 678")
    dialog.get_by_role("button", name="Find the customer").click()

    expect(dialog.get_by_text("Ada")).to_be_visible()
    assert dialog.locator("dd").all_inner_texts() == ["60 points", "28 points"]
    assert dialog.locator("li").all_inner_texts() == ["5 off · 50 points"]
    dialog.get_by_role("button", name="Close").click()
    till.get_by_role("button", name="Pay", exact=True).click()
    # Not the one of the check, which is about to go.
    till.locator('[data-panel="pay"]').get_by_role("button", name="Ada · 28 points").click()
    dialog.get_by_role("button", name="Remove the customer").click()
    expect(dialog.get_by_label("Phone")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(till.get_by_role("button", name="Customer", exact=True)).to_be_visible()


def test_customer_named_elsewhere_is_shown_when_the_check_is_looked_at(open_till, points_store):
    place_order(points_store, "L2", 1)
    one, other = open_till(at=points_store), open_till(at=points_store)
    for till in (one, other):
        open_check(till, "Table L2")
        expect(till.get_by_role("button", name="Customer", exact=True)).to_be_visible()
    one.get_by_role("button", name="Customer", exact=True).click()
    one.get_by_label("Phone").fill("+351912345678")
    one.get_by_role("button", name="Find the customer").click()
    expect(one.locator("[data-line-dialog]")).to_contain_text("Ada")

    other.get_by_role("button", name="Customer", exact=True).click()

    expect(other.locator("[data-line-dialog]")).to_contain_text("Ada")
    expect(other.locator("[data-check] [data-customer]")).to_have_text("Ada · 14 points")


def test_store_without_a_programme_has_no_such_button(open_till, store, table):
    place_order(store, table, 1)
    till = open_till()
    with till.expect_response("**/loyalty") as answer:
        open_check(till, f"Table {table}")

    assert answer.value.json()["programme"] is None
    expect(till.get_by_role("button", name="Edit check")).to_be_visible()
    expect(till.get_by_role("button", name="Customer", exact=True)).to_be_hidden()
