"""Staff at the till, in a real Chromium: an order at a table, a split bill, change, the receipt, and the drawer."""

import pytest
from comanda.devkit.testing import open_store

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PIN = "4826"
MANAGER_PIN = "739164"
SIZES = [{"name": "Small", "price": 0}, {"name": "Large", "price": 3}]
PIZZA = {"name": "Pizza", "price": 10, "extra_groups": [{"name": "Size", "min": 1, "max": 1, "extras": SIZES}]}
expect = sync_api.expect


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


@pytest.fixture(scope="module")
def busy_store(installation, server):
    """A store with an open table that is older than a hundred other unpaid orders; its waiter needs approvals."""
    opened = open_store(installation, lambda: server.url, "Busy")
    for name, role, pin in (("Ada", "waiter", PIN), ("Max", "manager", MANAGER_PIN)):
        status, answer = opened.send("POST", "/staff", {"name": name, "role": role, "pin": pin})
        assert status == 201, answer
    opened.add_item("Soup", 5)
    place_order(opened, "12", 3)
    for number in range(100):
        place_order(opened, f"N{number}", 1)
    return opened


def place_order(store, table, quantity):
    [category] = store.send("GET", "/menu")[1]
    items = [{"item_id": category["items"][0]["id"], "quantity": quantity}]
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


def list_orders(store):
    return store.send("GET", "/orders?per_page=100")[1]["data"]


def test_table_is_served_and_its_bill_split(open_till, store):
    till = open_till()
    before = {order["id"] for order in list_orders(store)}

    till.get_by_role("radio", name="Table").check()
    till.get_by_label("Table", exact=True).and_(till.locator("#table")).fill("7")
    till.get_by_role("button", name="Risotto €").click()
    till.get_by_role("button", name="Pizza €").click()
    till.get_by_role("dialog").get_by_text("Large").click()
    till.get_by_role("dialog").get_by_role("button", name="Add").click()
    expect(till.locator(".amounts .total").last).to_have_text("€27.00")
    till.reload()
    expect(till.locator(".lines li")).to_have_count(2)
    till.get_by_role("button", name="Send and pay").dblclick()
    expect(till.locator("[data-due]")).to_have_text("€27.00")

    till.get_by_label("Split between").fill("2")
    till.get_by_label("Split between").press("Tab")
    expect(till.get_by_role("button", name="2: €13.50")).to_be_visible()
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("20")
    expect(till.locator(".change")).to_have_text("Change: €6.50")
    till.get_by_role("button", name="Take the payment").dblclick()
    expect(till.locator("[data-due]")).to_have_text("€13.50")
    till.get_by_text("Card", exact=True).click()
    till.get_by_label("Tip").fill("1,50")
    till.get_by_role("button", name="Take the payment").click()
    expect(till.locator(".paid")).to_be_focused()

    [order] = [order for order in list_orders(store) if order["id"] not in before]
    assert (order["table_number"], order["payment_status"], order["source"]) == ("7", "paid", "pos")
    payments = store.send("GET", f"/orders/{order['id']}/payments")[1]["data"]
    assert sorted((each["method"], each["amount"], each["tip"]) for each in payments) == [
        ("card_external", 13.5, 1.5),
        ("cash", 13.5, 0),
    ]
    receipt = till.locator(".receipt")
    expect(receipt).to_contain_text("Large")
    expect(receipt).to_contain_text("Table 7")


def test_lost_answer_does_not_order_twice(open_till, store):
    till = open_till()
    before = len(list_orders(store))
    till.get_by_role("button", name="Risotto €").click()
    expect(till.locator(".lines li")).to_have_count(1)

    lose_first_answer(till, "**/api/v1/staff/orders")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-check-problem]")).to_contain_text("nothing is done twice")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-notice]")).to_contain_text("was sent")

    assert len(list_orders(store)) == before + 1


def test_old_table_gets_a_round_and_is_paid(open_till, busy_store):
    till = open_till(at=busy_store)
    till.get_by_role("button", name="Open orders").click()
    expect(till.locator("[data-open-count]")).to_have_text("(101)")
    till.get_by_role("button", name="Table 12 ").click()
    expect(till.locator("[data-due]")).to_have_text("€15.00")

    till.get_by_role("button", name="Add items").click()
    expect(till.locator("[data-round]")).to_contain_text("To pay so far: €15.00")
    till.get_by_role("button", name="Soup €").click()
    lose_first_answer(till, "**/api/v1/staff/orders/*/lines")
    till.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-check-problem]")).to_contain_text("nothing is done twice")
    till.get_by_role("button", name="Soup €").click()
    till.get_by_role("button", name="Add to check").click()
    expect(till.locator("[data-check-problem]")).to_contain_text("What was sent before is done")
    expect(till.locator(".lines output")).to_have_text("1")
    expect(till.locator("[data-round]")).to_contain_text("To pay so far: €20.00")
    till.get_by_role("button", name="Add and pay").click()

    expect(till.locator("[data-due]")).to_have_text("€25.00")
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("30")
    till.get_by_role("button", name="Take the payment").click()
    expect(till.locator(".paid .change")).to_have_text("Change: €5.00")
    orders = busy_store.send("GET", "/orders?is_paid=true")[1]["data"]
    assert [(order["table_number"], order["total"], order["amount_due"]) for order in orders] == [("12", 25, 0)]


def test_lines_of_a_check_are_voided_with_approval_noted_split_and_merged(open_till, busy_store):
    order = place_order(busy_store, "V1", 4)
    assert busy_store.send("PUT", f"/orders/{order['id']}/status", {"status": "preparing"})[0] == 200
    till = open_till(at=busy_store)
    till.get_by_role("button", name="Open orders").click()
    till.get_by_role("button", name="Table V1 ").click()
    sheet = till.locator("[data-change]")

    def change(button, quantity=None, text=""):
        till.get_by_role("button", name="Edit check").click()
        if quantity:
            sheet.get_by_role("checkbox").check()
            sheet.get_by_label("Quantity of Soup").fill(str(quantity))
        sheet.get_by_label("Reason or note").fill(text)
        sheet.get_by_role("button", name=button).click()

    change("Void lines", 1, "Cold")
    approval = till.get_by_role("dialog", name="A manager has to approve this.")
    approval.get_by_label("PIN of who approves").fill("000000")
    approval.get_by_role("button", name="Approve").click()
    expect(sheet.locator(".problem")).to_have_text("Invalid PIN.")
    sheet.get_by_role("button", name="Void lines").click()
    approval.get_by_label("PIN of who approves").fill(MANAGER_PIN)
    approval.get_by_role("button", name="Approve").click()
    expect(till.locator("[data-due]")).to_have_text("€15.00")
    assert MANAGER_PIN not in till.evaluate("JSON.stringify(localStorage)")
    change("Note", 3, "No salt")
    expect(sheet).to_be_hidden()
    change("Split off", 1)
    expect(till.locator("[data-due]")).to_have_text("€10.00")
    till.get_by_role("button", name="Edit check").click()
    sheet.get_by_label("Other check").select_option(index=0)
    sheet.get_by_role("button", name="Merge into this check").click()
    expect(till.locator("[data-due]")).to_have_text("€15.00")
    till.get_by_role("button", name="Edit check").click()
    sheet.get_by_label("Table").fill("V2")
    sheet.get_by_role("button", name="Move to table").click()
    expect(till.locator("[data-pay-title]")).to_contain_text("table V2")

    _, after = busy_store.send("GET", f"/orders/{order['id']}")
    assert (after["total"], after["table_number"], after["items"][0]["note"]) == (15, "V2", "No salt")
    kinds = [each["kind"] for each in busy_store.send("GET", f"/orders/{order['id']}/amendments")[1]["data"]]
    assert kinds[::-1] == ["void", "note", "split", "merge", "move"]


def test_payment_is_not_taken_twice_by_another_tender(open_till, busy_store):
    order = place_order(busy_store, "P1", 2)
    till = open_till(at=busy_store)
    till.get_by_role("button", name="Open orders").click()
    till.get_by_role("button", name="Table P1 ").click()
    lose_first_answer(till, "**/api/v1/staff/orders/*/payments")
    amount = till.get_by_label("Cash received", exact=True).and_(till.locator("input"))
    amount.fill("4")
    till.get_by_role("button", name="Take the payment").click()
    expect(till.locator(".problem").filter(has_text="nothing is done twice")).to_be_visible()

    till.get_by_text("Card", exact=True).click()
    till.get_by_role("button", name="Take the payment").click()

    expect(till.locator(".change").filter(has_text="What was sent before is done")).to_be_visible()
    expect(till.locator("[data-due]")).to_have_text("€6.00")
    payments = busy_store.send("GET", f"/orders/{order['id']}/payments")[1]["data"]
    assert [(each["method"], each["amount"]) for each in payments] == [("cash", 4)]


def test_change_is_that_of_the_rounded_amount(open_till, busy_store):
    assert busy_store.send("PUT", "/settings", {"cash_rounding": 2})[0] == 200
    order = place_order(busy_store, "R1", 1)
    till = open_till(at=busy_store)
    till.get_by_role("button", name="Open orders").click()
    till.get_by_role("button", name="Table R1 ").click()
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("10")
    till.get_by_role("button", name="Take the payment").click()

    expect(till.locator(".paid .change")).to_have_text("Change: €4.00")
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


def test_drawer_is_opened_and_counted(open_till, store):
    till = open_till()

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


def test_kitchen_staff_are_refused(open_till):
    till = open_till(pin="7391")

    expect(till.locator("[data-problem]")).to_have_text("You may not take orders.")


@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_sheet_and_round_of_a_check_are_accessible(open_till, busy_store, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(at=busy_store, **device)
    till.get_by_role("button", name="Open orders").click()
    till.get_by_role("button", name="Table N42 ").click()
    looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]

    till.get_by_role("button", name="Edit check").click()
    expect(till.locator("[data-change]")).to_be_visible()
    found = list(axe_rules.find_violations_in_looks(till, looks))
    till.locator("[data-change]").get_by_role("button", name="Close").click()
    till.get_by_role("button", name="Add items").click()
    found += list(axe_rules.find_violations_in_looks(till, looks))

    assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []


@pytest.mark.parametrize("device", [TABLET, PHONE])
def test_every_view_is_accessible_and_fits(open_till, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(**device)

    for view in ("New order", "Open orders", "Drawer"):
        till.get_by_role("button", name=view).click()
        expect(till.get_by_role("button", name=view)).to_have_attribute("aria-pressed", "true")
        looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]
        found = axe_rules.find_violations_in_looks(till, looks)
        assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []
