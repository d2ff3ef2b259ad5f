"""Effect of a store's settings on order totals."""

import pytest
from comanda.devkit.testing.stores import TestStore, line


async def configured(store, **settings):
    reply = await store.send("PUT", "/settings", settings)
    assert reply.status == 200, reply


def sums(order):
    return {name: order[name] for name in ("subtotal", "service_charge", "tax_total", "tip_amount", "total")}


async def test_a_store_without_settings_adds_nothing(store):
    soup = await store.item("Soup", 4.99)

    order = await store.order(line(soup, 3))

    assert sums(order) == {"subtotal": 14.97, "service_charge": 0, "tax_total": 0, "tip_amount": 0, "total": 14.97}
    assert (order["discount_total"], order["delivery_fee"], order["rounding"]) == (0, 0, 0)


async def test_included_tax_is_shown_and_not_added(store):
    await configured(store, tax_rate=10)
    soup = await store.item("Soup", 11)

    order = await store.order(line(soup))

    assert (order["tax_included"], order["tax_total"], order["total"]) == (True, 1, 11)
    assert order["items"][0]["tax"] == 1


async def test_excluded_tax_is_added(store):
    await configured(store, tax_rate=8.875, is_tax_included=False)
    soup = await store.item("Soup", 1000)

    order = await store.order(line(soup))

    # The rate of the state and city of New York; 8.88 % would be 88.80.
    assert (order["tax_included"], order["tax_total"], order["total"]) == (False, 88.75, 1088.75)


async def test_tax_table_has_a_row_of_each_rate(store):
    await configured(store, tax_rate=10, is_tax_included=True)
    soup, book, stamp = await store.item("Soup", 11), await store.item("Book", 10.7), await store.item("Stamp", 5)
    for item, rate in ((book, 7), (stamp, 0)):
        await store.send("PUT", f"/menu/items/{item['id']}", {"tax_rate": rate})

    order = await store.order(line(soup, 2), line(book), line(stamp), tip_amount=3)

    assert order["taxes"] == [
        {"rate": 0, "net": 5, "tax": 0, "gross": 5},
        {"rate": 7, "net": 10, "tax": 0.7, "gross": 10.7},
        {"rate": 10, "net": 20, "tax": 2, "gross": 22},
    ]
    assert sum(row["gross"] for row in order["taxes"]) == order["total"] - order["tip_amount"]


async def test_every_rate_of_an_order_keeps_four_decimals(store):
    await configured(
        store, tax_rate=8.875, is_tax_included=False, mode_tax_rates={"takeaway": 4.3335},
        service_charge_rate=18.3333, service_charge_modes=["takeaway"], is_service_charge_taxed=True,
    )  # fmt: skip
    book = await store.item("Book", 10_000, tax_rate=0.0001)
    soup = await store.item("Soup", 10_000)

    order = await store.order(line(book), line(soup))

    assert order["service_charge"] == 3666.66
    assert [line["tax"] for line in order["items"]] == [0.01, 433.35]
    # 4.3335 % of 13,666.66 is 592.2447, 158.89 of it for the charge.
    assert order["tax_total"] == 592.25
    read = (await store.get("/settings")).document
    assert (read["tax_rate"], read["mode_tax_rates"], read["service_charge_rate"]) == (
        8.875, {"takeaway": 4.3335}, 18.3333,
    )  # fmt: skip
    assert book["tax_rate"] == 0.0001


@pytest.mark.parametrize(
    ("fields", "tax"),
    [
        ({"type": "takeaway"}, 0.7),
        ({"type": "on-table", "table_number": 1}, 1.9),
        ({"type": "delivery", "address": "Rua 1"}, 0.9),
    ],
)
async def test_mode_rates_override_the_store_rate(store, fields, tax):
    await configured(store, tax_rate=9, is_tax_included=False, mode_tax_rates={"takeaway": 7, "on-table": 19})
    soup = await store.item("Soup", 10)

    order = await store.order(line(soup), **fields)

    assert (order["tax_total"], order["total"]) == (tax, 10 + tax)


async def test_an_items_own_rate_has_priority(store):
    await configured(store, tax_rate=9, is_tax_included=False, mode_tax_rates={"takeaway": 7})
    wine = await store.item("Wine", 10, tax_rate=25)
    book = await store.item("Book", 10, tax_rate=0)
    soup = await store.item("Soup", 10)

    order = await store.order(line(wine), line(book), line(soup))

    assert [kept["tax"] for kept in order["items"]] == [2.5, 0, 0.7]
    assert (order["tax_total"], order["total"]) == (3.2, 33.2)


async def test_a_service_charge_applies_to_its_modes_alone(store):
    await configured(store, service_charge_rate=12.5, service_charge_amount=1, service_charge_modes=["on-table"])
    soup = await store.item("Soup", 10)

    table = await store.order(line(soup, 2), type="on-table", table_number="4")
    takeaway = await store.order(line(soup, 2))

    assert (table["service_charge"], table["total"]) == (3.5, 23.5)
    assert (takeaway["service_charge"], takeaway["total"]) == (0, 20)


@pytest.mark.parametrize(("is_taxed", "tax"), [(True, 2.4), (False, 2)])
async def test_service_charge_tax_depends_on_the_setting(store, is_taxed, tax):
    await configured(
        store,
        tax_rate=20,
        is_tax_included=False,
        service_charge_rate=20,
        service_charge_modes=["takeaway"],
        is_service_charge_taxed=is_taxed,
    )
    soup = await store.item("Soup", 10)

    order = await store.order(line(soup))

    assert sums(order) == {
        "subtotal": 10,
        "service_charge": 2,
        "tax_total": tax,
        "tip_amount": 0,
        "total": pytest.approx(12 + tax),
    }


async def test_a_tip_is_neither_taxed_nor_charged(store):
    await configured(
        store, tax_rate=20, is_tax_included=False, service_charge_rate=10, service_charge_modes=["takeaway"]
    )
    soup = await store.item("Soup", 10)

    order = await store.order(line(soup), tip_amount=3)

    assert sums(order) == {"subtotal": 10, "service_charge": 1, "tax_total": 2, "tip_amount": 3, "total": 16}


async def test_order_total_is_not_rounded_for_cash(store):
    await configured(store, cash_rounding=0.05)
    soup = await store.item("Soup", 4.99)

    order = await store.order(line(soup))

    assert (order["rounding"], order["total"]) == (0, 4.99)


@pytest.mark.parametrize(
    ("currency", "price", "total", "told"), [("JPY", 980, 2940, "2940"), ("KWD", 1.125, 3.375, "3.375")]
)
async def test_totals_have_the_currencys_decimals(client, owner, published, currency, price, total, told):
    store = TestStore(client, owner, await owner.store(currency=currency))
    await configured(store, tax_rate=10)
    ramen = await store.item("Ramen", price)

    order = await store.order(line(ramen, 3))

    assert (order["currency"], order["total"]) == (currency, total)
    name, data = (await published())[-1]
    assert (name, data["total"], data["currency"]) == ("order.created", told, currency)


async def test_new_settings_apply_to_the_next_order(store):
    soup = await store.item("Soup", 10)
    before = await store.order(line(soup))
    await configured(store, tax_rate=10, is_tax_included=False)
    after = await store.order(line(soup))

    assert (before["total"], after["total"]) == (10, 11)
    assert (await store.get(f"/orders/{before['id']}")).document == before
