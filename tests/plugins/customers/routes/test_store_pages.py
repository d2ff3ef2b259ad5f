"""The account on a store's page."""

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql
from comanda_customers.routes import store_pages

PHONE = "+351912345678"
OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
ADDRESS = {"line1": "Rua da Prata 8", "city": "Lisboa", "label": "Home"}
SELECT_TEXT = "SELECT text FROM notifications_message WHERE owner_id = $1 AND address = $2 ORDER BY id DESC LIMIT 1"


class Browser:
    """A browser with the page of a store open, which keeps the cookies that it is sent."""

    def __init__(self, store, slug):
        self.store, self.slug, self.cookies = store, slug, {}

    async def send(self, method, path="", body=None, headers=OWN_PAGE):
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        options = {} if body is None else {"json": body}
        response = await self.store.client.open(
            f"/s/{self.slug}/account{path}", method=method, headers={**headers, "Cookie": cookie}, **options
        )
        for header in response.headers.getlist("Set-Cookie"):
            name, _, rest = header.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return response, await response.get_json()

    async def read(self, path=""):
        response, document = await self.send("GET", path, headers={"Sec-Fetch-Site": "same-origin"})
        assert response.status_code == 200, document
        return document

    async def request_code(self, phone=PHONE):
        response, document = await self.send("POST", "/code", {"phone": phone})
        assert (response.status_code, document) == (200, {"sent": True, "expires_in": 600})
        text = await sql.fetch_value(SELECT_TEXT, self.store.owner.id, phone)
        return text.partition(" ")[0]

    async def sign_in(self, phone=PHONE):
        return await self.send("POST", "/session", {"phone": phone, "code": await self.request_code(phone)})


async def open_browser(store):
    return Browser(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))


@pytest.fixture
async def browser(store):
    return await open_browser(store)


@pytest.fixture
async def guest(browser):
    """A browser in which a guest is signed in."""
    response, document = await browser.sign_in()
    assert response.status_code == 200, document
    browser.id = document["customer"]["id"]
    return browser


@pytest.fixture
async def other_browser(client, other_owner):
    """A browser at the store of another owner."""
    return await open_browser(TestStore(client, other_owner, await other_owner.store()))


async def test_guest_signs_in_by_code(browser, store):
    response, document = await browser.sign_in()

    assert response.status_code == 200
    assert document["customer"] | {"id": 0} == {"id": 0, "name": None, "email": None, "phone": PHONE}
    assert (document["cart"], document["addresses"]) == ({"lines": [], "version": 0, "is_saved": True}, [])
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith(f"comanda_customer_{store.id}=ses_")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert response.headers["Cache-Control"] == "no-store"
    assert (await browser.read())["customer"]["phone"] == PHONE


async def test_nobody_is_signed_in_at_first(browser):
    assert await browser.read() == {"customer": None, "cart": None, "addresses": []}
    response, document = await browser.send("GET", "/orders")
    assert (response.status_code, document["reason"]) == (401, "signed_out")


async def test_wrong_code_signs_nobody_in(browser):
    code = await browser.request_code()

    response, document = await browser.send("POST", "/session", {"phone": PHONE, "code": str((int(code) + 1) % 10**6)})

    assert (response.status_code, document["reason"]) == (422, "otp_invalid")
    assert list(document["errors"]) == ["code"]

    headers = {**OWN_PAGE, "Accept-Language": "de"}
    _, document = await browser.send("POST", "/session", {"phone": PHONE, "code": "1"}, headers)
    assert document["errors"] == {"code": ["Dieser Code ist falsch oder wurde schon verwendet."]}
    assert browser.cookies == {}
    assert (await browser.read())["customer"] is None


async def test_sign_out_ends_the_session(guest):
    kept = dict(guest.cookies)

    response, document = await guest.send("DELETE", "/session")

    assert (response.status_code, document["customer"]) == (200, None)
    guest.cookies = kept
    assert (await guest.read())["customer"] is None


async def test_signing_in_again_ends_the_earlier_session(guest):
    earlier = dict(guest.cookies)

    await guest.sign_in("+351912345670")

    assert (await guest.read())["customer"]["phone"] == "+351912345670"
    guest.cookies = earlier
    assert (await guest.read())["customer"] is None


async def test_customer_of_one_store_is_nobody_at_another(guest, other_browser, owner, client):
    secret = next(iter(guest.cookies.values()))
    sister = await open_browser(TestStore(client, owner, await owner.store()))
    for elsewhere in (other_browser, sister):
        elsewhere.cookies = {**guest.cookies, f"comanda_customer_{elsewhere.store.id}": secret}

        assert (await elsewhere.read())["customer"] is None
        response, _ = await elsewhere.send("PUT", "/profile", {"name": "Mallory"})
        assert response.status_code == 401
    assert (await guest.read())["customer"]["name"] is None


async def test_session_of_a_customer_opens_no_page_of_an_account(guest):
    secret = next(iter(guest.cookies.values()))

    response = await guest.store.client.get("/account/security", headers={"Cookie": f"comanda_session={secret}"})

    assert response.status_code == 303
    assert response.headers["Location"].startswith("/sign-in")


async def test_api_accepts_no_cookie(guest):
    cookie = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())

    response = await guest.store.client.get("/api/v1/customer/me", headers={"Cookie": cookie, **OWN_PAGE})

    assert response.status_code == 401


CHANGES = [
    ("POST", "/code", {"phone": PHONE}),
    ("POST", "/session", {"phone": PHONE, "code": "123456"}),
    ("DELETE", "/session", None),
    ("PUT", "/profile", {"name": "Mallory"}),
    ("POST", "/addresses", ADDRESS),
    ("PUT", "/addresses/1", ADDRESS),
    ("DELETE", "/addresses/1", None),
    ("PUT", "/cart", {"lines": [], "version": 0}),
]
FOREIGN = [
    {},
    {"Origin": "null"},
    {"Origin": "http://evil.example"},
    {"Origin": "http://["},
    {"Origin": "http://comanda.test", "Sec-Fetch-Site": "cross-site"},
    {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-site"},
]


async def test_call_from_another_site_returns_403(guest, subtests):
    before = await guest.read()

    for method, path, body in CHANGES:
        with subtests.test(method=method, path=path, body=body):
            for headers in FOREIGN:
                response, document = await guest.send(method, path, body, headers)
                assert (response.status_code, document["code"]) == (403, "forbidden"), headers

            assert await guest.read() == before


async def test_reads_from_another_site_return_403(guest):
    for path in ("", "/orders"):
        response, _ = await guest.send("GET", path, headers={"Sec-Fetch-Site": "cross-site"})
        assert response.status_code == 403


async def test_form_is_no_call(guest):
    response = await guest.store.client.post(
        f"/s/{guest.slug}/account/code", data=b'{"phone": "+351912345678"}',
        headers={**OWN_PAGE, "Content-Type": "text/plain"},
    )  # fmt: skip

    assert response.status_code == 415


@pytest.mark.parametrize(("method", "path", "body"), [*CHANGES, ("GET", "", None), ("GET", "/orders", None)])
async def test_suspended_owner_has_no_accounts(guest, method, path, body):
    await administration.set_suspended(guest.store.owner.email, is_suspended=True)

    response, _ = await guest.send(method, path, body)

    assert response.status_code == 404


@pytest.mark.parametrize("slug", ["nothing", "%00", "%ff", "x" * 3000, "%F0%9F%92%A9"])
async def test_unknown_store_returns_404(browser, slug):
    browser.slug = slug

    assert (await browser.send("GET"))[0].status_code == 404
    assert (await browser.send("POST", "/code", {"phone": PHONE}))[0].status_code == 404


async def test_codes_are_limited_with_those_of_the_api(browser, monkeypatch):
    monkeypatch.setattr(store_pages, "MAX_CODES_PER_MINUTE", 2)

    answers = [await browser.send("POST", "/code", {"phone": f"+35191234567{number}"}) for number in range(6)]

    assert [response.status_code == 429 for response, _ in answers] == [False] * 2 + [True] * 4


async def test_guest_changes_their_name(guest):
    response, document = await guest.send("PUT", "/profile", {"name": " Ada Lovelace "})

    assert (response.status_code, document["customer"]["name"]) == (200, "Ada Lovelace")
    assert document["customer"]["phone"] == PHONE
    assert (await guest.send("PUT", "/profile", {"name": ""}))[0].status_code == 422


async def test_first_address_becomes_the_default(guest):
    _, home = await guest.send("POST", "/addresses", ADDRESS)
    _, work = await guest.send("POST", "/addresses", {"line1": "Rossio 1", "instructions": "Ring"})

    assert (home["is_default"], work["is_default"]) == (True, False)
    assert [one["id"] for one in (await guest.read())["addresses"]] == [work["id"], home["id"]]
    await guest.send("PUT", f"/addresses/{work['id']}", {"is_default": True})
    response, left = await guest.send("DELETE", f"/addresses/{home['id']}")
    assert response.status_code == 200
    assert [(one["id"], one["is_default"]) for one in left["addresses"]] == [(work["id"], True)]


async def test_address_that_is_sent_twice_is_saved_once(guest):
    _, home = await guest.send("POST", "/addresses", ADDRESS)
    response, again = await guest.send("POST", "/addresses", ADDRESS)
    _, other = await guest.send("POST", "/addresses", {**ADDRESS, "instructions": "Ring three times"})

    assert (response.status_code, again) == (201, home)
    assert [one["id"] for one in (await guest.read())["addresses"]] == [other["id"], home["id"]]


async def test_address_of_another_customer_returns_404(guest):
    _, home = await guest.send("POST", "/addresses", ADDRESS)
    other = Browser(guest.store, guest.slug)
    await other.sign_in("+351912345670")

    assert (await other.send("PUT", f"/addresses/{home['id']}", {"label": "Mine"}))[0].status_code == 404
    assert (await other.send("DELETE", f"/addresses/{home['id']}"))[0].status_code == 404
    assert (await guest.read())["addresses"] == [home]


async def test_past_orders_can_be_ordered_again(guest, assign_to_customer):
    soup = await guest.store.item("Soup", 5)
    placed = await guest.store.order(line(soup, 2, note="Hot"))
    await guest.store.order(line(soup))
    await assign_to_customer(placed["id"], guest.id)

    (order,) = (await guest.read("/orders"))["orders"]

    assert (order["number"], order["total_minor"], order["status"]) == (placed["number"], 1000, "new")
    assert order["track_token"] == placed["track_token"]
    assert order["lines"] == [
        {"item": soup["id"], "variation": None, "extras": [], "quantity": 2, "note": "Hot", "name": "Soup",
         "details": "", "unit_minor": 500},
    ]  # fmt: skip


async def test_cart_follows_the_guest_to_another_device(guest):
    shown = {"name": "Soup", "details": "Large, Bread", "unit": 700}
    lines = [{"item": 1, "variation": None, "extras": [7, 7], "quantity": 2, "note": "Hot", **shown}]
    _, saved = await guest.send("PUT", "/cart", {"lines": lines, "version": 0})
    phone = Browser(guest.store, guest.slug)

    _, account = await phone.sign_in()

    assert saved == {"lines": lines, "version": 1, "is_saved": True}
    assert account["cart"] == saved
    assert account["customer"]["id"] == guest.id


async def test_cart_changed_elsewhere_is_returned_instead(guest):
    one, two = ({"lines": [{"item": item, "quantity": 1}], "version": 0} for item in (1, 2))
    await guest.send("PUT", "/cart", one)

    response, found = await guest.send("PUT", "/cart", two)

    assert (response.status_code, found["is_saved"], found["version"]) == (200, False, 1)
    assert [line["item"] for line in found["lines"]] == [1]
    assert (await guest.read())["cart"]["version"] == 1


MALFORMED_CARTS = [
    {}, {"lines": None, "version": 0}, {"lines": [{"item": 0, "quantity": 1}], "version": 0},
    {"lines": [{"item": 1, "quantity": 0}], "version": 0}, {"lines": [{"item": 1, "quantity": 1}], "version": -1},
    {"lines": [{"item": 1, "quantity": 1}] * 101, "version": 0},
    {"lines": [{"item": 1, "quantity": 1, "extras": ["x"]}], "version": 0},
]  # fmt: skip


async def test_malformed_cart_returns_422(guest, subtests):
    for body in MALFORMED_CARTS:
        with subtests.test(body=body):
            response, _ = await guest.send("PUT", "/cart", body)

            assert response.status_code == 422
            assert (await guest.read())["cart"]["version"] == 0


async def test_erasure_signs_out_and_deletes_the_cart(guest, owner):
    await guest.send("PUT", "/cart", {"lines": [{"item": 1, "quantity": 1, "note": "For Ada"}], "version": 0})
    exported = await guest.store.get(f"/customers/{guest.id}/export")

    reply = await guest.store.send("DELETE", f"/customers/{guest.id}")

    assert reply.status == 204
    assert [line["note"] for line in exported["cart"]["lines"]] == ["For Ada"]
    assert [device["name"] for device in exported["devices"]] == ["Unknown browser"]
    assert (await guest.read())["customer"] is None
    assert await sql.fetch_value("SELECT count(*) FROM customers_saved_cart WHERE owner_id = $1", owner.id) == 0
    assert await sql.fetch_value("SELECT count(*) FROM core_web_session WHERE owner_id = $1", owner.id) == 0
