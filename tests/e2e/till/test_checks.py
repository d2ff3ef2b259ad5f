"""Checks that change at the till: voids, discounts, moves, splits, merges, transfers, and who is at the till."""

from till_pages import MANAGER_PIN, choose_item, expect, lose_first_answer, open_check, place_order, table_of


def list_pages(store, path):
    return [each for page in (1, 2) for each in store.send("GET", f"{path}&per_page=100&page={page}")[1]["data"]]


def test_void_below_what_was_paid_is_refunded_if_the_cashier_agrees(open_till, busy_store):
    order = place_order(busy_store, "R1", 3)
    assert busy_store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash", "amount": 7})[0] == 201
    till = open_till(at=busy_store)
    questions = []
    till.on("dialog", lambda dialog: (questions.append(dialog.message), dialog.accept()))
    open_check(till, "Table R1")
    till.locator("[data-sent] .line").first.click()
    sheet = till.locator("[data-line-dialog]")
    sheet.get_by_label("Reason").fill("Cold")
    sheet.get_by_label("Quantity").fill("2")
    sheet.get_by_role("button", name="Void the line").click()
    approval = till.get_by_role("dialog", name="A manager has to approve this.")
    approval.get_by_label("PIN of who approves").fill(MANAGER_PIN)
    approval.get_by_role("button", name="Approve").click()
    expect(sheet).to_be_hidden()

    _, after = busy_store.send("GET", f"/orders/{order['id']}")
    assert (after["total"], after["refunded_total"], after["is_paid"]) == (5, 2, True)
    assert questions == ["€2.00 more was paid than this will cost. Refund it?"]


def test_lines_are_voided_comped_and_discounted_with_approval_only_when_asked(open_till, busy_store):
    order = place_order(busy_store, "V1", 4)
    assert busy_store.send("PUT", f"/orders/{order['id']}/status", {"status": "preparing"})[0] == 200
    till = open_till(at=busy_store)
    open_check(till, "Table V1")
    sheet = till.locator("[data-line-dialog]")
    due = till.locator("[data-round-due]")

    def open_line():
        till.locator("[data-sent] .line").first.click()
        sheet.get_by_label("Reason").fill("Cold")

    open_line()
    sheet.get_by_label("Quantity").fill("1")
    sheet.get_by_role("button", name="Void the line").click()
    approval = till.get_by_role("dialog", name="A manager has to approve this.")
    approval.get_by_label("PIN of who approves").fill("000000")
    approval.get_by_role("button", name="Approve").click()
    expect(sheet.locator(".problem")).to_have_text("Invalid PIN.")
    sheet.get_by_role("button", name="Void the line").click()
    approval.get_by_label("PIN of who approves").fill(MANAGER_PIN)
    approval.get_by_role("button", name="Approve").click()
    expect(due).to_contain_text("€15.00")
    assert MANAGER_PIN not in till.evaluate("JSON.stringify(localStorage)")
    till.locator("[data-sent] .line").first.click()
    sheet.get_by_label("Note").fill("No salt")
    sheet.get_by_role("button", name="Save").click()
    expect(till.locator("[data-sent]")).to_contain_text("No salt")
    open_line()
    sheet.get_by_label("Discount").fill("20")
    sheet.get_by_role("button", name="%", exact=True).click()
    approval.get_by_label("PIN of who approves").fill(MANAGER_PIN)
    approval.get_by_role("button", name="Approve").click()
    expect(due).to_contain_text("€12.00")
    open_line()
    sheet.get_by_role("button", name="Comp").click()
    approval.get_by_label("PIN of who approves").fill(MANAGER_PIN)
    approval.get_by_role("button", name="Approve").click()
    expect(till.locator("[data-round]")).to_be_hidden()

    kinds = [each["kind"] for each in busy_store.send("GET", f"/orders/{order['id']}/amendments")[1]["data"]]
    assert kinds[::-1] == ["void", "note", "discount", "comp"]


def test_void_of_the_last_line_cancels_the_check(open_till, store, table):
    order = place_order(store, table, 2)
    till = open_till()
    table_of(till, table).click()
    till.locator("[data-sent] .line").click()
    sheet = till.locator("[data-line-dialog]")
    sheet.get_by_label("Reason").fill("Wrong table")
    sheet.get_by_role("button", name="Void the line").click()
    expect(sheet).to_be_hidden()

    expect(till.locator("[data-sent] .line")).to_have_count(0)
    assert store.send("GET", f"/orders/{order['id']}")[1]["status"] == "cancelled"
    assert store.send("GET", f"/orders/{order['id']}/history")[1]["data"][0]["note"] == "Wrong table"
    expect(till.locator("[data-lost]")).to_be_hidden()


def test_check_is_moved_split_and_merged(open_till, busy_store):
    order = place_order(busy_store, "M1", 3)
    till = open_till(at=busy_store)
    open_check(till, "Table M1")
    sheet = till.locator("[data-line-dialog]")

    till.get_by_role("button", name="Edit check").click()
    sheet.get_by_role("checkbox").check()
    sheet.get_by_label("Quantity of Soup").fill("1")
    sheet.get_by_role("button", name="Split off").click()
    expect(sheet.get_by_role("status")).to_contain_text("was split off")
    sheet.get_by_role("button", name="Close").click()
    expect(till.locator("[data-round-due]")).to_contain_text("€10.00")
    till.get_by_role("button", name="Edit check").click()
    sheet.get_by_label("Other check").select_option(index=0)
    sheet.get_by_role("button", name="Merge into this check").click()
    expect(till.locator("[data-round-due]")).to_contain_text("€15.00")
    till.get_by_role("button", name="Edit check").click()
    sheet.get_by_label("Table").fill("M2")
    sheet.get_by_role("button", name="Move to table").click()
    expect(till.locator("[data-round]")).to_contain_text("Table M2")

    kinds = [each["kind"] for each in busy_store.send("GET", f"/orders/{order['id']}/amendments")[1]["data"]]
    assert kinds[::-1] == ["split", "merge", "move"]


def test_check_is_transferred_to_a_colleague(open_till, busy_store):
    order = place_order(busy_store, "H1", 1)
    staff = {each["name"]: each["id"] for each in busy_store.send("GET", "/staff")[1]["data"]}
    till = open_till(at=busy_store)
    open_check(till, "Table H1")
    sheet = till.locator("[data-line-dialog]")

    till.get_by_role("button", name="Edit check").click()
    expect(sheet.get_by_label("Colleague").locator("option")).to_have_text(["Ada", "Max"])
    sheet.get_by_label("Colleague").select_option(label="Max")
    sheet.get_by_role("button", name="Transfer the check").click()
    expect(sheet).to_be_hidden()

    assert busy_store.send("GET", f"/orders/{order['id']}")[1]["served_by"] == f"staff:{staff['Max']}"
    till.get_by_role("button", name="Edit check").click()
    expect(sheet.get_by_label("Colleague").locator("option")).to_have_text(["Ada"])


def test_old_table_gets_a_round_and_is_paid(open_till, busy_store):
    till = open_till(at=busy_store)
    orders = list_pages(busy_store, "/orders?is_paid=false")
    total = sum(1 for order in orders if order["amount_due"] > 0)
    expect(till.locator("[data-open-count]")).to_have_text(f"({total})")
    # The payment has the count read again, not the next of its times.
    till.evaluate("for (let id = setInterval(() => {}); id > 0; id -= 1) clearInterval(id)")
    open_check(till, "Table 12")
    choose_item(till, "Soup")
    lose_first_answer(till, "**/api/v1/staff/orders/*/lines")
    till.get_by_role("button", name="Add and pay").dblclick()
    expect(till.locator("[data-due]")).to_have_text("€20.00")
    expect(till.locator("[data-pay-provisional]")).to_be_hidden()
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("30")
    till.get_by_role("button", name="Take the payment").dblclick()

    expect(till.locator(".paid .change")).to_have_text("€10.00")
    expect(till.locator("[data-open-count]")).to_have_text(f"({total - 1})")
    orders = busy_store.send("GET", "/orders?is_paid=true")[1]["data"]
    assert [order["total"] for order in orders if order["table_number"] == "12"] == [20]


def test_another_person_takes_over_and_the_order_stays(open_till, busy_store):
    till = open_till(at=busy_store)
    till.locator('[data-view="order"]').click()
    choose_item(till, "Soup")
    till.get_by_role("button", name="Ada").click()
    dialog = till.get_by_role("dialog", name="Who takes over?")
    for digit in MANAGER_PIN:
        dialog.get_by_role("button", name=digit, exact=True).click()
    dialog.get_by_role("button", name="Take over").click()

    expect(till.locator("[data-person]")).to_have_text("Max")
    expect(till.locator("[data-lines] li")).to_have_count(1)


def test_tap_on_a_line_that_was_sent_is_not_lost_to_a_redraw(open_till, store, table):
    place_order(store, table, 1)
    till = open_till()
    table_of(till, table).click()
    line = till.locator("[data-sent] .line")
    expect(line).to_contain_text("Risotto")

    line.hover()
    till.mouse.down()
    # Another window of the till changed what they share.
    till.evaluate("dispatchEvent(new StorageEvent('storage', { key: 'comanda.till' }))")
    till.mouse.up()

    expect(till.locator("[data-line-dialog]")).to_contain_text("Risotto")
