"""Orders that guests place while they are signed in on a store's page."""

import pytest
from comanda.accounts import web_sessions
from comanda.basics import clock
from comanda.devkit.testing import line
from comanda.platform.db import sql

INSERT_CUSTOMER = """
    INSERT INTO customers_customer (owner_id, store_id, name, phone, login_phone, created_at)
    VALUES ($1, $2, 'Ada', $3, $3, $4) RETURNING id
"""
ERASE_CUSTOMER = """
    UPDATE customers_customer SET erased_at = $2, name = NULL, phone = NULL, login_phone = NULL WHERE id = $1
"""


class SignedInGuest:
    """A customer of the store with its page open."""

    def __init__(self, page, customer_id, secret):
        self.page, self.customer_id = page, customer_id
        self.headers = {**page.headers, "Cookie": f"comanda_customer_{page.store.id}={secret}"}

    async def send(self, path, *lines, **fields):
        # The page fills in the name of the account.
        body = {"type": "takeaway", "customer_name": "Ada", "items": list(lines), **fields}
        return await self.page.send(path, body, self.headers)


@pytest.fixture
def sign_in(page_guest, owner):
    async def create(phone="+351912345678", store_id=page_guest.store.id):
        customer_id = await sql.fetch_value(INSERT_CUSTOMER, owner.id, store_id, phone, clock.now())
        secret, _ = await web_sessions.create_session(
            owner_id=owner.id, kind="customer", store_id=store_id, subject_id=customer_id, scopes=("customer",)
        )
        return SignedInGuest(page_guest, customer_id, secret)

    return create


async def find_owner_of(placed):
    return await sql.fetch_value("SELECT customer_id FROM core_order WHERE id = $1", placed["id"])


async def test_order_belongs_to_the_customer(sign_in, page_guest, soup):
    ada = await sign_in()

    response, placed = await ada.send("orders", line(soup, 2), expected_total=10)
    _, quote = await ada.send("quote", line(soup, 2))

    assert (response.status_code, placed["total"], quote["total"]) == (201, 10, 10)
    assert await find_owner_of(placed) == ada.customer_id
    _, anonymous = await page_guest.order(line(soup, 2))
    assert (anonymous["total"], await find_owner_of(anonymous)) == (10, None)


async def test_repeated_order_is_found_again(sign_in, page_guest, soup):
    ada = await sign_in()

    _, first = await ada.send("orders", line(soup), client_uuid="k" * 32)
    _, second = await ada.send("orders", line(soup), client_uuid="k" * 32)

    assert first["id"] == second["id"]
    assert await page_guest.orders() == 1


async def test_customer_of_another_store_is_an_unknown_guest(sign_in, owner, soup):
    elsewhere = await sign_in(store_id=await owner.store())

    response, placed = await elsewhere.send("orders", line(soup))

    assert (response.status_code, await find_owner_of(placed)) == (201, None)


async def test_erased_customer_orders_nothing(sign_in, page_guest, soup):
    ada = await sign_in()
    # The erasure has ended no session yet: it runs at the same time.
    await sql.execute(ERASE_CUSTOMER, ada.customer_id, clock.now())

    response, refused = await ada.send("orders", line(soup))

    assert (response.status_code, refused["reason"]) == (401, "signed_out")
    assert await page_guest.orders() == 0


async def test_suspended_owner_takes_no_orders_of_customers(sign_in, page_guest, soup, suspend):
    ada = await sign_in()
    await suspend(page_guest.store.owner)

    response, _ = await ada.send("orders", line(soup))

    assert response.status_code == 404
