"""Staff at the till, in a real Chromium: tables, rounds, lines, payments, and the drawer."""

from itertools import count

import pytest
from comanda.devkit.testing import open_store, send_request

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PIN = "4826"
MANAGER_PIN = "739164"
SIZES = [{"name": "Small", "price": 0}, {"name": "Large", "price": 3}]
PIZZA = {
    "name": "Pizza",
    "price": 10,
    "tax_rate": 8.875,
    "extra_groups": [{"name": "Size", "min": 1, "max": 1, "extras": SIZES}],
}
expect = sync_api.expect
_numbers = count(70)


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


def add_table(store):
    number = str(next(_numbers))
    place = {"plan_column": 3, "plan_row": 1}
    assert store.send("POST", "/tables", {"number": number, "seats": 4, "area": f"Terrace {number}", **place})[0] == 201
    return number


@pytest.fixture(scope="module")
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


def open_drawer(store):
    if not store.send("GET", "/shifts?status=open")[1]["data"]:
        assert store.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})[0] == 201


def place_order(store, table, quantity, **line):
    [category] = store.send("GET", "/menu")[1]
    items = [{"item_id": category["items"][0]["id"], "quantity": quantity, **line}]
    status, order = store.send("POST", "/orders", {"type": "on-table", "table_number": table, "items": items})
    assert status == 201, order
    return order


@pytest.fixture
def open_till(browser, store):
    """Return a function that opens the till and logs in; the page must not complain, nor ask anybody else."""
    opened = []

    def open_till(pin=PIN, at=store, **options):
        context = browser.new_context(**(options or TABLET))
        page = context.new_page()
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


@pytest.fixture(scope="module")
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


def answer_questions(till, *labels):
    till.get_by_role("button", name="Allergens and diets").click()
    dialog = till.locator("[data-line-dialog]")
    dialog.locator("summary", has_text="Must not contain").click()
    for label in labels:
        dialog.get_by_label(label).first.check()
    dialog.get_by_role("button", name="Save").click()


def list_orders(store):
    return store.send("GET", "/orders?per_page=100")[1]["data"]


def open_check(till, name):
    till.get_by_role("button", name="Checks").click()
    till.locator("[data-orders]").get_by_role("button", name=f"{name} ").click()
    expect(till.locator("[data-round]")).to_contain_text(name)


def list_pages(store, path):
    return [each for page in (1, 2) for each in store.send("GET", f"{path}&per_page=100&page={page}")[1]["data"]]


def table_of(till, number):
    return till.locator(f'[data-table="{number}"]')


def focus(place):
    """Focus what is seen: a view that comes later takes the focus to its heading."""
    expect(place).to_be_visible()
    place.focus()
    expect(place).to_be_focused()


def choose_item(till, name):
    till.locator(".items").get_by_role("button", name=f"{name} €").click()


def test_table_with_three_items_and_exact_cash_takes_seven_taps(open_till, store, table):
    open_drawer(store)
    till = open_till()
    till.evaluate("taps = 0; addEventListener('click', (event) => { taps += event.isTrusted; }, true)")
    before = {order["id"] for order in list_orders(store)}

    table_of(till, table).click()
    for _ in range(3):
        choose_item(till, "Risotto")
    till.get_by_role("button", name="Send and pay").click()
    till.get_by_role("button", name="Exact €42.00").click()
    expect(till.locator(".paid")).to_contain_text("Paid.")
    till.get_by_role("button", name="New order").click()

    expect(till.locator("[data-rooms]")).to_be_visible()
    assert till.evaluate("taps") == 7
    [order] = [order for order in list_orders(store) if order["id"] not in before]
    assert (order["table_number"], order["total"], order["payment_status"]) == (table, 42, "paid")


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


def test_map_shows_the_check_of_a_table_and_opens_its_next_round_in_two_taps(open_till, store, table):
    order = place_order(store, table, 2)
    till = open_till()
    expect(till.get_by_role("heading", name=f"Terrace {table}")).to_be_visible()
    expect(table_of(till, table)).to_contain_text("€28.00")
    # It stands in the third column.
    assert table_of(till, table).bounding_box()["x"] > 200

    table_of(till, table).click()
    choose_item(till, "Risotto")
    expect(till.locator("[data-lines] li")).to_have_count(1)
    expect(till.locator("[data-sent] li")).to_have_count(1)
    till.reload()
    expect(till.locator("[data-lines] li")).to_have_count(1)
    till.get_by_role("button", name="Add to check").dblclick()
    expect(till.locator("[data-notice]")).to_contain_text("Added to order")

    expect(table_of(till, table)).to_contain_text("€42.00")
    assert store.send("GET", f"/orders/{order['id']}")[1]["total"] == 42
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201


def test_tab_is_opened_by_name_and_found_by_it(open_till, store):
    till = open_till()
    till.get_by_role("button", name="Checks").click()
    till.get_by_label("New tab for").fill("Grace")
    till.get_by_role("button", name="Open the tab").click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Send", exact=True).click()
    till.get_by_role("button", name="Checks").click()
    expect(till.locator("[data-orders]").get_by_role("button", name="Grace ")).to_be_visible()

    till.get_by_label("Search checks").fill("nobody")
    expect(till.get_by_text("No check is found.")).to_be_visible()
    till.get_by_label("Search checks").fill("grac")
    till.locator("[data-orders]").get_by_role("button", name="Grace ").click()

    expect(till.locator("[data-round]")).to_contain_text("Grace")


def test_courses_and_seats_are_ordered_and_a_held_course_fired(open_till, store, table):
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_label("Course of the next items").select_option("2")
    till.get_by_label("Seat of the next items").select_option("3")
    choose_item(till, "Risotto")
    expect(till.locator("[data-lines] li")).to_have_count(2)
    till.get_by_role("button", name="Send", exact=True).click()
    expect(table_of(till, table)).to_contain_text("Course 1")

    table_of(till, table).click()
    till.get_by_role("button", name="Fire course 2").click()
    expect(till.get_by_role("button", name="Fire course 2")).to_be_hidden()
    till.get_by_role("button", name="Tables").click()
    expect(table_of(till, table)).to_contain_text("Course 2")

    order = list_orders(store)[0]
    lines = store.send("GET", f"/orders/{order['id']}")[1]["items"]
    assert [(line["course"], line["seat"]) for line in lines] == [(None, None), (2, 3)]
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201


def test_lines_stay_at_the_table_at_which_they_were_taken(open_till, store, table):
    other = add_table(store)
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Tables").click()
    expect(table_of(till, table)).to_contain_text("not sent yet")

    table_of(till, other).click()
    expect(till.locator("[data-lines] li")).to_have_count(0)
    till.get_by_role("button", name="Tables").click()
    table_of(till, table).click()

    expect(till.locator("[data-lines] li")).to_have_count(1)


def test_line_that_was_not_sent_is_changed(open_till, table):
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Change Risotto").click()
    sheet = till.locator("[data-line-dialog]")
    sheet.get_by_label("Quantity").fill("3")
    sheet.get_by_label("Note").fill("No cheese")
    sheet.get_by_label("Seat number").fill("2")
    sheet.get_by_role("button", name="Save").click()

    expect(till.locator("[data-lines] li")).to_contain_text("Seat 2 · “No cheese”")
    expect(till.locator(".amounts .total").last).to_have_text("€42.00")
    till.on("dialog", lambda dialog: dialog.accept())
    till.get_by_role("button", name="Clear the order").click()
    expect(till.locator("[data-lines] li")).to_have_count(0)


def test_item_that_is_not_sold_now_cannot_be_chosen(open_till, store, table):
    category_id = store.send("GET", "/menu")[1][0]["id"]
    asparagus = {"name": "Asparagus", "price": 9, "category_id": category_id, "sold_from": "2090-01-01"}
    assert store.send("POST", "/menu/items", asparagus)[0] == 201

    till = open_till()
    table_of(till, table).click()

    expect(till.locator(".items").get_by_role("button", name="Asparagus Not sold now")).to_be_disabled()


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


def test_back_and_another_window_keep_the_order(open_till, store, table):
    order = place_order(store, table, 1)
    till = open_till()
    table_of(till, table).click()
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Tables").click()
    till.go_back()
    expect(till.locator("[data-lines] li")).to_have_count(1)

    other = till.context.new_page()
    other.goto(till.url)
    expect(other.locator("[data-lines] li")).to_have_count(1)
    choose_item(other, "Risotto")
    expect(till.locator("[data-lines] output")).to_have_text("2")
    other.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-lines] li")).to_have_count(0)

    assert store.send("GET", f"/orders/{order['id']}")[1]["total"] == 42
    assert store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})[0] == 201


def test_order_is_taken_and_paid_with_the_keyboard(open_till, store, table):
    open_drawer(store)
    till = open_till()
    focus(table_of(till, table))
    for key in ("Enter", "Tab"):
        till.keyboard.press(key)
    focus(till.get_by_label("Search items"))
    till.keyboard.type("risot")
    till.keyboard.press("Enter")
    expect(till.locator("[data-lines] li")).to_have_count(1)
    focus(till.get_by_role("button", name="Send and pay"))
    till.keyboard.press("Enter")
    focus(till.get_by_role("button", name="Exact €14.00"))
    till.keyboard.press("Enter")
    expect(till.get_by_role("button", name="New order")).to_be_focused()
    till.keyboard.press("Enter")

    expect(till.locator("[data-rooms]")).to_be_visible()


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
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    [found] = [each for each in store.send("GET", "/tables")[1]["data"] if each["number"] == table]
    assert store.send("PUT", f"/tables/{found['id']}", {"is_active": False})[0] == 200
    till.context.set_offline(False)

    till.locator("[data-lost]").get_by_role("button", name="Show").click()
    dialog = till.get_by_role("dialog", name="Not sent yet")
    dialog.get_by_role("button", name="Take up again").click()
    expect(till.locator("[data-lines] li")).to_have_count(1)
    expect(till.locator("[data-lost]")).to_be_hidden()


def test_scanned_code_adds_its_item_and_a_misread_one_is_said(open_till, installation, server):
    shop = open_store(installation, lambda: server.url, "Shop", store_type="retail")
    assert shop.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    shop.add_item("Pen", 2)
    [category] = shop.send("GET", "/menu")[1]
    status, item = shop.send("POST", "/menu/items", {"name": "Marker", "price": 3, "category_id": category["id"]})
    assert status == 201, item
    variant = {"name": "Blue", "price": 3, "barcode": "4006381333931"}
    assert shop.send("POST", f"/menu/items/{item['id']}/variants", variant)[0] == 201
    till = open_till(at=shop)
    expect(till.locator(".item").first).to_be_visible()

    for code in ("4006381333931", "4006381333932"):
        till.locator("body").press("Escape")
        till.keyboard.type(code)
        till.keyboard.press("Enter")

    expect(till.locator("[data-lines] li")).to_contain_text("Marker")
    expect(till.locator("[data-notice]")).to_contain_text("was not read properly")


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


def lose_first_answer(till, path):
    answers = []

    def lose(route):
        if route.request.method != "POST":
            route.continue_()
            return
        answers.append(route.fetch())
        route.abort() if len(answers) == 1 else route.fulfill(response=answers[-1])

    till.route(path, lose)


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


def test_lines_that_the_guest_must_not_eat_are_taken_over_with_a_reason(open_till, declared_store):
    till = open_till(at=declared_store)
    problem, override = till.locator("#check-problem"), till.locator("[data-override]")
    table_of(till, "5").click()
    choose_item(till, "Rice")
    choose_item(till, "Satay")

    answer_questions(till, "Peanuts")
    expect(problem).to_have_text("The guest has to agree that the store keeps what they must not eat.")
    expect(override).to_be_hidden()
    answer_questions(till, "The store may keep this with the order")
    expect(problem).to_have_text("Satay · Contains: Peanuts")
    expect(till.locator("[data-questions]")).to_contain_text("Must not contain: Peanuts")
    ruled_out = till.locator("[data-lines] .line[aria-describedby]")
    expect(ruled_out).to_have_text("Satay")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(problem).to_have_text("Satay · Contains: Peanuts")
    assert list_orders(declared_store) == []
    override.click()
    dialog = till.locator("[data-line-dialog]")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_text("Give a reason.")
    dialog.get_by_label("Make it in spite of this, because").fill("Made without sauce")
    dialog.get_by_role("button", name="Save").click()
    expect(problem).to_be_empty()
    expect(ruled_out).to_have_count(0)
    till.get_by_role("button", name="Send", exact=True).click()

    expect(till.locator("[data-notice]")).to_contain_text("was sent")
    [order] = list_orders(declared_store)
    kept = {name: order[name] for name in ("avoid_allergens", "restrictions_consent", "restrictions_override")}
    assert kept == {
        "avoid_allergens": ["peanuts"],
        "restrictions_consent": True,
        "restrictions_override": "Made without sauce",
    }
    table_of(till, "5").click()
    expect(till.locator("[data-questions]")).to_contain_text("Must not contain: Peanuts")
    expect(till.get_by_role("button", name="Allergens and diets")).to_have_count(0)
    choose_item(till, "Rice")
    till.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-notice]")).to_contain_text("Added to order")


def test_line_that_is_added_is_not_taken_over_with_the_others(open_till, declared_store):
    till = open_till(at=declared_store)
    table_of(till, "6").click()
    answer_questions(till, "Peanuts", "The store may keep this with the order")
    choose_item(till, "Satay")
    till.locator("[data-override]").click()
    till.get_by_label("Make it in spite of this, because").fill("Made without sauce")
    till.locator("[data-line-dialog]").get_by_role("button", name="Save").click()
    expect(till.locator("#check-problem")).to_be_empty()

    choose_item(till, "Rice")

    expect(till.locator("#check-problem")).to_have_text("Satay · Contains: Peanuts")
    expect(till.locator("[data-questions]")).not_to_contain_text("Made without sauce")


def test_answers_stay_with_the_lines_of_their_table(open_till, declared_store):
    till = open_till(at=declared_store)
    asked = till.locator("[data-questions]")
    table_of(till, "6").click()
    answer_questions(till, "Peanuts", "The store may keep this with the order")

    till.get_by_role("button", name="Tables").click()
    till.get_by_label("Table that is not listed").fill("9")
    till.get_by_role("button", name="Open the table").click()
    expect(till.get_by_role("textbox", name="Table")).to_have_value("9")
    expect(asked).not_to_contain_text("Peanuts")
    till.get_by_role("button", name="Tables").click()
    expect(table_of(till, "6")).to_contain_text("not sent yet")
    table_of(till, "6").click()

    expect(asked).to_contain_text("Must not contain: Peanuts")


def test_till_asks_nothing_where_items_say_nothing(open_till, store):
    till = open_till()
    till.get_by_role("button", name="Order", exact=True).click()

    expect(till.locator(".items").get_by_role("button", name="Risotto")).to_be_visible()
    expect(till.locator("[data-questions]")).to_be_empty()


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


def test_what_is_typed_for_a_drawer_stays_when_it_is_shown_again(open_till, installation, server):
    store = open_store(installation, lambda: server.url, "Typed")
    assert store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    till = open_till(at=store)
    till.get_by_role("button", name="Drawer").click()
    till.get_by_label("Starting cash").fill("100")

    till.get_by_role("button", name="Drawer").click()

    expect(till.locator("#drawer-title")).to_be_focused()
    expect(till.get_by_label("Starting cash")).to_have_value("100")


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


def test_kept_checks_are_not_shown_before_the_currency_is_known(open_till, store):
    open_drawer(store)
    till = open_till()
    till.get_by_role("button", name="Order", exact=True).click()
    go_offline(till)
    choose_item(till, "Risotto")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    held = []
    till.route("**/api/v1/staff/me", lambda route: held.extend([route]))

    till.reload()
    expect(till.locator("[data-lost-text]")).to_contain_text("1 waits.")
    held[0].abort()

    expect(till.locator("[data-open-count]")).not_to_be_empty()


def test_kitchen_staff_are_refused(open_till):
    till = open_till(pin="7391")

    expect(till.locator("[data-problem]")).to_have_text("You may not take orders.")


@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_sheets_and_payment_of_a_check_are_accessible(open_till, busy_store, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(at=busy_store, **device)
    open_check(till, "Table N42")
    looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]
    found = list(axe_rules.find_violations_in_looks(till, looks))

    for opens in (till.get_by_role("button", name="Edit check"), till.locator("[data-sent] .line").first):
        opens.click()
        expect(till.locator("[data-line-dialog]")).to_be_visible()
        found += list(axe_rules.find_violations_in_looks(till, looks))
        till.locator("[data-line-dialog]").get_by_role("button", name="Close").click()
    till.get_by_role("button", name="Pay", exact=True).click()
    expect(till.locator("[data-due]")).to_be_visible()
    found += list(axe_rules.find_violations_in_looks(till, looks))

    assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []


def test_questions_and_conflicts_are_accessible_on_a_phone(open_till, declared_store):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(at=declared_store, **PHONE)
    looks = [(PHONE["viewport"], scheme) for scheme in ("light", "dark")]
    till.get_by_role("button", name="Order", exact=True).click()
    choose_item(till, "Satay")
    answer_questions(till, "Peanuts", "The store may keep this with the order")
    expect(till.locator("[data-override]")).to_be_visible()
    found = list(axe_rules.find_violations_in_looks(till, looks))

    for opens in (till.get_by_role("button", name="Allergens and diets"), till.locator("[data-override]")):
        opens.click()
        expect(till.locator("[data-line-dialog]")).to_be_visible()
        found += list(axe_rules.find_violations_in_looks(till, looks))
        till.locator("[data-line-dialog]").get_by_role("button", name="Cancel").click()

    assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []


@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_every_view_is_accessible_and_fits(open_till, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(**device)

    for view in ("tables", "order", "open", "drawer"):
        till.locator(f'[data-view="{view}"]').click()
        expect(till.locator(f'[data-view="{view}"]')).to_have_attribute("aria-pressed", "true")
        looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]
        found = axe_rules.find_violations_in_looks(till, looks)
        assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []
