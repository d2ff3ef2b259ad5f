"""Payments at the till: receipts, split bills, readers, refunds, the drawer, and the display of the customer."""

from comanda.devkit.testing import open_store, send_request
from till_pages import PIN, add_table, choose_item, expect, open_check, open_drawer, place_order, table_of


def test_receipt_shows_taxes_by_rate(open_till, store, table):
    open_drawer(store)
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Pizza")
    till.get_by_role("dialog").get_by_text("Large").click()
    till.get_by_role("dialog").get_by_role("button", name="Add").click()
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="Exact €13.00").click()
    till.get_by_role("button", name="Receipt", exact=True).click()

    receipt = till.locator(".receipt")
    expect(receipt).to_contain_text("Large")
    expect(receipt).to_contain_text(f"Table {table}")
    expect(receipt.get_by_role("table", name="Taxes")).to_contain_text("8.875%")


def test_bill_is_split_evenly_by_seat_by_item_and_by_amount_and_joined(open_till, store, table):
    open_drawer(store)
    order = place_order(store, table, 1, seat=1)
    round_ = {"items": [{"item_id": order["items"][0]["item_id"], "seat": 2, "quantity": 2}]}
    assert store.send("POST", f"/orders/{order['id']}/lines", round_)[0] == 201
    till = open_till()
    table_of(till, table).click()
    till.get_by_role("button", name="Pay", exact=True).click()
    sheet = till.locator("[data-line-dialog]")

    def expect_parts(*amounts):
        parts = till.get_by_role("group", name="Parts of the bill").get_by_role("button")
        expect(parts).to_have_text([f"{place}: €{amount}" for place, amount in enumerate(amounts, 1)])
        till.get_by_role("button", name="Join again").click()

    till.get_by_role("button", name="By seat").click()
    expect_parts("14.00", "28.00")
    till.get_by_role("button", name="By item").click()
    sheet.get_by_role("checkbox").first.check()
    sheet.get_by_role("button", name="Split", exact=True).click()
    expect_parts("14.00", "28.00")
    till.get_by_role("button", name="By amount").click()
    sheet.get_by_label("Amount").fill("10")
    sheet.get_by_role("button", name="Split", exact=True).click()
    expect_parts("10.00", "32.00")
    till.get_by_role("button", name="Split evenly").click()
    sheet.get_by_role("button", name="Split", exact=True).click()
    expect(till.get_by_role("button", name="2: €21.00")).to_be_visible()
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("30")
    expect(till.locator("form .change")).to_have_text("Change: €9.00")
    till.get_by_role("button", name="Take the payment").dblclick()
    expect(till.locator("[data-due]")).to_have_text("€21.00")
    till.get_by_text("Card", exact=True).click()
    till.get_by_label("Tip").fill("1,50")
    till.get_by_role("button", name="Take the payment").click()
    expect(till.locator(".paid")).to_be_visible()

    payments = store.send("GET", f"/orders/{order['id']}/payments")[1]["data"]
    paid = sorted((each["method"], each["amount"], each["tip"]) for each in payments)
    assert paid == [("card_external", 21, 1.5), ("cash", 21, 0)]


def test_guest_pays_on_a_reader_after_a_decline_and_a_reload(browser, open_till, installation, server):
    store = open_store(installation, lambda: server.url, "Readers")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    store.add_item("Soup", 5)
    reader = open_reader(store)
    order = place_order(store, add_table(store), 2)
    till, tablet = open_till(at=store), browser.new_page()
    tablet.goto(f"{store.url()}/demobank-readers/{reader}")

    def send_to_reader():
        till.get_by_text("Card reader", exact=True).first.click()
        till.get_by_label("Tip").fill("1")
        till.get_by_role("button", name="Send to the reader").dblclick()
        expect(till.locator("[data-tender]")).to_contain_text("Waiting for the card at Bar.")
        expect(tablet.locator("h1")).to_have_text("€11.00")

    open_check(till, order["table_number"])
    till.get_by_role("button", name="Pay", exact=True).click()
    send_to_reader()
    tablet.get_by_role("button", name="Hold a card that is declined").click()
    expect(till.locator("form .change")).to_have_text("The bank declined the card.")
    send_to_reader()
    till.get_by_role("button", name="Cancel the payment").click()
    expect(till.locator("form .change")).to_have_text("The payment was cancelled.")
    send_to_reader()
    till.reload()
    expect(till.locator("[data-tender]")).to_contain_text("Waiting for the card at Bar.")
    tablet.get_by_role("button", name="Hold the card to the reader").click()
    expect(till.locator(".paid")).to_be_visible()
    tablet.close()

    payments = store.send("GET", f"/orders/{order['id']}/payments")[1]["data"]
    assert [each["status"] for each in payments] == ["succeeded", "cancelled", "failed"]
    assert (payments[0]["amount"], payments[0]["tip"]) == (10, 1)


def open_reader(store):
    """Register a card reader that is a page."""
    accounts = f"{store.url()}/api/v1/payment-accounts"
    status, account = send_request("POST", accounts, store.token, {"provider": "demo"})
    assert status == 201, account
    status, reader = send_request("POST", f"{accounts}/{account['id']}/readers", store.token, {"name": "Bar"})
    assert status == 201, reader
    return reader["reference"]


def test_pay_is_in_sight_whatever_the_order_holds(open_till, store, table):
    till = open_till(viewport={"width": 1024, "height": 768})
    table_of(till, table).click()
    for course in ("", "1", "2", "3", "4"):
        till.get_by_label("Course of the next items").select_option(course)
        for seat in ("1", "2", "3", "4"):
            till.get_by_label("Seat of the next items").select_option(seat)
            choose_item(till, "Risotto")
    expect(till.locator("[data-lines] li")).to_have_count(20)

    for name in ("Send and pay", "Send"):
        box = till.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 768
    till.on("dialog", lambda dialog: dialog.accept())
    till.get_by_role("button", name="Clear the order").click()


def test_paid_check_is_found_refunded_in_part_and_reopened_with_a_reason(open_till, store, table):
    order = place_order(store, table, 1)
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "card_external"})[0] == 201
    till = open_till()
    till.get_by_role("button", name="Checks").click()
    till.get_by_label("Paid in the last 24 hours").check()
    till.get_by_label("Search checks").fill(str(order["number"]))
    till.locator(f'[data-order="{order["id"]}"]').click()
    expect(till.get_by_role("button", name="Receipt", exact=True)).to_be_visible()
    sheet = till.locator("[data-line-dialog]")

    till.get_by_role("button", name="Refund").click()
    sheet.get_by_label("Amount").fill("4")
    sheet.get_by_label("Reason").fill("Cold")
    sheet.get_by_role("button", name="Refund").click()
    expect(sheet).to_be_hidden()
    till.get_by_role("button", name="Reopen").click()
    sheet.get_by_role("button", name="Reopen").click()
    expect(sheet.locator(".problem")).to_have_text("Give a reason.")
    sheet.get_by_label("Reason").fill("Wrong table")
    sheet.get_by_role("button", name="Reopen").click()
    expect(till.locator("[data-round]")).to_contain_text(f"Table {table}")

    found = store.send("GET", f"/orders/{order['id']}")[1]
    assert (found["refunded_total"], found["is_paid"]) == (4, False)


def test_drawer_is_asked_for_before_cash_is_taken(open_till, installation, server):
    fresh = open_store(installation, lambda: server.url, "Fresh")
    assert fresh.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    fresh.add_item("Soup", 5)
    till = open_till(at=fresh)
    till.locator('[data-view="order"]').click()
    choose_item(till, "Soup")
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="€10.00").click()
    asked = till.get_by_role("dialog", name="No drawer is open")
    asked.get_by_label("Starting cash").fill("100")
    asked.get_by_role("button", name="Open the drawer").click()

    expect(till.locator(".paid .change")).to_have_text("€5.00")
    [shift] = fresh.send("GET", "/shifts")[1]["data"]
    assert shift["expected"] == 105


def test_customer_display_follows_the_check_and_shows_nobody(open_till, store, table):
    open_drawer(store)
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    display = till.context.new_page()
    display.goto(f"{store.url()}/till/display/")

    expect(display.locator("[data-shown-lines]")).to_contain_text("Risotto")
    expect(display.locator(".total").last).to_have_text("€14.00")
    assert "Ada" not in display.locator("body").inner_text()
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="€20.00").click()
    expect(display.locator("[data-shown-change]")).to_have_text("Change: €6.00")


def test_change_is_that_of_the_rounded_amount(open_till, busy_store):
    assert busy_store.send("PUT", "/settings", {"cash_rounding": 2})[0] == 200
    order = place_order(busy_store, "R1", 1)
    till = open_till(at=busy_store)
    open_check(till, "Table R1")
    till.get_by_role("button", name="Pay", exact=True).click()
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("10")
    till.get_by_role("button", name="Take the payment").click()

    expect(till.locator(".paid .change")).to_have_text("€4.00")
    [payment] = busy_store.send("GET", f"/orders/{order['id']}/payments")[1]["data"]
    assert (payment["rounding"], payment["change"]) == (1, 4)
    assert busy_store.send("PUT", "/settings", {"cash_rounding": 0})[0] == 200


def test_drawer_is_opened_and_counted(open_till, installation, server):
    store = open_store(installation, lambda: server.url, "Drawers")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    till = open_till(at=store)

    till.get_by_role("button", name="Drawer").click()
    till.get_by_label("Starting cash").fill("100")
    till.get_by_role("button", name="Open", exact=True).click()
    expect(till.get_by_text("Expected in the drawer")).to_be_visible()
    till.get_by_label("Amount", exact=True).fill("20")
    till.get_by_role("button", name="Record").click()
    expect(till.get_by_text("€120.00")).to_be_visible()
    till.get_by_label("Cash counted").fill("119,50")
    till.get_by_role("button", name="Close the drawer").click()

    expect(till.get_by_role("status").filter(has_text="difference")).to_contain_text("difference -€0.50")
    [shift] = store.send("GET", "/shifts")[1]["data"]
    assert (shift["status"], shift["difference"]) == ("closed", -0.5)


def test_what_is_typed_for_a_drawer_stays_when_it_is_shown_again(open_till, installation, server):
    store = open_store(installation, lambda: server.url, "Typed")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    till = open_till(at=store)
    till.get_by_role("button", name="Drawer").click()
    till.get_by_label("Starting cash").fill("100")

    till.get_by_role("button", name="Drawer").click()

    expect(till.locator("#drawer-title")).to_be_focused()
    expect(till.get_by_label("Starting cash")).to_have_value("100")
