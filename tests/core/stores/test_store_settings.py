"""Store settings that a plugin adds: served, checked, kept, and seen by the next order."""

from enum import StrEnum

import pytest
from comanda.contracts.orders.participants import OrderParticipant
from comanda.contracts.stores.settings import StoreSettings, StoreSettingsFields, setting
from comanda.devkit.testing.stores import TestStore, line
from comanda.platform.db import sql
from comanda.stores import store_settings
from fake_plugins import fake_plugin, registry_with, serving
from pydantic import model_validator


class Deposit(StrEnum):
    NONE = "none"
    CARD = "card"


class RentalFields(StoreSettingsFields):
    """How tools are rented."""

    max_days: int = setting(14, label="Longest rental", help_text="Longer ones are refused.", unit="days", ge=1, le=365)
    min_days: int = setting(1, label="Shortest rental", unit="days", ge=1)
    deposit: Deposit = setting(Deposit.NONE, label="Deposit")

    @model_validator(mode="after")
    def _check_order(self):
        if self.min_days > self.max_days:
            raise ValueError("the shortest rental is longer than the longest")
        return self


class SlottedFields(StoreSettingsFields):
    """Of hotels alone."""

    floors: int = setting(1, label="Floors")


LOADED = []


async def load(terms):
    found = await store_settings.get_store_settings(RentalFields, terms.owner_id, terms.id)
    LOADED.append(found.max_days)
    return found


RENTAL = fake_plugin(
    "rental",
    register_store_settings=[StoreSettings("rental", "Rental", RentalFields)],
    register_order_participants=[OrderParticipant("rental", load=load)],
)
SLOTTED = fake_plugin(
    "slotted", register_store_settings=[StoreSettings("slotted", "Hotel", SlottedFields, capability="rooms")]
)
DEFAULTS = {"max_days": 14, "min_days": 1, "deposit": "none"}


@pytest.fixture(scope="module")
def made():
    return registry_with(RENTAL, SLOTTED)


@pytest.fixture
def shop(runtime, made, owner, store_id):
    with serving(runtime, made) as client:
        yield TestStore(client, owner, store_id)


async def stored(shop):
    return await sql.fetch_value(
        "SELECT values FROM core_store_setting WHERE owner_id = $1 AND store_id = $2", shop.owner.id, shop.id
    )


async def test_new_store_has_the_defaults(shop):
    assert (await shop.get("/settings/rental")).document == DEFAULTS
    assert await stored(shop) is None


async def test_fields_left_out_stay_as_they_are(shop):
    first = await shop.send("PUT", "/settings/rental", {"max_days": 50})
    second = await shop.send("PUT", "/settings/rental", {"min_days": 20, "deposit": "card"})

    assert first.document == {**DEFAULTS, "max_days": 50}
    assert second.document == (await shop.get("/settings/rental")).document
    assert second.document == {"max_days": 50, "min_days": 20, "deposit": "card"}


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({"max_days": 0}, {"max_days": ["Must be 1 or more."]}),
        ({"deposit": "gold"}, {"deposit": ["Must be one of: none, card."]}),
        ({"min_days": 15}, {"body": ["The shortest rental is longer than the longest."]}),
        ([], {"body": ["Must be an object."]}),
    ],
)
async def test_invalid_settings_are_refused(shop, body, errors):
    reply = await shop.send("PUT", "/settings/rental", body)

    assert reply.errors == errors
    assert await stored(shop) is None


async def test_settings_of_another_owners_store_are_not_there(shop, other_owner):
    theirs = TestStore(shop.client, other_owner, shop.id)

    for reply in (
        await theirs.send("GET", "/settings/rental"),
        await theirs.send("GET", "/settings-forms"),
        await theirs.send("PUT", "/settings/rental", {"max_days": 3}),
    ):
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert await stored(shop) is None


async def test_change_needs_the_scope_of_settings(shop):
    auth = await shop.owner.token_with("restaurants:read")
    path = f"/api/v1/restaurants/{shop.id}/settings/rental"

    response = await shop.client.put(path, json={"max_days": 3}, headers=auth)

    assert (response.status_code, (await response.get_json())["required"]) == (403, "restaurants:write")
    assert await stored(shop) is None


async def test_settings_of_a_capability_that_the_store_lacks(shop):
    assert (await shop.send("GET", "/settings/slotted")).status == 404
    assert (await shop.send("PUT", "/settings/slotted", {"floors": 3})).status == 404


async def test_forms_describe_fields_and_values(shop):
    await shop.send("PUT", "/settings/rental", {"max_days": 30})

    forms = {form["plugin"]: form for form in (await shop.get("/settings-forms")).document}

    form = forms["rental"]
    assert (form["plugin"], form["title"]) == ("rental", "Rental")
    assert form["path"] == f"/api/v1/restaurants/{shop.id}/settings/rental"
    assert form["values"] == {**DEFAULTS, "max_days": 30}
    assert form["form"]["properties"]["max_days"] == {
        "default": 14,
        "description": "Longer ones are refused.",
        "maximum": 365,
        "minimum": 1,
        "title": "Longest rental",
        "type": "integer",
        "x-unit": "days",
    }
    assert form["form"]["$defs"]["Deposit"]["enum"] == ["none", "card"]


async def test_openapi_describes_the_settings(shop):
    document = await (await shop.client.get("/api/v1/openapi.json")).get_json()

    assert "/api/v1/restaurants/{id}/settings/rental" in document["paths"]
    assert document["components"]["schemas"]["RentalFields"]["properties"]["max_days"]["title"] == "Longest rental"


async def test_next_order_sees_a_change(shop):
    soup = await shop.item("Soup")
    await shop.order(line(soup))
    LOADED.clear()

    await shop.order(line(soup))
    assert LOADED == []
    await shop.send("PUT", "/settings/rental", {"max_days": 3})
    await shop.order(line(soup))

    assert LOADED == [3]


async def test_change_leaves_an_audit_entry(shop):
    await shop.send("PUT", "/settings/rental", {"max_days": 3})

    action = await sql.fetch_value(
        "SELECT action FROM core_audit_entry WHERE owner_id = $1 ORDER BY id DESC LIMIT 1", shop.owner.id
    )
    assert action == "put_restaurants_id_settings_rental"


async def test_stored_value_that_no_longer_fits_has_its_default(shop):
    await shop.send("PUT", "/settings/rental", {"max_days": 3, "min_days": 2})
    await sql.execute(
        'UPDATE core_store_setting SET values = \'{"max_days": "many", "min_days": 2, "gone": 1}\''
        " WHERE owner_id = $1 AND store_id = $2",
        shop.owner.id,
        shop.id,
    )

    assert (await shop.get("/settings/rental")).document == {**DEFAULTS, "min_days": 2}


async def test_values_survive_the_plugins_absence(shop, runtime, made):
    await shop.send("PUT", "/settings/rental", {"max_days": 3})

    with serving(runtime, runtime.registry) as client:
        away = TestStore(client, shop.owner, shop.id)
        assert (await away.send("GET", "/settings/rental")).status == 404
    with serving(runtime, made) as client:
        back = await TestStore(client, shop.owner, shop.id).get("/settings/rental")

    assert back["max_days"] == 3


async def test_fields_that_nobody_registers_are_a_mistake():
    with pytest.raises(LookupError, match="RentalFields"):
        await store_settings.get_store_settings(RentalFields, 1, 1)
