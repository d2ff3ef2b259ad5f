"""A guest who comes back, on a phone: sign-in by code, an address, a delivery, ordering again, another device."""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import open_store
from storefront_guest import StorefrontGuest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

expect = sync_api.expect
CODE = re.compile(r"\b\d{6}(?= is your code)")


class ReturningGuest(StorefrontGuest):
    """A guest who signs in with a phone number."""

    @property
    def account(self):
        return self.page.locator("dialog#account[open]")

    def open_account(self):
        self.page.locator("[data-account] button").click()
        return self.account

    def enter_phone(self, phone):
        """Ask for a code on the open dialog, and return it from the outbox."""
        self.account.get_by_label("Phone number").fill(phone)
        self.account.get_by_role("button", name="Send code").click()
        self.account.get_by_label("Code", exact=True).wait_for()
        with urlopen(f"{self.url}/outbox/?to={phone.removeprefix('+')}") as answer:
            return CODE.search(answer.read().decode())[0]

    def enter_code(self, code):
        self.account.get_by_label("Code", exact=True).fill(code)

    def sign_in(self, phone):
        """Sign in from the header, and close the account again."""
        self.open_account()
        self.enter_code(self.enter_phone(phone))
        expect(self.account.get_by_role("heading", name="Your account")).to_be_visible()
        self.close_account()

    def close_account(self):
        self.account.locator("[data-close]").click()
        expect(self.account).to_have_count(0)

    def wait_until_saved(self, act):
        """Do something that changes the cart, and wait until the account has it."""
        with self.page.expect_response(lambda answer: answer.url.endswith("/account/cart")) as saved:
            act()
        assert saved.value.json()["is_saved"]


class Restaurant:
    """A restaurant that delivers for 2.50, with a bread and a soup."""

    def __init__(self, store):
        self.store = store
        self.bread, self.soup = store.add_item("Bread", 2), store.add_item("Soup", 5)
        assert store.send("PUT", "/delivery-terms", {"fee": 2.5, "min_order": 4})[0] == 200

    def list_orders(self):
        return self.store.send("GET", "/orders")[1]["data"]

    def change(self, item_id, **fields):
        assert self.store.send("PUT", f"/menu/items/{item_id}", fields)[0] == 200


@pytest.fixture(scope="session")
def restaurant(installation, server):
    return Restaurant(open_store(installation, lambda: server.url, "Returning"))


@pytest.fixture
def open_guest(browser, restaurant):
    """Open the page of the store on a phone of its own."""
    opened = []

    def open_phone():
        guest = ReturningGuest(browser, restaurant.store.url(), "returning")
        opened.append(guest)
        return guest.open()

    yield open_phone
    for guest in opened:
        guest.close()


def test_guest_signs_in_and_has_an_order_delivered_to_a_saved_address(restaurant, open_guest):
    guest = open_guest()
    guest.add(restaurant.soup)
    order = guest.open_order()
    order.get_by_role("button", name="Sign in").click()
    guest.enter_code(guest.enter_phone("+351912345671"))
    # Signing in leads back to the order.
    expect(guest.account).to_have_count(0)
    expect(order.get_by_text("Signed in as")).to_be_visible()
    expect(order.locator('[name="phone"]')).to_have_value("+351912345671")
    guest.choose("type", "delivery")
    guest.fill(address="Rua da Prata 8", customer_name="Ana Silva", address_instructions="Ring twice")
    order.get_by_label("City").fill("Lisboa")

    guest.page.reload()

    order = guest.order
    expect(order.locator('[name="address"]')).to_have_value("Rua da Prata 8")
    expect(order.get_by_label("City")).to_have_value("Lisboa")
    expect(order.get_by_text("Signed in as")).to_be_visible()
    expect(order.get_by_label("Save this address")).to_be_checked()
    order.get_by_label("Name of the address").fill("Home")
    expect(guest.submit).to_have_text("Order · €7.50")
    guest.finish()
    placed = restaurant.list_orders()[0]
    assert (placed["type"], placed["total"], placed["address"]) == ("delivery", 7.5, "Rua da Prata 8, Lisboa")
    assert (placed["customer_name"], placed["phone"]) == ("Ana Silva", "+351912345671")

    # The next time, the address is there and chosen.
    guest.open()
    expect(guest.page.locator("[data-account] button")).to_have_text("Ana")
    guest.add(restaurant.soup)
    order = guest.open_order()
    guest.choose("type", "delivery")
    expect(order.get_by_role("radio", name="Home Rua da Prata 8, Lisboa")).to_be_checked()
    expect(order.locator('[name="address_instructions"]')).to_have_value("Ring twice")
    expect(guest.submit).to_have_text("Order · €7.50")
    guest.finish()
    assert restaurant.list_orders()[0]["address"] == "Rua da Prata 8, Lisboa"
    assert guest.wrong == []


def test_wrong_code_is_said_at_its_field(open_guest):
    guest = open_guest()
    guest.open_account()
    code = guest.enter_phone("+351912345672")

    guest.enter_code(str((int(code) + 1) % 10**6).zfill(6))

    expect(guest.account.get_by_label("Code", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(guest.account.locator("#sign-in-code-problem")).not_to_be_empty()
    guest.enter_code(code)
    expect(guest.account.get_by_role("heading", name="Your account")).to_be_visible()


def test_cart_follows_the_guest_and_leaves_with_them(restaurant, open_guest):
    first = open_guest()
    first.sign_in("+351912345673")
    first.wait_until_saved(lambda: first.add(restaurant.bread))
    second = open_guest()
    second.add(restaurant.soup)

    second.wait_until_saved(lambda: second.sign_in("+351912345673"))

    # Both were filled, so both stay: on the second phone, and on the first once it is opened again.
    for phone in (second, first):
        phone.open()
        expect(phone.page.locator("[data-bar]")).to_contain_text("€7.00")
    second.open_order()
    second.wait_until_saved(lambda: second.order.get_by_role("button", name="Remove Bread").click())
    first.open()
    expect(first.page.locator("[data-bar]")).to_contain_text("€5.00")

    first.open_account().get_by_role("button", name="Sign out").click()

    expect(first.page.locator("[data-account] button")).to_have_text("Sign in")
    expect(first.page.locator("[data-bar]")).to_be_hidden()
    assert first.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('comanda.cart'))") == []
    assert "+351" not in first.page.evaluate("JSON.stringify(localStorage)")
    # Signing out of one phone leaves the other signed in, with its cart.
    second.open()
    expect(second.page.locator("[data-account] button")).to_have_text("Account")
    expect(second.page.locator("[data-bar]")).to_contain_text("€5.00")
    assert [cookie["httpOnly"] for cookie in second.context.cookies() if "customer" in cookie["name"]] == [True]
    assert first.wrong == second.wrong == []


def test_past_order_is_ordered_again_at_the_prices_of_today(restaurant, open_guest):
    guest = open_guest()
    guest.sign_in("+351912345674")
    guest.add(restaurant.bread)
    guest.add(restaurant.soup)
    guest.open_order()
    guest.choose("type", "takeaway")
    expect(guest.submit).to_have_text("Order · €7.00")
    token = guest.finish()
    restaurant.change(restaurant.bread, price=3)
    restaurant.change(restaurant.soup, is_sold_out=True)
    try:
        guest.open()
        account = guest.open_account()
        past = account.get_by_role("list", name="Past orders")
        expect(past.get_by_text("Bread, Soup")).to_be_visible()
        expect(past.get_by_role("link")).to_have_attribute("href", f"/t/{token}")

        past.get_by_role("button", name="again").click()

        expect(guest.account).to_have_count(0)
        expect(guest.order.get_by_text("The price is €3.00 now. It was €2.00.")).to_be_visible()
        expect(guest.order.get_by_text("Soup is sold out.")).to_be_visible()
        guest.order.get_by_role("button", name="Remove and go on").click()
        expect(guest.submit).to_have_text("Order · €3.00")
        guest.finish()
        assert restaurant.list_orders()[0]["total"] == 3
    finally:
        restaurant.change(restaurant.bread, price=2)
        restaurant.change(restaurant.soup, is_sold_out=False)


def test_addresses_are_kept_in_the_account(open_guest):
    guest = open_guest()
    guest.sign_in("+351912345675")
    account = guest.open_account()
    for street in ("Rossio 1", "Rua Augusta 2"):
        account.get_by_role("button", name="Add an address").click()
        account.get_by_role("button", name="Save address").click()
        expect(account.get_by_text("Enter the street and number.")).to_be_visible()
        account.get_by_label("Street and number").fill(street)
        account.get_by_role("button", name="Save address").click()
        expect(account.get_by_text(street)).to_be_visible()
    rows = account.locator(".address-book li")
    expect(rows.filter(has=guest.page.locator(".badge"))).to_contain_text("Rossio 1")

    account.get_by_role("button", name="Use Rua Augusta 2 by default").click()
    expect(rows.filter(has=guest.page.locator(".badge"))).to_contain_text("Rua Augusta 2")
    account.get_by_role("button", name="Delete Rossio 1").click()

    expect(rows).to_have_count(1)
    assert guest.wrong == []


def test_order_below_the_minimum_says_so_before_it_is_sent(restaurant, open_guest):
    guest = open_guest()
    guest.add(restaurant.bread)
    order = guest.open_order()

    guest.choose("type", "delivery")

    expect(order.get_by_text("The minimum order for delivery is 4.00 EUR; these items total 2.00 EUR.")).to_be_visible()
    expect(order.get_by_text("€2.50")).to_be_visible()
    # What is only missing is no mistake yet.
    expect(order.get_by_text("Delivery address is required.")).to_have_count(0)
    order.get_by_role("button", name="One more Bread").click()
    expect(guest.submit).to_have_text("Order · €6.50")
    guest.submit.click()
    expect(order.get_by_text("Delivery address is required.")).to_be_visible()
    expect(order.locator('[name="address"]')).to_be_focused()
    assert [each for each in guest.wrong if "422" not in each] == []


def test_guest_spends_points_on_a_reward(browser, installation, server):
    store, phone = open_store(installation, lambda: server.url, "Points"), "+351912345679"
    soup = store.add_item("Soup", 5)
    assert store.send("PUT", "/loyalty", {"is_on": True, "points": 1})[0] == 200
    for name, points in (("Two off", 40), ("Four off", 400)):
        body = {"name": name, "type": "fixed", "value": 2, "points": points}
        assert store.send("POST", "/loyalty/rewards", body)[0] == 201
    guest = ReturningGuest(browser, store.url(), "points").open()
    guest.sign_in(phone)
    [customer] = store.send("GET", "/customers")[1]["data"]
    entries = f"/loyalty/customers/{customer['id']}/entries"
    assert store.send("POST", entries, {"points": 50, "reason": "Welcome"})[0] == 201

    guest.page.reload()
    account = guest.open_account()
    expect(account.get_by_text("You have 50 points.")).to_be_visible()
    guest.close_account()
    guest.add(soup)
    order = guest.open_order()
    rewards = order.get_by_label("Reward")
    expect(rewards.locator("option:disabled")).to_contain_text("for 400 points")
    rewards.select_option(index=1)
    expect(guest.submit).to_contain_text("€3.00")
    guest.fill(customer_name="Ana")
    guest.finish()

    assert [order["total"] for order in store.send("GET", "/orders")[1]["data"]] == [3]
    assert store.send("GET", f"/loyalty/customers/{customer['id']}")[1]["balance"] == 10
    guest.close()


REGISTER_ASSISTANT = """
from comanda.cli.session import call
from comanda_oauth.models import ClientKind, ClientOrigin
from comanda_oauth.records import NewClient
from comanda_oauth.services.clients import clients

async def work():
    new = NewClient("Helper", ("http://127.0.0.1/callback",), ("orders", "profile"), ClientKind.PUBLIC)
    return (await clients.create_client(0, new, ClientOrigin.REGISTRATION)).client.client_id

print(call(work))
"""


@pytest.fixture
def callback():
    """The address at which an assistant on this machine waits for its code."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            """Keep the output of tests clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        Thread(target=listener.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{listener.server_port}/callback"
        listener.shutdown()


def test_guest_connects_an_assistant_and_disconnects_it(browser, installation, server, callback):
    store, phone = open_store(installation, lambda: server.url, "Assisted"), "+351912345680"
    guest = ReturningGuest(browser, store.url(), "assisted")
    page = guest.page
    wanted = {
        "response_type": "code", "client_id": installation.run_program(REGISTER_ASSISTANT).splitlines()[-1],
        "redirect_uri": callback, "scope": "orders profile",
        "code_challenge": "a" * 43, "code_challenge_method": "S256",
        "resource": f"{store.url().replace('127.0.0.1', 'localhost')}/mcp/customer?store=assisted",
    }  # fmt: skip

    page.goto(f"{store.url()}/oauth/authorize?{urlencode(wanted)}")
    page.get_by_label("Phone number").fill("12")
    page.get_by_role("button", name="Send code").click()
    expect(page.get_by_label("Phone number")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Phone number").fill(phone)
    page.get_by_role("button", name="Send code").click()
    page.get_by_label("Code from the text message").wait_for()
    with urlopen(f"{store.url()}/outbox/?to={phone.removeprefix('+')}") as answer:
        page.get_by_label("Code from the text message").fill(CODE.search(answer.read().decode())[0])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Connect Helper?")).to_be_visible()
    page.get_by_role("button", name="Allow").click()
    page.wait_for_url(f"{callback}?code=*")

    guest.open()
    guest.sign_in(phone)
    account = guest.open_account()
    expect(account.get_by_text(wanted["resource"])).to_be_visible()
    account.get_by_role("button", name="Disconnect Helper").click()
    expect(account.get_by_text("Helper is disconnected.")).to_be_visible()
    expect(account.get_by_role("button", name="Disconnect Helper")).to_have_count(0)
    assert [each for each in guest.wrong if "422" not in each] == []
    guest.close()
