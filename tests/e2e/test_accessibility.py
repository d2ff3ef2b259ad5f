"""Every page that a visitor can open, judged by axe in a real Chromium: on a phone and a desk, by day and by night."""

import json
import re
import shutil
from urllib.request import Request, urlopen

import pytest
from comanda.devkit.testing import Installation, LiveStore, create_migrated_data_folder

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe_rules = pytest.importorskip("axe_rules", reason="axe-playwright-python is not installed")

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1200, "height": 900}
# Contrast differs between day and night, what fits between the widths: two runs see all four.
LOOKS = ((PHONE, "light"), (DESK, "dark"))
ALL_LOOKS = ((PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark"))

FILL = """
import json
from comanda.platform import runtime
from comanda.contracts.requests.callers import Caller
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.menu.schemas import CategoryBody, ItemBody
from comanda.menu.services import create_category, create_item
from comanda.stores.services import create_store
from comanda_payments.api import connect_account

BASE = {"name": "Base", "min": 1, "max": 1, "extras": [{"name": "White", "price": 0}, {"name": "Red", "price": 1}]}
MORE = {"name": "More", "max": 2, "extras": [{"name": "Olives", "price": 1}, {"name": "Gone", "is_sold_out": True}]}

async def work():
    owner = await create_owner("axe@example.com", "Axe")
    caller = Caller("owner", 0, owner.id, None, None, frozenset({"*"}), None)
    made = {}
    await connect_account(caller, "demo")
    for store_type in ("restaurant", "retail"):
        store_id = await create_store(owner.id, store_type.title(), store_type, timezone="Europe/Lisbon")
        category = await create_category(caller, store_id, CategoryBody(name="Everything"))
        for fields in (
            {"name": "Bread", "price": 2, "description": "From the oven.", "is_popular": True},
            {"name": "Pizza", "price": 9, "extra_groups": [BASE, MORE]},
            {"name": "Wine", "price": 4, "variations": [{"name": "Glass", "price": 4}, {"name": "Jug", "price": 9}]},
            {"name": "Cake", "price": 4, "is_sold_out": True},
            {"name": "Photo", "price": 4, "image_url": "https://photos.example/a.jpg"},
        ):
            await create_item(caller, store_id, ItemBody(category_id=category.id, **fields))
        made[store_type] = store_id
    token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
    return {"token": token.secret, **made}

print(json.dumps(call(work)))
"""


class Visit:
    """The two stores on a running server, and one page that looks at them."""

    def __init__(self, url, made, page):
        self.url = url
        self.page = page
        self.restaurant = LiveStore(made["restaurant"], made["token"], lambda: url)

    def open(self, path):
        self.page.goto(self.url + path)

    def judged(self, looks=LOOKS):
        """Return what axe finds grave about the page as it is now, in each of the looks."""
        return [
            (width, scheme, each["id"], node["target"], node["failureSummary"])
            for width, scheme, each in axe_rules.find_violations_in_looks(self.page, looks)
            for node in each["nodes"]
        ]

    def order(self, **fields):
        """Place an order by the API; return it."""
        menu = self.restaurant.send("GET", "/menu")[1]
        item = next(each for each in menu[0]["items"] if each["name"] == "Bread")
        body = {"type": "takeaway", "items": [{"item_id": item["id"], "quantity": 2, "note": "Sliced"}], **fields}
        status, order = self.restaurant.send("POST", "/orders", body)
        assert status == 201, order
        return order


@pytest.fixture(scope="module")
def shops():
    """Yield the address of a server, and what was made there."""
    data = create_migrated_data_folder()
    installation = Installation(
        data,
        {
            "COMANDA_LOG_LEVEL": "warning",
            "COMANDA_DEVELOPMENT": "true",
        },
    )
    try:
        with installation.running("serve") as running:
            made = json.loads(installation.run_program(FILL))
            yield running.url, made
    finally:
        shutil.rmtree(data, ignore_errors=True)


@pytest.fixture
def visit(shops, browser):
    """Open a page in which nobody has been."""
    page = browser.new_page()
    yield Visit(*shops, page)
    page.close()


@pytest.mark.parametrize(
    "path",
    ["/", "/outbox/", "/s/nowhere", "/t/nothing", "/nothing"],
)
def test_core_pages_and_errors(visit, path):
    visit.open(path)

    assert visit.judged() == []


@pytest.mark.parametrize("slug", ["restaurant", "retail"])
def test_a_stores_menu_its_choices_and_its_order(visit, slug):
    page = visit.page
    visit.open(f"/s/{slug}?table=4")
    assert visit.judged(ALL_LOOKS) == []

    page.get_by_role("button", name="Choose Pizza").click()
    page.get_by_label("Red").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Add ·").click()
    page.get_by_text("Required: choose one.").wait_for()
    assert visit.judged() == []
    page.get_by_label("Red").check()
    page.get_by_role("dialog").get_by_role("button", name="Add ·").click()

    page.get_by_role("button", name="View your order").click()
    page.get_by_role("button", name="Order · €10").wait_for()
    assert visit.judged(ALL_LOOKS) == []

    page.get_by_role("button", name="Remove Pizza").click()
    assert visit.judged() == []


def test_an_order_that_is_refused_says_so_to_everybody(visit):
    page = visit.page
    visit.open("/s/restaurant")
    page.get_by_role("button", name="Add Bread").click()
    page.get_by_role("button", name="View your order").click()
    page.get_by_label("Dine in").check()
    page.get_by_role("button", name="Order ·").click()
    page.locator("[aria-invalid=true]").first.wait_for()

    assert visit.judged() == []


def test_a_withdrawal_and_its_acknowledgement(visit):
    page = visit.page
    words = {"has_withdrawal": True, "withdrawal": "Within 14 days.", "withdrawal_exceptions": "Opened jars."}
    assert visit.restaurant.send("PUT", "/settings/legal", words)[0] == 200
    visit.open("/s/restaurant/legal/withdraw")
    assert visit.judged(ALL_LOOKS) == []
    page.get_by_role("button", name="Continue").click()
    page.locator("[aria-invalid=true]").first.wait_for()
    assert visit.judged() == []
    for name, text in {"name": "Eve Costa", "contract": "1", "email": "eve@example.com"}.items():
        page.locator(f'[name="{name}"]').fill(text)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Confirm withdrawal").wait_for()
    assert visit.judged(ALL_LOOKS) == []
    page.get_by_role("button", name="Confirm withdrawal").click()
    page.get_by_role("heading", name="Withdrawal received").wait_for()
    assert visit.judged(ALL_LOOKS) == []
    visit.open("/s/restaurant/legal/withdrawal")
    assert visit.judged(ALL_LOOKS) == []


def test_the_account_of_a_guest(visit):
    page, phone = visit.page, "+351912345678"
    visit.open("/s/restaurant")
    page.locator("[data-account] button").click()
    account = page.get_by_role("dialog")
    account.get_by_label("Phone number").fill("1")
    account.get_by_role("button", name="Send code").click()
    account.locator("[aria-invalid=true]").wait_for()
    assert visit.judged(ALL_LOOKS) == []
    account.get_by_label("Phone number").fill(phone)
    account.get_by_role("button", name="Send code").click()
    account.get_by_label("Code", exact=True).wait_for()
    assert visit.judged() == []
    with urlopen(f"{visit.url}/outbox/?to={phone.removeprefix('+')}") as answer:
        account.get_by_label("Code", exact=True).fill(re.search(r"\d{6}(?= is your code)", answer.read().decode())[0])
    account.get_by_role("button", name="Add an address").click()
    assert visit.judged(ALL_LOOKS) == []
    account.get_by_label("Street and number").fill("Rua da Prata 8")
    account.get_by_role("button", name="Save address").click()
    account.get_by_text("Rua da Prata 8").wait_for()
    assert visit.judged(ALL_LOOKS) == []
    account.get_by_role("button", name="Close").click()

    page.get_by_role("button", name="Add Bread").click()
    page.get_by_role("button", name="View your order").click()
    page.get_by_label("Delivery", exact=True).check()
    page.get_by_text("Where should we deliver?").wait_for()
    page.locator('[data-amounts][aria-busy="false"]').wait_for()
    assert visit.judged(ALL_LOOKS) == []
    page.get_by_label("Another address").check()
    page.locator('[data-amounts][aria-busy="false"]').wait_for()
    assert visit.judged() == []

    visit.open(f"/outbox/?to={phone.removeprefix('+')}")
    assert visit.judged() == []


@pytest.mark.parametrize("moves", [(), ("preparing",), ("ready",), ("completed",), ("cancelled",)])
def test_an_order_in_each_state(visit, moves):
    order = visit.order(phone="+351 210 000 000", customer_name="Ada")
    for status in moves:
        visit.restaurant.send("PUT", f"/orders/{order['id']}/status", {"status": status})
    visit.open(f"/t/{order['track_token']}")

    assert visit.judged() == []


def test_an_order_on_its_way(visit):
    order = visit.order(type="delivery", address="Rua das Oliveiras 14, 1200-310 Lisboa")
    visit.restaurant.send("PUT", f"/orders/{order['id']}/delivery-status", {"delivery_status": "out_for_delivery"})
    visit.open(f"/t/{order['track_token']}")

    assert visit.judged() == []


def test_the_printable_codes(visit):
    address = f"{visit.url}/api/v1/restaurants/{visit.restaurant.id}/qr/sheet?tables=1-9"
    request = Request(address, headers={"Authorization": f"Bearer {visit.restaurant.token}"})
    with urlopen(request, timeout=120) as answer:
        visit.page.set_content(answer.read().decode())

    assert visit.judged() == []


def test_paying_online(visit):
    order = visit.order()
    visit.open(f"/pay/{order['track_token']}")

    assert visit.page.get_by_role("button", name="Pay").count() == 1
    assert visit.judged(ALL_LOOKS) == []
    visit.page.get_by_role("button", name="Pay").click()
    visit.page.wait_for_url("**/demobank/**")
    visit.page.get_by_role("heading", name="€4.00").wait_for()
    assert visit.judged(ALL_LOOKS) == []
    visit.page.get_by_role("button", name="Pay with 3-D Secure").click()
    visit.page.get_by_role("button", name="Yes, it is me").click()
    visit.page.get_by_role("heading", name="Thank you!").wait_for()


def test_the_login_of_the_kitchen_screen(visit):
    visit.open("/kitchen/?store=restaurant")

    assert visit.judged(ALL_LOOKS) == []
