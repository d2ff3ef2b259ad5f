"""The open check of a table, for guests who have read the code of its card."""

import pytest
from comanda.devkit.testing import line
from comanda_storefront.services import table_codes

OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}


class Table:
    """A table of a store whose guests see its open check, and a guest with a phone of their own."""

    def __init__(self, store, soup):
        self.store, self.soup = store, soup

    async def set_ordering(self, **fields):
        assert (await self.store.send("PUT", "/settings/storefront", fields)).status == 200

    async def order(self, table="4", **fields):
        return await self.store.order(line(self.soup, note="Allergic to nuts"), type="on-table", table_number=table,
                                      customer_name="Ada", phone="+351912345678", note="For Ada", **fields)  # fmt: skip

    async def get_code(self, table="4"):
        slug = (await self.store.get())["slug"]
        address = await table_codes.build_table_url(self.store.owner.id, self.store.id, slug, table)
        return address.partition("#code=")[2]

    async def scan(self, table="4", code=None):
        """Return the status and the open checks that the page of the table lists."""
        slug = (await self.store.get())["slug"]
        body = {"table": table, "code": await self.get_code(table) if code is None else code}
        response = await self.store.client.post(f"/s/{slug}/table-checks", json=body, headers=OWN_PAGE)
        return response.status_code, await response.get_json()

    async def read(self, path, method="GET", **fields):
        response = await self.store.client.open(path, method=method, **fields)
        return response.status_code, await response.get_data(as_text=True)


@pytest.fixture
async def table(store, soup):
    found = Table(store, soup)
    await found.set_ordering(opens_checks=True)
    return found


async def test_code_opens_the_check_of_its_table(table):
    order = await table.order()
    await table.order(table="5")

    status, checks = await table.scan()

    assert (status, [each["number"] for each in checks]) == (200, [order["number"]])
    assert (checks[0]["due_text"], checks[0]["takes_rounds"]) == ("€5.00", False)


async def test_number_of_the_table_is_not_enough(table, other_store):
    await table.order()
    await table.order(table="5")
    other = Table(other_store, await other_store.item("Soup", 5))

    for code in ("", "A" * 16, await table.get_code("5"), await other.get_code("4"), "\u00e9"):
        assert (await table.scan("4", code))[0] == 404


async def test_code_of_an_earlier_edition_opens_nothing(table):
    await table.order()
    code = await table.get_code()

    await table.set_ordering(opens_checks=True, table_codes_edition=2)

    assert (await table.scan("4", code))[0] == 404
    assert len((await table.scan())[1]) == 1


@pytest.mark.parametrize("problem", ["off", "paid", "cancelled", "moved", "yesterday", "later"])
async def test_other_orders_are_not_listed(table, clock, problem):
    order = await table.order(**({"scheduled_for": "2099-01-01T12:00:00Z"} if problem == "later" else {}))
    if problem == "off":
        await table.set_ordering(opens_checks=False)
    if problem == "paid":
        await table.store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})
    if problem == "cancelled":
        await table.store.set_status(order["id"], "cancelled")
    if problem == "moved":
        await table.store.send("POST", f"/orders/{order['id']}/move", {"table_number": "9"})
    if problem == "yesterday":
        clock.advance(hours=13)

    assert await table.scan() == (200, [])


async def test_guest_of_the_table_sees_nothing_of_who_ordered(table):
    await table.set_ordering(opens_checks=True, allows_rounds=True, cancel_minutes=60)
    order = await table.order()
    token = (await table.scan())[1][0]["token"]

    status, page = await table.read(f"/t/{token}")
    _, own = await table.read(f"/t/{order['track_token']}")

    assert status == 200
    assert "Soup" in page
    assert "€5.00" in page
    for secret in ("Ada", "912345678", "Allergic", order["track_token"], "data-cancel"):
        assert secret not in page
    assert "Allergic" in own
    assert "data-cancel" in own


async def test_token_of_the_table_does_what_it_is_for(table):
    order = await table.order()
    token = (await table.scan())[1][0]["token"]

    for path in (f"/api/v1/track/{token}", f"/t/{token}/invoice"):
        assert (await table.read(path))[0] == 404
    assert (await table.read(f"/api/v1/track/{token}/cancel", "POST"))[0] == 404
    assert (await table.store.get(f"/orders/{order['id']}"))["status"] == "new"
    for wrong in (f"1{token}", f"{token}0", token.replace(".", "..", 1), f"{order['id']}.1.x", "1.2"):
        assert (await table.read(f"/t/{wrong}"))[0] == 404


async def test_token_of_the_table_expires(table, clock):
    await table.order()
    token = (await table.scan())[1][0]["token"]

    clock.advance(hours=7)

    assert (await table.read(f"/t/{token}"))[0] == 404


async def test_paid_check_shows_how_far_it_is_alone(table):
    order = await table.order()
    token = (await table.scan())[1][0]["token"]
    await table.store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})

    status, page = await table.read(f"/t/{token}")

    assert (status, "We have your order." in page, "Soup" in page) == (200, True, False)


async def test_guest_of_the_table_adds_a_round_where_the_store_allows_it(table):
    order = await table.order()
    token = (await table.scan())[1][0]["token"]
    fields = {"json": {"items": [line(table.soup)]}, "headers": {"Idempotency-Key": "round-2-of-table-4"}}

    refused = await table.read(f"/api/v1/track/{token}/lines", "POST", **fields)
    await table.set_ordering(opens_checks=True, allows_rounds=True)
    added = await table.read(f"/api/v1/track/{token}/lines", "POST", **fields)

    assert (refused[0], added[0]) == (409, 201)
    assert order["track_token"] not in added[1]
    assert (await table.store.get(f"/orders/{order['id']}"))["total"] == 10
    assert (await table.scan())[1][0]["takes_rounds"] is True
