"""Delivery fees by distance and subtotal."""

from comanda.devkit.testing import line
from comanda_drivers.services.terms.delivery_fees import (
    DeliveryTerms,
    DistanceBand,
    Outside,
    PostcodeBand,
    normalize_postcode,
)

HERE = {"lat": 38.7139, "lng": -9.1335}
# 868 m and 4338 m to the west.
NEAR = {"address_lat": 38.7139, "address_lng": -9.1435}
FAR = {"address_lat": 38.7139, "address_lng": -9.1835}
BANDS = [{"up_to_km": 2, "fee": 1.5}, {"up_to_km": 4, "fee": 3}]


def test_fee_is_that_of_the_first_band_in_reach():
    terms = DeliveryTerms((0.0, 0.0), 500, (DistanceBand(1000, 100), DistanceBand(2000, 200)), free_over_minor=3000)

    assert [terms.find_area_fee(distance, None) for distance in (0, 1000, 1001, 2000)] == [100, 100, 200, 200]
    assert [terms.find_area_fee(distance, None) for distance in (2001, None)] == [Outside.BEYOND_BANDS, Outside.UNKNOWN]
    assert [terms.is_free(subtotal) for subtotal in (2999, 3000)] == [False, True]
    assert DeliveryTerms(fee_minor=500).find_area_fee(None, None) == 500


def test_a_postcode_counts_before_the_distance_and_its_longest_prefix_before_others():
    bands = (PostcodeBand(("11", "SW1A"), 100), PostcodeBand(("1150",), 300))
    terms = DeliveryTerms((0.0, 0.0), 500, (DistanceBand(1000, 200),), bands)

    assert [terms.find_area_fee(None, postcode) for postcode in ("1100-414", "1150-001", "sw1a 2aa")] == [100, 300, 100]
    assert terms.find_area_fee(5000, "1100-414") == 100
    assert terms.find_area_fee(900, "9000-001") == 200
    assert terms.find_area_fee(None, "9000-001") is Outside.OTHER_POSTCODE
    assert normalize_postcode(" \u0661\u0661-50 a") == "1150A"


async def test_fee_is_taxed_at_its_own_rate(kitchen):
    await kitchen.set_terms(fee=12.3, tax_rate=23)

    order = await kitchen.place_delivery()

    assert (order["tax_total"], order["total"]) == (2.3, 22.3)


async def test_bands_set_the_fee_and_limit_the_distance(kitchen):
    assert (await kitchen.set_terms(**HERE, fee=9, bands=BANDS)).status == 200

    assert (await kitchen.place_delivery(**NEAR))["delivery_fee"] == 1.5
    # The distance of an address without coordinates is unknown.
    assert (await kitchen.place_delivery())["delivery_fee"] == 9
    refused = await kitchen.place(line(kitchen.pizza), type="delivery", address="Far away", **FAR)
    assert refused.errors == {"address": ["This store delivers up to 4 km; this address is farther away."]}
    await kitchen.set_terms(bands=[])
    assert (await kitchen.place_delivery(**FAR))["delivery_fee"] == 9


async def test_postcodes_set_the_fee_and_limit_the_area(kitchen):
    bands = [{"prefixes": ["1100", "1150-0"], "fee": 2.5}]
    assert (await kitchen.set_terms(fee=9, postcode_bands=bands))["postcode_bands"] == [
        {"prefixes": ["1100", "11500"], "fee": 2.5}
    ]

    placed = await kitchen.place_delivery(address_postcode="1100-414")
    refused = await kitchen.place(line(kitchen.pizza), type="delivery", address="x", address_postcode="4000-001")

    assert (placed["delivery_fee"], placed["address_postcode"]) == (2.5, "1100-414")
    assert refused.errors == {"address": ["This store does not deliver to this postcode."]}


async def test_a_store_says_what_happens_to_addresses_that_no_area_is_found_for(kitchen):
    await kitchen.set_terms(**HERE, fee=9, bands=BANDS)
    flat = await kitchen.place_delivery()
    await kitchen.set_terms(unplaced_addresses="ask")
    asked, placed = await kitchen.place_delivery(), await kitchen.place_delivery(**NEAR)
    await kitchen.set_terms(unplaced_addresses="refuse")
    refused = await kitchen.place(line(kitchen.pizza), type="delivery", address="Far away")

    assert (flat["delivery_fee"], "is_address_unplaced" in flat) == (9, False)
    assert (asked["delivery_fee"], asked["is_address_unplaced"]) == (9, True)
    assert (placed["delivery_fee"], "is_address_unplaced" in placed) == (1.5, False)
    assert refused.errors == {
        "address": ["This store needs to know where the address is: send its position, or its postcode."]
    }
    assert (await kitchen.place_delivery(**NEAR))["delivery_fee"] == 1.5
