"""Fulfillment modes of restaurants."""

import pytest
from comanda.devkit.testing import line
from comanda_restaurant import plugin


def test_guest_modes_are_collection_modes():
    modes = {mode.code: mode for mode in plugin.register_fulfillment_modes()}

    assert {code for code, mode in modes.items() if mode.is_collection} == {"on-table", "takeaway"}


@pytest.mark.parametrize(
    ("fields", "delivery_status"),
    [
        ({"type": "on-table", "table_number": "7"}, None),
        ({"type": "takeaway"}, None),
        ({"type": "delivery", "address": "Rua 1"}, "pending"),
        ({"type": "room_service"}, None),
    ],
)
async def test_only_deliveries_have_a_delivery_status(store, fields, delivery_status):
    order = await store.order(line(await store.item()), **fields)

    assert (order["type"], order["delivery_status"]) == (fields["type"], delivery_status)


@pytest.mark.parametrize("mode", ["ship", "pickup_slot", "appointment", "in_store"])
async def test_modes_of_other_groups_are_refused(store, mode):
    refused = await store.place(line(await store.item()), type=mode)

    assert refused.errors == {"type": ["This store takes: on-table, takeaway, delivery, room_service."]}
