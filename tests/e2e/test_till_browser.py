"""Staff at the till, in a real Chromium: an order at a table, a split bill, change, the receipt, and the drawer."""

import pytest
from comanda.devkit.testing import open_store

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PIN = "4826"
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


@pytest.fixture
def open_till(browser, store):
    """Return a function that opens the till and logs in; the page must not complain, nor ask anybody else."""
    opened = []

    def open_till(pin=PIN, **options):
        context = browser.new_context(**(options or TABLET))
        page = context.new_page()
        page.wrong, page.asked = [], set()
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("request", lambda request: page.asked.add(request.url.split("/")[2]))
        opened.append((context, page))
        page.goto(f"{store.url()}/till/?store={store.id}")
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

    answers = []

    def lose_first(route):
        if route.request.method != "POST":
            route.continue_()
            return
        answers.append(route.fetch())
        route.abort() if len(answers) == 1 else route.fulfill(response=answers[-1])

    till.route("**/api/v1/staff/orders", lose_first)
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-check-problem]")).to_contain_text("nothing is done twice")
    till.get_by_role("button", name="Send", exact=True).click()
    expect(till.locator("[data-notice]")).to_contain_text("was sent")

    assert len(list_orders(store)) == before + 1


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
def test_every_view_is_accessible_and_fits(open_till, device):
    axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")
    till = open_till(**device)

    for view in ("New order", "Open orders", "Drawer"):
        till.get_by_role("button", name=view).click()
        expect(till.get_by_role("button", name=view)).to_have_attribute("aria-pressed", "true")
        looks = [(device["viewport"], scheme) for scheme in ("light", "dark")]
        found = axe_rules.find_violations_in_looks(till, looks)
        assert [(scheme, each["id"], [node["html"] for node in each["nodes"]]) for _, scheme, each in found] == []
