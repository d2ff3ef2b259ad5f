"""Delivery fees by distance and subtotal."""

from comanda.devkit.testing.stores import line
from comanda_drivers.services.delivery_fees import DeliveryTerms, DistanceBand

HERE = {"lat": 38.7139, "lng": -9.1335}
# 868 m and 4338 m to the west.
NEAR = {"address_lat": 38.7139, "address_lng": -9.1435}
FAR = {"address_lat": 38.7139, "address_lng": -9.1835}
BANDS = [{"up_to_km": 2, "fee": 1.5}, {"up_to_km": 4, "fee": 3}]


def test_fee_is_that_of_the_first_band_in_reach():
    terms = DeliveryTerms((0.0, 0.0), 500, (DistanceBand(1000, 100), DistanceBand(2000, 200)), free_over_minor=3000)

    assert [terms.calculate_fee(2999, distance) for distance in (0, 1000, 1001, 2000, None)] == [
        100,
        100,
        200,
        200,
        500,
    ]
    assert [terms.is_out_of_range(distance) for distance in (2000, 2001, None)] == [False, True, False]
    assert terms.calculate_fee(3000, 2000) == 0


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
