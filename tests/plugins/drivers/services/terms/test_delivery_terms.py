"""Delivery terms of stores."""

import asyncio

from comanda.devkit.testing import TestStore, line
from comanda_drivers.services.terms import delivery_terms

HERE = {"lat": 38.7139, "lng": -9.1335}
BANDS = [{"up_to_km": 2, "fee": 1.5}, {"up_to_km": 4, "fee": 3}]
FAR = {"address_lat": 38.7139, "address_lng": -9.1835}
DEFAULTS = {
    "lat": None, "lng": None, "currency": "EUR", "fee": 0, "bands": [], "postcode_bands": [],
    "unplaced_addresses": "flat_fee", "free_over": None, "min_order": None,
    "tax_rate": None, "max_active_deliveries": 5, "require_shift": False,
    "dispatch_mode": "pool", "offer_at": "preparing", "pod": "none", "driver_pay": 0,
}  # fmt: skip


async def test_store_without_terms_delivers_anywhere_for_free(kitchen):
    assert (await kitchen.get("/delivery-terms")).document == DEFAULTS

    order = await kitchen.place_delivery(**FAR)

    assert (order["delivery_fee"], order["total"]) == (0, 10)
    assert (order["address_lat"], order["address_lng"]) == (38.7139, -9.1835)


async def test_fixed_fee_is_waived_for_large_orders(kitchen):
    reply = await kitchen.set_terms(fee=2.5, free_over=30)
    assert reply.document == {**DEFAULTS, "fee": 2.5, "free_over": 30}

    small, large = await kitchen.place_delivery(2), await kitchen.place_delivery(3)

    assert [(order["delivery_fee"], order["total"]) for order in (small, large)] == [(2.5, 22.5), (0, 30)]
    eaten = await kitchen.order(line(kitchen.pizza))
    assert (eaten["delivery_fee"], eaten["total"]) == (0, 10)


INVALID_TERMS = [
    ({"bands": BANDS}, ["bands"]),
    ({**HERE, "bands": BANDS[::-1]}, ["bands.1.up_to_km"]),
    ({**HERE, "bands": [BANDS[0], BANDS[0]]}, ["bands.1.up_to_km"]),
    ({**HERE, "bands": [{"up_to_km": 0, "fee": 1}]}, ["bands.0.up_to_km"]),
    ({**HERE, "bands": [{"up_to_km": 1}]}, ["bands.0.fee"]),
    ({**HERE, "bands": [{"up_to_km": 1, "fee": 0.001}]}, ["bands.0.fee"]),
    ({**HERE, "bands": [{"up_to_km": n + 1, "fee": 1} for n in range(21)]}, ["bands"]),
    ({"postcode_bands": [{"prefixes": [], "fee": 1}]}, ["postcode_bands.0.prefixes"]),
    ({"postcode_bands": [{"prefixes": [" - "], "fee": 1}]}, ["postcode_bands.0.prefixes.0"]),
    (
        {"postcode_bands": [{"prefixes": ["11-0"], "fee": 1}, {"prefixes": ["12", "110"], "fee": 2}]},
        ["postcode_bands.1.prefixes.1"],
    ),
    ({"postcode_bands": [{"prefixes": ["1"], "fee": 0.001}]}, ["postcode_bands.0.fee"]),
    ({"lat": 1}, ["lng"]),
    ({"lng": 1}, ["lat"]),
    ({"lat": 91, "lng": 1}, ["lat"]),
    ({"fee": -1}, ["fee"]),
    ({"fee": 0.001}, ["fee"]),
    ({"free_over": True}, ["free_over"]),
    ({"min_order": 10**11}, ["min_order"]),
    ({"tax_rate": 101}, ["tax_rate"]),
    ({"tax_rate": 8.87501}, ["tax_rate"]),
    ({"max_active_deliveries": 0}, ["max_active_deliveries"]),
]


async def test_invalid_terms_are_refused(kitchen, subtests):
    for body, fields in INVALID_TERMS:
        with subtests.test(body=body, fields=fields):
            assert list((await kitchen.set_terms(**body)).errors) == fields
            assert (await kitchen.get("/delivery-terms")).document == DEFAULTS


async def test_invalid_modes_are_refused(kitchen):
    for field in ("dispatch_mode", "offer_at", "pod", "unplaced_addresses"):
        assert list((await kitchen.set_terms(**{field: "x"})).errors) == [field]
    assert (await delivery_terms.get_terms(kitchen.owner.id, kitchen.id)).dispatch_mode == "pool"


async def test_position_cannot_be_removed_while_bands_need_it(kitchen):
    await kitchen.set_terms(**HERE, bands=BANDS)

    assert list((await kitchen.set_terms(lat=None, lng=None)).errors) == ["bands"]
    assert (await kitchen.set_terms(lat=None, lng=None, bands=[])).status == 200


async def test_concurrent_updates_are_all_applied(kitchen):
    changes = ({"fee": 1}, {"free_over": 50}, {"min_order": 5}, {"tax_rate": 7}, {"require_shift": True})

    replies = await asyncio.gather(*(kitchen.set_terms(**change) for change in changes))

    assert {reply.status for reply in replies} == {200}
    expected = {name: value for change in changes for name, value in change.items()}
    assert (await kitchen.get("/delivery-terms")).document == {**DEFAULTS, **expected}


async def test_terms_of_another_owner_look_missing(kitchen, foreign):
    await foreign.set_terms(fee=2)
    tried = TestStore(kitchen.client, kitchen.owner, foreign.id)

    for reply in (await tried.send("GET", "/delivery-terms"), await tried.send("PUT", "/delivery-terms", {"fee": 9})):
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert (await foreign.get("/delivery-terms"))["fee"] == 2
