"""The path of money: connected accounts, guests and a waiter who pay and are paid, a refund, payouts, and the books."""

import json
import shutil

import pytest
from card_data import CardDataWatch, find_card_numbers
from comanda.devkit.testing import Installation, LiveStore, create_migrated_data_folder, send_request
from storefront_guest import StorefrontGuest
from till_pages import PHONE, PIN, TABLET, open_check, open_drawer

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
PASSWORD = "a long phrase of one's own"
DESK = {"viewport": {"width": 1280, "height": 900}}
PREPARE = """
import json, sys
from comanda.platform import runtime
from comanda.accounts.administration import set_administrator
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.stores.services import create_store
from comanda_reseller.services.resellers import account_administration

async def work():
    operator = await create_owner("olga@example.com", "Olga")
    await set_owner_password(operator.id, sys.argv[1])
    await set_administrator("olga@example.com", is_administrator=True)
    await account_administration.create_reseller(operator.id)
    made = {}
    for name in ("Alba", "Bruno"):
        owner = await create_owner(f"{name.lower()}@example.com", name)
        await set_owner_password(owner.id, sys.argv[1])
        store_id = await create_store(owner.id, f"At {name}", "restaurant", slug=name.lower())
        token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
        made[name] = {"id": owner.id, "store": store_id, "token": token.secret}
    await account_administration.add_customer("olga@example.com", "bruno@example.com")
    return made

print(json.dumps(call(work)))
"""
LEDGER = """
import json
from comanda.cli.session import call
from comanda.platform.db import sql

async def read():
    legs = await sql.fetch('''
        SELECT e.owner_id, l.account, l.amount_minor FROM wallet_entry e
        JOIN wallet_leg l ON l.entry_id = e.id AND l.owner_id = e.owner_id
        WHERE e.kind = 'fee' ORDER BY e.id, l.account''')
    return [list(row.values()) for row in legs]

print(json.dumps(call(read)))
"""
TEXTS = """
import json
from comanda.cli.session import call
from comanda.platform.db import sql

async def read():
    tables = await sql.fetch('''
        SELECT format('%I.%I', n.nspname, c.relname) AS name
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')''')
    found = [await sql.fetch(f"SELECT t::text AS row FROM {table['name']} t") for table in tables]
    return [row["row"] for rows in found for row in rows]

print(json.dumps(call(read)))
"""


class Owner:
    """An owner with a store, a token, and a desk at which the dashboard is open."""

    def __init__(self, url, name, made, context):
        self.url, self.id, self.email, self.token = url, made["id"], f"{name.lower()}@example.com", made["token"]
        self.slug = name.lower()
        self.store = LiveStore(made["store"], made["token"], lambda: url)
        self.page = sign_in(context, url, self.email)
        self.main = self.page.get_by_role("main")
        _, category = self.store.send("POST", "/menu/categories", {"name": "Everything"})
        self.items = {name: self._add_item(category, name, price) for name, price in (("Soup", 12), ("Fish", 20))}

    def _add_item(self, category, name, price):
        status, item = self.store.send(
            "POST", "/menu/items", {"name": name, "price": price, "category_id": category["id"]}
        )
        assert status == 201, item
        return item["id"]

    def send(self, path, method="GET"):
        return send_request(method, f"{self.url}/api/v1{path}", self.token)

    def get(self, path):
        status, document = self.send(path)
        assert status == 200, document
        return document

    def get_order(self, number):
        [found] = [each for each in self.store.send("GET", "/orders")[1]["data"] if each["number"] == number]
        return self.store.send("GET", f"/orders/{found['id']}")[1]

    def list_payments(self, number):
        return self.store.send("GET", f"/orders/{self.get_order(number)['id']}/payments")[1]["data"]

    def open(self, path):
        self.page.goto(f"{self.url}/dashboard{path}")

    def press(self, name):
        self.main.get_by_role("button", name=name, exact=True).first.click()

    def follow(self, name):
        self.main.get_by_role("link", name=name, exact=True).first.click()

    def connect_account(self):
        self.open("/payment-accounts")
        self.follow("Demo bank")
        self.press("Connect")
        expect(self.page.get_by_text("Account connected.")).to_be_visible()
        [account] = self.get("/payment-accounts")["data"]
        return account

    def register_reader(self, name):
        """Register a card reader, and return the address of its page."""
        self.open("/payment-accounts")
        self.follow("Card readers")
        self.main.locator("#field-name").fill(name)
        self.press("Register")
        return self.main.get_by_role("link", name="Open this reader on another tablet").get_attribute("href")

    def read_payout(self, amount):
        """Return the texts of the cells of the two tables of the only payout, once the bank was asked."""
        self.open("/payment-accounts")
        self.press("Check again")
        expect(self.page.get_by_text("The provider was asked.")).to_be_visible()
        self.follow("Payouts")
        row = self.main.locator("tbody tr")
        expect(row).to_have_count(1)
        expect(row).to_contain_text(amount)
        row.get_by_role("link").click()
        expect(self.page.get_by_role("heading", name=f"Payout of {amount}")).to_be_visible()
        sums, parts = (
            [tuple(each.locator("th, td").all_inner_texts()) for each in table.locator("tbody tr").all()]
            for table in self.main.locator("table").all()
        )
        return sums, parts


def sign_in(context, url, email):
    page = context.new_page()
    page.goto(f"{url}/sign-in")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard**")
    return page


class Town:
    """A server in development with its operator and two owners; everything that browsers send is watched."""

    def __init__(self, browser, installation, server):
        self.browser, self.installation, self.server = browser, installation, server
        self.url = f"http://localhost:{server.port}"
        self.cards = CardDataWatch()
        made = json.loads(installation.run_program(PREPARE, PASSWORD))
        self.operator = sign_in(self.new_context(**DESK), self.url, "olga@example.com")
        self.alba, self.bruno = (Owner(self.url, name, made[name], self.new_context(**DESK)) for name in made)

    def new_context(self, **options):
        """Open a context as the browser does, so that guests may take the town for one."""
        return self.cards.watch(self.browser.new_context(**options))

    def set_fee(self, owner, percent, fixed):
        """Set the fee of an owner's store, as an administrator does."""
        page = self.operator
        page.goto(f"{self.url}/dashboard/administration/owners/{owner.id}/payment-terms")
        page.get_by_label("Store").select_option(str(owner.store.id))
        page.get_by_label("Of the amount").fill(percent)
        page.get_by_label("Of each payment").fill(fixed)
        page.get_by_role("button", name="Set fee").click()
        expect(page.get_by_text("Fee saved.")).to_be_visible()

    def sell_plan(self, owner, fee):
        """Sell an owner a plan that names the fee, in hundredths of a percent, as the operator does who resells."""
        page = self.operator
        page.goto(f"{self.url}/dashboard/reseller/plans/new")
        for label, text in (("Name", "Basic"), ("Code", "basic"), ("Price", "0"), ("Operator's fee", fee)):
            page.get_by_label(label).fill(text)
        page.get_by_role("button", name="Create plan").click()
        expect(page.get_by_text("Plan created.")).to_be_visible()
        page.goto(f"{self.url}/dashboard/reseller/customers/{owner.id}")
        page.get_by_role("button", name="Start subscription").click()
        expect(page.get_by_role("heading", name=owner.email.partition("@")[0].title())).to_be_visible()

    def order_as_guest(self, owner, quantities, name, **query):
        """Order on a phone and follow the order to its page of payment; return the phone's page."""
        guest = StorefrontGuest(self, self.url, owner.slug)
        guest.open(**query)
        for item, quantity in quantities.items():
            for _ in range(quantity):
                guest.add(owner.items[item])
        guest.open_order()
        guest.fill(customer_name=name)
        guest.wait_for_quote()
        guest.finish()
        guest.page.get_by_role("link", name="Pay now").click()
        guest.page.wait_for_url("**/pay/*")
        return guest.page

    def list_fees(self, owner):
        """Return the legs of the fees in an owner's wallet."""
        legs = json.loads(self.installation.run_program(LEDGER))
        return [(account, amount) for owner_id, account, amount in legs if owner_id == owner.id]


@pytest.fixture
def town(browser):
    data = create_migrated_data_folder()
    variables = {"COMANDA_LOG_LEVEL": "debug", "COMANDA_DEVELOPMENT": "true", "COMANDA_REQUESTS_PER_MINUTE": "1000000"}
    installation = Installation(data, variables)
    try:
        with installation.running("serve") as server:
            yield Town(browser, installation, server)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def pay_at_bank(phone, amount, *buttons):
    """Pay on the page of the bank, and return its address."""
    phone.wait_for_url("**/demobank/*")
    address = phone.url
    expect(phone.locator("h1")).to_have_text(amount)
    for button in buttons:
        phone.get_by_role("button", name=button).click()
    phone.wait_for_url("**/pay/*")
    return address


def pay_out(phone, charge):
    """Pay out at the bank what is due to the account of a charge, as somebody does on the bank's page."""
    phone.goto(charge)
    phone.get_by_role("button", name="Pay out what is due to the store").click()
    expect(phone.get_by_text("This payment is on its way to the store's bank.")).to_be_visible()


def test_money_goes_from_guests_to_the_owner_and_the_books_agree(town):
    alba, bruno = town.alba, town.bruno
    town.set_fee(alba, "1.5", "0.10")
    town.sell_plan(bruno, "300")
    account, other_account = alba.connect_account(), bruno.connect_account()
    reader = alba.register_reader("Bar")

    # A guest pays for an order to take away: €32.00, of which the platform has €0.58.
    first = town.order_as_guest(alba, {"Soup": 1, "Fish": 1}, "Ana")
    first.get_by_role("button", name="Pay €32.00").click()
    charge = pay_at_bank(first, "€32.00", "Pay with 3-D Secure", "Yes, it is me")
    expect(first.get_by_role("heading", name="Thank you!")).to_be_visible()

    # Others order from the code of their table. One of them opens the page on a phone of their own, and pays for the
    # soups: €24.00 of €64.00, of which the platform has €0.46.
    assert alba.store.send("POST", "/tables", {"number": "4", "seats": 4, "area": "Hall"})[0] == 201
    host = town.order_as_guest(alba, {"Soup": 2, "Fish": 2}, "Rui", table="4")
    second = town.new_context(**PHONE).new_page()
    second.goto(host.url)
    second.get_by_text("Pay your part").first.click()
    second.get_by_label("What I had").check()
    second.get_by_label("Soup").check()
    second.get_by_role("button", name="Pay your part").click()
    pay_at_bank(second, "€24.00", "Pay now")
    host.reload()
    expect(host.locator(".bill .due")).to_contain_text("€40.00")

    # The waiter takes €15.00 in cash, and €25.00 with a tip on the reader, of which the platform has €0.51.
    assert alba.store.send("POST", "/staff", {"name": "Ada", "role": "cashier", "pin": PIN})[0] == 201
    open_drawer(alba.store)
    till = open_till(town, alba)
    open_check(till, "Table 4")
    till.get_by_role("button", name="Pay", exact=True).click()
    till.get_by_label("Cash received", exact=True).and_(till.locator("input")).fill("15")
    till.get_by_role("button", name="Take the payment").click()
    expect(till.locator("[data-due]")).to_have_text("€25.00")
    till.get_by_text("Card reader", exact=True).first.click()
    till.get_by_label("Tip").fill("2")
    till.get_by_role("button", name="Send to the reader").click()
    tablet = town.new_context(**TABLET).new_page()
    tablet.goto(reader)
    expect(tablet.locator("h1")).to_have_text("€27.00")
    tablet.get_by_role("button", name="Hold the card to the reader").click()
    expect(till.locator(".paid")).to_be_visible()
    host.reload()
    expect(host.get_by_role("heading", name="Thank you!")).to_be_visible()

    # One soup is refunded.
    taken = alba.get_order(1)
    alba.open(f"/stores/{alba.store.id}/orders/{taken['id']}/refunds/new")
    alba.main.get_by_label("Soup").fill("1")
    alba.main.get_by_label("Reason").fill("Cold")
    alba.press("Refund €12.00")
    expect(alba.main.get_by_text("Refunded €12.00").first).to_be_visible()

    # A guest of the other owner pays €20.00, of which the platform has €0.60.
    third = town.order_as_guest(bruno, {"Fish": 1}, "Eva")
    third.get_by_role("button", name="Pay €20.00").click()
    other_charge = pay_at_bank(third, "€20.00", "Pay now")
    expect(third.get_by_role("heading", name="Thank you!")).to_be_visible()

    # Each payout has the money of its owner alone, with the orders that it is made of.
    pay_out(first, charge)
    pay_out(third, other_charge)
    sums, parts = alba.read_payout("€69.45")
    assert sums == [
        ("Payments", "3", "€83.00", "€1.55", "€81.45"),
        ("Refunds", "1", "-€12.00", "€0.00", "-€12.00"),
        ("Payout", "€69.45"),
    ]
    assert parts == [
        ("#1", "At Alba", "Payment", "€32.00", "€0.58", "€31.42"),
        ("#2", "At Alba", "Payment", "€24.00", "€0.46", "€23.54"),
        ("#2", "At Alba", "Payment", "€27.00", "€0.51", "€26.49"),
        ("#1", "At Alba", "Refunded", "-€12.00", "€0.00", "-€12.00"),
    ]
    sums, parts = bruno.read_payout("€19.40")
    assert sums == [("Payments", "1", "€20.00", "€0.60", "€19.40"), ("Payout", "€19.40")]
    assert parts == [("#1", "At Bruno", "Payment", "€20.00", "€0.60", "€19.40")]
    check_accounts(alba, account, bruno, other_account)

    # The drawer is counted at the till, the day is closed, and the books agree.
    till.get_by_role("button", name="Drawer").click()
    till.get_by_label("Cash counted").fill("115")
    till.get_by_role("button", name="Close the drawer").click()
    expect(till.get_by_role("status").filter(has_text="difference")).to_contain_text("difference €0.00")
    check_books(alba)
    check_fees(town)
    check_card_data(town)


def check_accounts(owner, account, other, other_account):
    """Check that each payment went to its owner's account, and that an owner sees nothing of another's."""
    used = {
        each["payment_account_id"]
        for number in (1, 2)
        for each in owner.list_payments(number)
        if each["method"] == "demo"
    }
    assert used == {account["id"]}
    assert [each["payment_account_id"] for each in other.list_payments(1)] == [other_account["id"]]
    [payout] = other.get("/payouts")["data"]
    for path in (
        f"/payment-accounts/{other_account['id']}",
        f"/payouts/{payout['id']}",
        f"/payouts/{payout['id']}/parts",
    ):
        assert other.send(path)[0] == 200
        assert owner.send(path)[0] == 404
    for path in (f"/payment-accounts/{other_account['id']}/readers", f"/payment-accounts/payouts/{payout['id']}"):
        assert owner.page.goto(f"{owner.url}/dashboard{path}").status == 404


def check_books(owner):
    """Check that reports, the closing of the day and the drawer say what the orders and their payments do."""
    orders = [owner.get_order(number) for number in (1, 2)]
    payments = [each for number in (1, 2) for each in owner.list_payments(number)]
    assert [(each["total"], each["paid_total"], each["refunded_total"], each["amount_due"]) for each in orders] == [
        (32, 32, 12, 0),
        (64, 64, 0, 0),
    ]
    assert sorted((each["method"], each["amount"], each["tip"], each["fee"]) for each in payments) == [
        ("cash", 15, 0, 0),
        ("demo", 24, 0, 0.46),
        ("demo", 25, 2, 0.51),
        ("demo", 32, 0, 0.58),
    ]
    status, closing = owner.store.send("POST", "/closings", {})
    assert status == 201, closing
    for report in (owner.store.send("GET", "/day-report")[1], closing):
        figures = report["figures"]
        assert (figures["orders"], figures["net_sales"]) == (2, sum(each["total"] for each in orders))
        assert (figures["payments"], figures["payment_tips"], figures["collected"]) == (96, 2, 98)
        assert (figures["refund_count"], figures["refunds"], figures["drawer_differences"]) == (1, 12, 0)
        tenders = {
            each["method"]: (each["payments"], each["collected"], each["refunded"]) for each in report["tenders"]
        }
        assert tenders == {"cash": (1, 15, 0), "demo": (3, 83, 12)}
    [shift] = owner.store.send("GET", "/shifts")[1]["data"]
    assert (shift["status"], shift["opening_float"], shift["expected"], shift["difference"]) == ("closed", 100, 115, 0)


def check_fees(town):
    """Check that each owner's ledger has their fees, and that it adds up."""
    for owner, fees in ((town.alba, (58, 46, 51)), (town.bruno, (60,))):
        assert town.list_fees(owner) == [leg for fee in fees for leg in (("cash", -fee), ("revenue", fee))]
        entries = owner.get("/wallet/entries?kind=fee")["data"]
        assert [each["description"].partition(" of ")[0] for each in entries[::-1]] == [
            f"{fee / 100:.2f} EUR" for fee in fees
        ]
        assert owner.get("/wallet")["balance"] == 0
    verified = town.installation.run("wallet", "verify")
    assert verified.returncode == 0, verified.stdout


def check_card_data(town):
    """Check that no page has a field for card data, and that none was sent, logged or stored."""
    assert {"demobank", "pay", "s", "t", "till", "demobank-readers"} <= {
        path.split("/")[0] for path in town.cards.pages
    }
    assert town.cards.fields == []
    assert town.cards.sent_card_numbers == []
    log = town.server.printed()
    assert "demobank" in log
    assert find_card_numbers(log) == []
    rows = json.loads(town.installation.run_program(TEXTS))
    assert any("demobank" in row for row in rows)
    assert [each for row in rows for each in find_card_numbers(row)] == []


def open_till(town, owner):
    till = town.new_context(**TABLET).new_page()
    till.goto(f"{town.url}/till/?store={owner.store.id}")
    till.get_by_label("PIN", exact=True).and_(till.locator("[type=password]")).fill(PIN)
    till.get_by_role("button", name="Log in").click()
    return till
