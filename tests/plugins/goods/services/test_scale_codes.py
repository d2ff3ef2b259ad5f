"""Barcodes that scales print: a weight, or a price that the line then costs again."""

import pytest
from comanda.accounts.services import issue_token
from comanda.devkit.testing import TestStore, line
from comanda_goods.services.scale_codes import compute_weight, to_check_digit
from comanda_goods.services.weights import compute_price
from comanda_staff.caller_kinds import STAFF
from hypothesis import given
from hypothesis import strategies as st


@pytest.fixture
async def deli(shop):
    await shop.send("PUT", "/settings/goods", {"weight_prefixes": "28,29", "price_prefixes": "22"})
    return shop


@pytest.fixture
def scan(deli):
    """Return a function that reads a code, given without its check digit, as a member of staff."""

    async def scan(digits, store=deli, check=None, permission="orders"):
        issued = await issue_token(STAFF, store.owner.id, [permission], name="Ada", store_id=store.id, subject_id=1)
        path = f"/api/v1/staff/scale-codes/{digits}{to_check_digit(digits) if check is None else check}"
        return await store.send_to(path, "GET", None, Authorization=f"Bearer {issued.secret}")

    return scan


async def create_cheese(store, *barcodes, price=12.9):
    """Return a cheese, and the ids of a variation of each barcode."""
    item = await store.item("Cheese", price, is_priced_per_kg=True)
    return item, [await add_variation(store, item, barcode, price) for barcode in barcodes]


async def add_variation(store, item, barcode, price):
    body = {"name": barcode, "price": price, "barcode": barcode}
    return (await store.send("POST", f"/menu/items/{item['id']}/variants", body))["id"]


@given(price=st.integers(1, 99_999), per_kg=st.integers(1, 999_999))
def test_the_weight_of_a_price_costs_that_price(price, per_kg):
    assert compute_price(per_kg, compute_weight(price, per_kg)) == price


def test_check_digits_are_those_of_ean_13():
    assert [to_check_digit(digits) for digits in ("400638133393", "280123400432")] == ["1", "5"]


async def test_a_weight_is_read_by_the_number_of_the_item_or_its_whole_code(deli, scan):
    whole = f"290567800000{to_check_digit('290567800000')}"
    cheese, (young, old) = await create_cheese(deli, "2801234", whole)

    assert (await scan("280123400432")).document == {"item_id": cheese["id"], "variation": young, "weight_g": 432}
    assert (await scan("290567801500")).document == {"item_id": cheese["id"], "variation": old, "weight_g": 1500}


async def test_a_line_costs_the_price_of_its_label(deli, scan):
    cheese, _ids = await create_cheese(deli, "2201234", price=12.99)

    read = (await scan("220123400561")).document
    order = await deli.order(line(cheese, variation=read["variation"], weight_g=read["weight_g"]), type="in_store")

    assert (read["weight_g"], order["items"][0]["unit_price"]) == (431.871, 5.61)


async def test_codes_that_no_item_by_weight_has_are_not_found(deli, scan, client, other_owner):
    await create_cheese(deli, "2801234", "2701234")
    await add_variation(deli, await deli.item("Pen", 2), "2805555", 2)
    stranger = TestStore(client, other_owner, await other_owner.store("retail"))
    await stranger.send("PUT", "/settings/goods", {"weight_prefixes": "28"})

    for digits in ("280999900432", "270123400432", "280555500432", "28012340043"):
        assert (await scan(digits)).status == 404
    assert (await scan("28x", check="")).status == 404
    assert (await scan("280123400432", store=stranger)).status == 404
    assert (await scan("280123400432", permission="kds")).status == 403


@pytest.mark.parametrize(
    ("digits", "check", "sentence"),
    [
        ("280123400432", "0", "The code 2801234004320 was not read properly. Scan it again."),
        ("280123400000", None, "The code 2801234000006 holds no weight that can be sold."),
        ("220123499999", None, "The code 2201234999995 holds no weight that can be sold."),
    ],
)
async def test_codes_that_cannot_be_sold_are_refused(deli, scan, digits, check, sentence):
    await create_cheese(deli, "2801234", "2201234", price=0)

    refused = await scan(digits, check=check)

    assert (refused.status, refused.errors) == (422, {"code": [sentence]})


async def test_prefixes_are_checked(deli):
    for prefixes in ("28; 29", "2", "30", "280", "2٨"):
        refused = await deli.send("PUT", "/settings/goods", {"weight_prefixes": prefixes})
        assert refused.errors == {"weight_prefixes": ["Must be numbers from 20 to 29, such as 28, 29."]}
    refused = await deli.send("PUT", "/settings/goods", {"weight_prefixes": "21", "price_prefixes": "20, 21"})
    assert refused.errors == {"price_prefixes": ["Must not be a prefix of weights."]}

    saved = await deli.send("PUT", "/settings/goods", {"weight_prefixes": " 29,29, ,28 "})
    assert saved.document["weight_prefixes"] == "29, 28"
