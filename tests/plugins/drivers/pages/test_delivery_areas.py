"""Delivery areas and fees in the dashboard."""

from comanda.devkit.testing import sign_in

FIELDS = {"fee": "3", "free_over": "", "min_order": "10", "dispatch_mode": "pool", "offer_at": "ready", "pod": "none"}
NEAR = {"bands.0.up_to_km": "2,5", "bands.0.fee": "1.5", "lat": "38.7139", "lng": "-9.1394"}
EMPTY = {"bands.1.up_to_km": "", "bands.1.fee": "", "driver_pay": "", "tax_rate": "", "max_active_deliveries": ""}


async def get_terms(store):
    return await store.get("/delivery-terms")


async def test_areas_and_fees_are_saved_without_empty_rows(dashboard, store):
    path = f"/stores/{store.id}/delivery-areas"
    await dashboard.post(path, {**FIELDS, **NEAR, **EMPTY})
    terms = await get_terms(store)
    page = await dashboard.get(path)

    assert terms["bands"] == [{"up_to_km": 2.5, "fee": 1.5}]
    assert (terms["fee"], terms["free_over"], terms["min_order"]) == (3, None, 10)
    assert 'value="38.7139"' in page


async def test_areas_in_the_wrong_order_are_refused(dashboard, store):
    far = {"bands.0.up_to_km": "5", "bands.0.fee": "3", "bands.1.up_to_km": "2", "bands.1.fee": "1"}
    page = await dashboard.post(f"/stores/{store.id}/delivery-areas", {**FIELDS, **NEAR, **far}, status=422)

    assert 'class="problem"' in page
    assert 'value="5"' in page
    assert (await get_terms(store))["bands"] == []


async def test_only_stores_that_deliver_show_it(app, owner, other_owner, dashboard, store, open_store):
    hotel = await open_store("hotel")
    stranger = await sign_in(app, other_owner.id)

    assert "/delivery-areas" in await dashboard.get(f"/stores/{store.id}/orders")
    assert "/delivery-areas" not in await dashboard.get(f"/stores/{hotel.id}/orders")
    await stranger.get(f"/stores/{store.id}/delivery-areas", status=404)


async def test_areas_by_postcode_are_lists_of_beginnings(dashboard, store):
    path = f"/stores/{store.id}/delivery-areas"
    areas = {"postcode_bands.0.prefixes": "1100, 1150-0", "postcode_bands.0.fee": "2.5", "unplaced_addresses": "ask"}
    await dashboard.post(path, {**FIELDS, **areas, "postcode_bands.1.prefixes": "", "postcode_bands.1.fee": ""})
    terms = await get_terms(store)
    page = await dashboard.get(path)
    again = {"postcode_bands.0.prefixes": "11, 11", "postcode_bands.0.fee": "1"}
    refused = await dashboard.post(path, {**FIELDS, **again}, status=422)

    assert (terms["postcode_bands"], terms["unplaced_addresses"]) == (
        [{"prefixes": ["1100", "11500"], "fee": 2.5}], "ask",
    )  # fmt: skip
    assert 'value="1100, 11500"' in page
    assert 'value="11, 11"' in refused
    await dashboard.post(path, {**FIELDS, "postcode_bands.0.prefixes": "", "postcode_bands.0.fee": ""})
    assert (await get_terms(store))["postcode_bands"] == []
