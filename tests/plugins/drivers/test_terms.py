"""What a delivery costs, how far it goes, and from which amount on."""

import asyncio

import pytest
from comanda.devkit.testing.stores import TestStore, line
from comanda_drivers.fees import Band, StoreTerms
from comanda_drivers.places import distance_m

HERE = {"lat": 38.7139, "lng": -9.1335}
# 868 m and 4338 m to the west.
NEAR = {"address_lat": 38.7139, "address_lng": -9.1435}
FAR = {"address_lat": 38.7139, "address_lng": -9.1835}
BANDS = [{"up_to_km": 2, "fee": 1.5}, {"up_to_km": 4, "fee": 3}]
NONE = {
    "lat": None, "lng": None, "currency": "EUR", "fee": 0, "bands": [], "free_over": None, "min_order": None,
    "tax_rate": None, "max_active_deliveries": 5, "require_shift": False,
    "dispatch_mode": "pool", "offer_at": "preparing", "pod": "none", "driver_pay": 0,
}  # fmt: skip


def test_distances_are_those_of_the_map():
    lisbon, porto = (38.7139, -9.1335), (41.1496, -8.6110)

    assert distance_m(*lisbon, *lisbon) == 0
    assert distance_m(*lisbon, *porto) == distance_m(*porto, *lisbon) == 274_476
    assert distance_m(0, 0, 0, 180) == distance_m(90, 0, -90, 0) == 20_015_087


def test_the_band_of_a_distance_is_the_first_that_reaches_it():
    terms = StoreTerms((0.0, 0.0), 500, (Band(1000, 100), Band(2000, 200)), free_over_minor=3000)

    assert [terms.fee(2999, distance) for distance in (0, 1000, 1001, 2000, None)] == [100, 100, 200, 200, 500]
    assert [terms.is_beyond(distance) for distance in (2000, 2001, None)] == [False, True, False]
    assert terms.fee(3000, 2000) == 0


async def test_a_store_without_terms_delivers_anywhere_for_nothing(kitchen):
    assert (await kitchen.get("/delivery-terms")).document == NONE

    order = await kitchen.delivery(**FAR)

    assert (order["delivery_fee"], order["total"]) == (0, 10)
    assert (order["address_lat"], order["address_lng"]) == (38.7139, -9.1835)


async def test_a_fixed_fee_is_part_of_the_total_until_an_order_is_large_enough(kitchen):
    reply = await kitchen.terms(fee=2.5, free_over=30)
    assert reply.document == {**NONE, "fee": 2.5, "free_over": 30}

    small, large = await kitchen.delivery(2), await kitchen.delivery(3)

    assert [(order["delivery_fee"], order["total"]) for order in (small, large)] == [(2.5, 22.5), (0, 30)]
    eaten = await kitchen.order(line(kitchen.pizza))
    assert (eaten["delivery_fee"], eaten["total"]) == (0, 10)


async def test_the_fee_is_taxed_at_its_own_rate(kitchen):
    await kitchen.terms(fee=12.3, tax_rate=23)

    order = await kitchen.delivery()

    assert (order["tax_total"], order["total"]) == (2.3, 22.3)


async def test_bands_price_the_way_and_end_where_the_store_delivers_no_more(kitchen):
    assert (await kitchen.terms(**HERE, fee=9, bands=BANDS)).status == 200

    assert (await kitchen.delivery(**NEAR))["delivery_fee"] == 1.5
    # Of an address that nobody has placed on the map the distance is not known.
    assert (await kitchen.delivery())["delivery_fee"] == 9
    refused = await kitchen.place(line(kitchen.pizza), type="delivery", address="Far away", **FAR)
    assert refused.errors == {"address": ["This store delivers up to 4 km; this address is farther away."]}
    await kitchen.terms(bands=[])
    assert (await kitchen.delivery(**FAR))["delivery_fee"] == 9


async def test_an_order_that_is_too_small_is_refused_as_such(kitchen):
    await kitchen.terms(min_order=15)

    refused = await kitchen.place(line(kitchen.pizza), type="delivery", address="x")

    assert refused.errors == {"items": ["A delivery begins at 15.00 EUR; these items come to 10.00 EUR."]}
    unknown = await kitchen.place({"item_id": 987_654_321}, type="delivery", address="x")
    assert list(unknown.errors) == ["items.0.item_id"]
    assert (await kitchen.delivery(2))["total"] == 20
    assert (await kitchen.terms(min_order=None))["min_order"] is None
    assert (await kitchen.delivery())["total"] == 10


async def test_what_an_order_does_not_say_of_its_address_is_not_in_its_record(kitchen):
    order = await kitchen.delivery(address_instructions="The blue door", address_lat=None)

    assert [name for name in order if name.startswith("address")] == ["address_instructions", "address"]
    assert not [name for name in await kitchen.delivery() if name.startswith("address_")]


async def test_an_address_has_both_coordinates_or_none(kitchen):
    for fields in ({"address_lat": 1}, {"address_lng": 1}, {"address_lat": 91, "address_lng": 1}):
        reply = await kitchen.place(line(kitchen.pizza), type="delivery", address="x", **fields)
        assert reply.status == 422
    assert (await kitchen.get("/orders"))["total"] == 0


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"bands": BANDS}, ["bands"]),
        ({**HERE, "bands": BANDS[::-1]}, ["bands.1.up_to_km"]),
        ({**HERE, "bands": [BANDS[0], BANDS[0]]}, ["bands.1.up_to_km"]),
        ({**HERE, "bands": [{"up_to_km": 0, "fee": 1}]}, ["bands.0.up_to_km"]),
        ({**HERE, "bands": [{"up_to_km": 1}]}, ["bands.0.fee"]),
        ({**HERE, "bands": [{"up_to_km": 1, "fee": 0.001}]}, ["bands.0.fee"]),
        ({**HERE, "bands": [{"up_to_km": n + 1, "fee": 1} for n in range(21)]}, ["bands"]),
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
    ],
)
async def test_terms_that_will_not_do_change_nothing(kitchen, body, fields):
    assert list((await kitchen.terms(**body)).errors) == fields
    assert (await kitchen.get("/delivery-terms")).document == NONE


async def test_a_position_that_bands_need_cannot_be_taken_away(kitchen):
    await kitchen.terms(**HERE, bands=BANDS)

    assert list((await kitchen.terms(lat=None, lng=None)).errors) == ["bands"]
    assert (await kitchen.terms(lat=None, lng=None, bands=[])).status == 200


async def test_changes_at_once_all_count(kitchen):
    changes = ({"fee": 1}, {"free_over": 50}, {"min_order": 5}, {"tax_rate": 7}, {"require_shift": True})

    replies = await asyncio.gather(*(kitchen.terms(**change) for change in changes))

    assert {reply.status for reply in replies} == {200}
    expected = {name: value for change in changes for name, value in change.items()}
    assert (await kitchen.get("/delivery-terms")).document == {**NONE, **expected}


async def test_terms_of_another_owner_are_not_there(kitchen, foreign):
    await foreign.terms(fee=2)
    tried = TestStore(kitchen.client, kitchen.owner, foreign.id)

    for reply in (await tried.send("GET", "/delivery-terms"), await tried.send("PUT", "/delivery-terms", {"fee": 9})):
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert (await foreign.get("/delivery-terms"))["fee"] == 2
