"""The till without a network, and with one that loses answers: everything is done once, and what is refused is said."""

import pytest
from chromium import hold
from comanda.devkit.testing import open_store
from till_pages import (
    MANAGER_PIN,
    PIN,
    add_table,
    choose_item,
    expect,
    list_orders,
    lose_first_answer,
    open_check,
    open_drawer,
    place_order,
    table_of,
)

pytestmark = pytest.mark.usefixtures("service_workers")


def go_offline(till):
    """Take the network away once the page can be opened without it."""
    till.evaluate("navigator.serviceWorker.ready")
    till.wait_for_function("navigator.serviceWorker.controller !== null")
    till.context.set_offline(True)


def test_evening_without_a_network_is_sent_in_order_and_once(open_till, store, table):
    open_drawer(store)
    other = add_table(store)
    known = place_order(store, other, 1)
    before = {order["id"] for order in list_orders(store)}
    till = open_till()
    expect(table_of(till, other)).to_contain_text("€14.00")
    go_offline(till)

    table_of(till, table).click()
    for _ in range(2):
        choose_item(till, "Risotto")
    expect(till.locator("[data-provisional]")).to_be_visible()
    expect(till.locator(".amounts .total").last).to_have_text("€28.00")
    till.get_by_role("button", name="Send and pay").click()
    expect(till.locator("[data-pay-provisional]")).to_be_visible()
    expect(till.locator(".receipt")).to_contain_text("Provisional receipt")
    till.get_by_role("button", name="€30.00").click()
    expect(till.locator(".paid .change")).to_have_text("€2.00")
    till.get_by_role("button", name="New order").click()
    table_of(till, other).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-lost-text]")).to_contain_text("3 wait.")
    till.reload()
    expect(till.locator("[data-lost-text]")).to_contain_text("3 wait.")
    expect(table_of(till, other)).to_contain_text("waiting to be sent")
    assert {order["id"] for order in list_orders(store)} == before
    lose_first_answer(till, "**/api/v1/staff/orders")
    till.context.set_offline(False)

    expect(till.locator("[data-lost]")).to_be_hidden()
    [order] = [order for order in list_orders(store) if order["id"] not in before]
    assert (order["table_number"], order["total"], order["payment_status"]) == (table, 28, "paid")
    [payment] = store.send("GET", f"/orders/{order['id']}/payments")[1]["data"]
    assert (payment["method"], payment["tendered"], payment["change"]) == ("cash", 30, 2)
    assert store.send("GET", f"/orders/{known['id']}")[1]["total"] == 28
    assert store.send("POST", f"/orders/{known['id']}/payments", {"method": "cash"})[0] == 201


def test_what_the_server_does_not_accept_is_said_with_what_to_do(open_till, store, table):
    open_drawer(store)
    order = place_order(store, table, 1)
    till = open_till()
    table_of(till, table).click()
    till.get_by_role("button", name="Pay", exact=True).click()
    expect(till.locator("[data-due]")).to_have_text("€14.00")
    go_offline(till)
    till.get_by_text("Card", exact=True).click()
    till.get_by_role("button", name="Take the payment").click()
    expect(till.locator(".paid")).to_be_visible()
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201
    till.context.set_offline(False)

    expect(till.locator("[data-lost-text]")).to_contain_text("1 needs attention.")
    till.locator("[data-lost]").get_by_role("button", name="Show").click()
    dialog = till.get_by_role("dialog", name="Not sent yet")
    expect(dialog).to_contain_text(f"Payment · Table {table}")
    expect(dialog).to_contain_text("The money was taken and is not recorded.")
    dialog.get_by_role("button", name="Done").click()
    expect(till.locator("[data-lost]")).to_be_hidden()


def test_order_that_was_not_accepted_is_taken_up_again(open_till, store, table):
    till = open_till()
    table_of(till, table).click()
    go_offline(till)
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-notice]")).to_contain_text("Kept.")
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    [found] = [each for each in store.send("GET", "/tables")[1]["data"] if each["number"] == table]
    assert store.send("PUT", f"/tables/{found['id']}", {"is_active": False})[0] == 200
    till.context.set_offline(False)

    till.locator("[data-lost]").get_by_role("button", name="Show").click()
    dialog = till.get_by_role("dialog", name="Not sent yet")
    dialog.get_by_role("button", name="Take up again").click()
    expect(till.locator("[data-lines] li")).to_have_count(1)
    expect(till.locator("[data-lost]")).to_be_hidden()


def test_answer_that_breaks_off_is_none_and_nothing_is_done_twice(open_till, installation, server):
    store = open_store(installation, lambda: server.url, "Broken off")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    open_drawer(store)
    till, answers = open_till(at=store), []

    def break_off(route):
        answers.append(route.fetch())
        body = answers[-1].text()
        route.fulfill(
            status=answers[-1].status, content_type="application/json", body=body if answers[1:] else body[:-9]
        )

    till.route("**/shifts/*/movements", break_off)
    till.get_by_role("button", name="Drawer").click()
    till.get_by_label("Amount", exact=True).fill("20")
    till.get_by_role("button", name="Record").click()
    expect(till.locator("[data-drawer] .problem").filter(has_text="No answer came.")).to_be_visible()
    till.get_by_role("button", name="Record").click()

    expect(till.get_by_text("€120.00")).to_be_visible()
    assert [answer.status for answer in answers] == [201, 201]
    [shift] = store.send("GET", "/shifts?status=open")[1]["data"]
    assert store.send("GET", f"/shifts/{shift['id']}")[1]["expected"] == 120


def test_kept_checks_are_not_shown_before_the_currency_is_known(open_till, store):
    open_drawer(store)
    till = open_till()
    till.get_by_role("button", name="Order", exact=True).click()
    go_offline(till)
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    held = hold(till, "**/api/v1/staff/me", times=None)

    with till.expect_request("**/api/v1/staff/me"):
        till.reload()
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    held[0].abort()

    expect(till.locator("[data-open-count]")).not_to_be_empty()


def test_page_whose_script_did_not_arrive_loads_itself_again(browser, store):
    page = browser.new_page()
    lost = []
    page.route("**/drawer.js", lambda route: route.continue_() if lost else lost.append(route) or route.abort())

    page.goto(f"{store.url()}/till/?store={store.id}")

    expect(page.get_by_text("This page did not load completely.")).to_be_visible()
    expect(page.get_by_label("PIN", exact=True).and_(page.locator("[type=password]"))).to_be_visible()
    assert len(lost) == 1
    page.close()


def void_line(till, name, quantity=None):
    till.locator("[data-sent] .line").filter(has_text=name).click()
    sheet = till.locator("[data-line-dialog]")
    if quantity:
        sheet.get_by_label("Quantity").fill(quantity)
    sheet.get_by_label("Reason").fill("Ordered by mistake")
    sheet.get_by_role("button", name="Void the line").click()


def list_lines(store, order_id):
    return [(line["name"], line["quantity"]) for line in store.send("GET", f"/orders/{order_id}")[1]["items"]]


def list_kinds(store, order_id):
    return [each["kind"] for each in store.send("GET", f"/orders/{order_id}/amendments")[1]["data"]][::-1]


def test_voids_wait_for_the_network_in_order_and_are_done_once(open_till, store, table):
    order = place_order(store, table, 3)
    till = open_till()
    table_of(till, table).click()
    expect(till.locator("[data-round-due]")).to_contain_text("€42.00")
    go_offline(till)
    void_line(till, "Risotto", "2")
    expect(till.locator("[data-sent]")).to_contain_text("1 \u00d7 Risotto")
    expect(till.locator("[data-round-due]")).to_contain_text("€14.00")
    choose_item(till, "Pizza")
    till.get_by_role("dialog").get_by_text("Large").click()
    till.get_by_role("dialog").get_by_role("button", name="Add").click()
    till.get_by_role("button", name="Add to check").click()
    table_of(till, table).click()
    void_line(till, "Pizza")
    expect(till.locator("[data-sent]")).not_to_contain_text("Pizza")
    expect(till.locator("[data-lost-text]")).to_contain_text("3 wait.")
    lose_first_answer(till, "**/lines/*/void")
    till.context.set_offline(False)

    expect(till.locator("[data-lost]")).to_be_hidden()
    assert list_lines(store, order["id"]) == [("Risotto", 1)]
    assert list_kinds(store, order["id"]) == ["void", "add", "void"]


def test_line_of_an_order_that_waits_is_voided(open_till, store, table):
    before = {order["id"] for order in list_orders(store)}
    till = open_till()
    table_of(till, table).click()
    go_offline(till)
    choose_item(till, "Risotto")
    choose_item(till, "Pizza")
    till.get_by_role("dialog").get_by_text("Small").click()
    till.get_by_role("dialog").get_by_role("button", name="Add").click()
    till.get_by_role("button", name="Send", exact=True).click()
    table_of(till, table).click()
    void_line(till, "Risotto")
    expect(till.locator("[data-sent]")).not_to_contain_text("Risotto")
    expect(till.locator("[data-round-due]")).to_contain_text("€10.00")
    till.context.set_offline(False)

    expect(till.locator("[data-lost]")).to_be_hidden()
    [order_id] = {order["id"] for order in list_orders(store)} - before
    assert list_lines(store, order_id) == [("Pizza", 1)]
    till.locator("[data-sent] .line").filter(has_text="Pizza").click()
    expect(till.locator("[data-line-dialog]").get_by_role("button", name="Save")).to_be_visible()


def test_check_that_is_voided_wholly_without_a_network_owes_nothing(open_till, store, table):
    before = {order["id"] for order in list_orders(store)}
    till = open_till()
    table_of(till, table).click()
    go_offline(till)
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Send", exact=True).click()
    table_of(till, table).click()
    void_line(till, "Risotto")
    expect(till.locator("[data-sent] .line")).to_have_count(0)
    expect(till.locator("[data-round-due]")).to_contain_text("€0.00")
    till.context.set_offline(False)

    expect(till.locator("[data-lost]")).to_be_hidden()
    [order_id] = {order["id"] for order in list_orders(store)} - before
    order = store.send("GET", f"/orders/{order_id}")[1]
    assert (order["status"], order["amount_due"]) == ("cancelled", 0)
    assert store.send("GET", f"/orders/{order_id}/history")[1]["data"][0]["note"] == "Ordered by mistake"


@pytest.mark.parametrize("grams", ["310", "432"])
def test_void_finds_its_line_among_several_weights_of_one_item(open_till, store, table, grams):
    [category] = store.send("GET", "/menu")[1]
    if not any(item["name"] == "Steak" for item in category["items"]):
        steak = {"name": "Steak", "price": 69, "category_id": category["id"], "is_priced_per_kg": True}
        assert store.send("POST", "/menu/items", steak)[0] == 201
    before = {order["id"] for order in list_orders(store)}
    till = open_till()
    table_of(till, table).click()
    go_offline(till)
    for weight in ("310", "432"):
        choose_item(till, "Steak")
        dialog = till.get_by_role("dialog", name="Steak")
        dialog.get_by_label("Weight in grams").fill(weight)
        dialog.get_by_role("button", name="Add").click()
    till.get_by_role("button", name="Send", exact=True).click()
    table_of(till, table).click()
    void_line(till, f"0.{grams} kg")
    expect(till.locator("[data-sent] .line")).to_have_count(1)
    till.context.set_offline(False)

    expect(till.locator("[data-lost]")).to_be_hidden()
    [order_id] = {order["id"] for order in list_orders(store)} - before
    [left] = store.send("GET", f"/orders/{order_id}")[1]["items"]
    assert (left["unit_price"], left["quantity"]) == ({"310": 29.81, "432": 21.39}[grams], 1)


def test_void_that_needs_a_manager_asks_for_the_pin_when_it_is_sent(open_till, busy_store):
    order = place_order(busy_store, "A1", 2)
    till = open_till(at=busy_store)
    open_check(till, "Table A1")
    expect(till.locator("[data-sent] .line")).to_have_count(1)
    go_offline(till)
    void_line(till, "Soup", "1")
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    assert busy_store.send("PUT", f"/orders/{order['id']}/status", {"status": "preparing"})[0] == 200
    till.context.set_offline(False)
    till.locator("[data-lost]").get_by_role("button", name="Show").click()
    dialog = till.get_by_role("dialog", name="Not sent yet")
    expect(dialog).to_contain_text("A manager has to approve this.")
    expect(dialog).not_to_contain_text("null")
    assert list_lines(busy_store, order["id"]) == [("Soup", 2)]

    dialog.get_by_role("button", name="Approve").click()
    approval = till.get_by_role("dialog", name="A manager has to approve this.")
    approval.get_by_label("PIN of who approves").fill(MANAGER_PIN)
    approval.get_by_role("button", name="Approve").click()

    expect(till.locator("[data-lost]")).to_be_hidden()
    assert list_lines(busy_store, order["id"]) == [("Soup", 1)]


def test_void_of_what_the_kitchen_has_begun_is_refused_without_a_network(open_till, busy_store):
    order = place_order(busy_store, "A2", 2)
    assert busy_store.send("PUT", f"/orders/{order['id']}/status", {"status": "preparing"})[0] == 200
    till = open_till(at=busy_store)
    open_check(till, "Table A2")
    expect(till.locator("[data-sent] .line")).to_have_count(1)
    go_offline(till)
    till.wait_for_function("fetch('/healthz').then(() => false, () => true)")
    till.get_by_role("button", name="Checks").click()
    expect(till.locator("[data-lost]")).to_be_visible()
    till.get_by_role("button", name="Order", exact=True).click()
    void_line(till, "Soup", "1")

    expect(till.locator("[data-line-dialog] .problem")).to_contain_text("no PIN can be checked")
    till.context.set_offline(False)
    assert list_lines(busy_store, order["id"]) == [("Soup", 2)]


def test_gift_card_says_why_it_is_not_taken_without_a_network(open_till, store, table):
    place_order(store, table, 1)
    till = open_till()
    table_of(till, table).click()
    till.get_by_role("button", name="Pay", exact=True).click()
    expect(till.get_by_text("A gift card can only")).to_have_count(0)
    till.get_by_text("Gift card", exact=True).click()
    go_offline(till)
    till.get_by_label("Code of the gift card").fill("GC-1234")
    till.get_by_role("button", name="Take the payment").click()

    expect(till.get_by_role("radio", name="Gift card")).to_be_disabled()
    expect(till.locator("[data-tender]")).to_contain_text("A gift card can only be checked with a network.")
    expect(till.get_by_role("radio", name="Cash")).to_be_checked()
    assert till.evaluate("JSON.stringify(localStorage)").count("GC-1234") == 0
    till.context.set_offline(False)
    expect(till.get_by_role("radio", name="Gift card")).to_be_enabled()
    expect(till.locator("[data-tender]")).not_to_contain_text("A gift card can only be checked with a network.")
