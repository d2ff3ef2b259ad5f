"""Sources of entitlements: their union, and an event only when the effective state changes."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from comanda.basics import ValidationFailed
from comanda.contracts import Entitlement
from comanda.platform.db import sql
from comanda_entitlements import api
from comanda_entitlements.services import sources

MONDAY = datetime(2030, 1, 7, 9, 0, tzinfo=UTC)
EVERYTHING = Entitlement()
NOTHING = Entitlement(is_granted=False)


async def stored_sources(owner):
    rows = await sql.fetch("SELECT source_id FROM entitlements_source WHERE owner_id = $1 ORDER BY id", owner.id)
    return [row["source_id"] for row in rows]


async def test_owner_without_a_plan_has_everything(owner):
    effective = await api.get_effective(owner.id)

    assert set(effective) >= {"crm_suite", "webhooks", "stores", "items", "staff", "orders_per_month"}
    assert set(effective.values()) == {EVERYTHING}


async def test_plan_takes_away_what_it_does_not_name(owner, plan, changes):
    await plan(crm_suite=None, stores=2)

    effective = await api.get_effective(owner.id)

    assert effective["crm_suite"] == EVERYTHING
    assert effective["stores"] == Entitlement(quota=2)
    assert effective["items"] == EVERYTHING
    assert effective["webhooks"] == NOTHING
    said = await changes()
    assert "-webhooks" in said.features
    assert not {"-crm_suite", "-stores", "-items"} & set(said.features)


async def test_event_has_the_data_of_the_specification(owner, clock, plan, changes):
    clock.set(MONDAY)
    await plan(webhooks=5)

    [data] = [data for data in (await changes()).data if data["feature_key"] == "crm_suite"]

    assert data == {
        "action": "revoked",
        "feature_key": "crm_suite",
        "source_type": "plan",
        "source_id": "pro",
        "user_id": owner.id,
        "occurred_at": "2030-01-07T09:00:00+00:00",
    }


async def test_second_source_of_a_feature_is_no_change(owner, plan, changes):
    await plan()
    before = len((await changes()).data)

    await api.set_source(owner.id, "add_on", "crm", {"crm_suite": None})
    await api.set_source(owner.id, "admin", "crm_suite", {"crm_suite": None})
    await api.remove_source(owner.id, "add_on", "crm")
    await api.set_source(owner.id, "admin", "crm_suite", {"crm_suite": 7})
    await api.remove_source(owner.id, "admin", "crm_suite")

    said = await changes()
    assert said.features[before:] == ["+crm_suite", "-crm_suite"]
    assert said.sources[before:] == ["add_on/crm", "admin/crm_suite"]
    assert (await api.get_effective(owner.id))["crm_suite"] == NOTHING


async def test_removing_the_plan_grants_everything_again(owner, plan, changes):
    await plan(stores=1)
    lost = {feature[1:] for feature in (await changes()).features}

    assert await api.remove_source(owner.id, "plan", "pro") is True
    assert await api.remove_source(owner.id, "plan", "pro") is False

    said = await changes()
    assert {feature[1:] for feature in said.features if feature[0] == "+"} == lost
    assert set((await api.get_effective(owner.id)).values()) == {EVERYTHING}


async def test_plan_without_features_is_still_a_plan(owner, plan):
    await plan(crm_suite=None)
    await plan()

    assert (await api.get_effective(owner.id))["crm_suite"] == NOTHING
    assert (await api.get_effective(owner.id))["stores"] == EVERYTHING


async def test_source_without_features_is_removed(owner):
    await api.set_source(owner.id, "add_on", "crm", {"crm_suite": None})
    await api.set_source(owner.id, "add_on", "crm", {})

    assert await stored_sources(owner) == []


async def test_app_feature_needs_no_declaration(owner, changes):
    await api.set_source(owner.id, "app", "12", {"app:loyalty": None})
    granted = await api.get_effective(owner.id)
    await api.remove_source(owner.id, "app", "12")

    assert granted["app:loyalty"] == EVERYTHING
    assert (await changes()).features == ["+app:loyalty", "-app:loyalty"]
    assert (await changes()).sources == ["app/12", "app/12"]


@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        ({"unicorns": None}, "There is no feature unicorns. Known are: "),
        ({"stores": -1}, "The quota of stores must be a whole number of at least 0, or null."),
        ({"stores": True}, "The quota of stores must be a whole number of at least 0, or null."),
        ({"app:": None}, "There is no feature app:. Known are: "),
    ],
)
async def test_invalid_features_are_refused(owner, changes, features, sentence):
    with pytest.raises(ValidationFailed) as refused:
        await api.set_source(owner.id, "plan", "pro", features)

    assert refused.value.errors["features"][0].startswith(sentence)
    assert await stored_sources(owner) == []
    assert (await changes()).data == []


async def test_feature_of_a_removed_plugin_stays(owner, plan):
    await plan(crm_suite=None)
    # As a plan that was set while a plugin declared the feature.
    features = json.dumps({"bookings": 3})
    await sql.execute("UPDATE entitlements_source SET features = $2::jsonb WHERE owner_id = $1", owner.id, features)

    await plan(bookings=4, crm_suite=None)

    assert (await api.get_effective(owner.id))["bookings"] == Entitlement(quota=4)


async def test_nothing_is_published_when_the_transaction_fails(owner, changes):
    async def fail():
        async with sql.transaction():
            await api.set_source(owner.id, "plan", "pro", {})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert (await changes()).data == []
    assert set((await api.get_effective(owner.id)).values()) == {EVERYTHING}


async def test_concurrent_sources_publish_each_change_once(owner, plan, changes):
    await plan()
    before = len((await changes()).data)

    def grant(number):
        return api.set_source(owner.id, "add_on", f"crm-{number}", {"crm_suite": None})

    await asyncio.gather(*(grant(number) for number in range(8)))
    granted = (await changes()).features[before:]
    await asyncio.gather(*(api.remove_source(owner.id, "add_on", f"crm-{number}") for number in range(8)))

    assert granted == ["+crm_suite"]
    assert (await changes()).features[before:] == ["+crm_suite", "-crm_suite"]
    assert (await api.get_effective(owner.id))["crm_suite"] == NOTHING


async def test_sources_of_a_new_owner_at_once_lose_nothing(owner):
    keys = [f"app:{number}" for number in range(8)]

    await asyncio.gather(*(api.set_source(owner.id, "app", key, {key: None}) for key in keys))

    effective = await api.get_effective(owner.id)
    assert {key for key in effective if key.startswith("app:")} == set(keys)


async def test_expired_source_is_removed_by_the_task(owner, clock, plan, changes, run_task):
    clock.set(MONDAY)
    await plan()
    before = len((await changes()).data)
    until = MONDAY + timedelta(days=3)
    await sources.set_source(owner.id, "admin", "crm_suite", {"crm_suite": None}, expires_at=until)
    await sources.set_source(owner.id, "admin", "webhooks", {"webhooks": 3}, expires_at=until + timedelta(days=1))

    await run_task("entitlements_expire")
    untouched = (await changes()).features[before:]
    clock.set(until)
    await run_task("entitlements_expire")

    assert untouched == ["+crm_suite", "+webhooks"]
    said = await changes()
    assert said.features[before:] == ["+crm_suite", "+webhooks", "-crm_suite"]
    assert said.sources[-1] == "admin/crm_suite"
    effective = await api.get_effective(owner.id)
    assert (effective["crm_suite"], effective["webhooks"]) == (NOTHING, Entitlement(quota=3))


async def test_two_sources_expire_with_one_event(owner, clock, plan, changes, run_task):
    clock.set(MONDAY)
    await plan()
    before = len((await changes()).data)
    until = MONDAY + timedelta(days=3)
    for number in (1, 2):
        source = (owner.id, "admin", str(number), {"crm_suite": None})
        await sources.set_source(*source, expires_at=until + timedelta(hours=number))

    clock.set(until + timedelta(days=1))
    await run_task("entitlements_expire")

    said = await changes()
    assert said.features[before:] == ["+crm_suite", "-crm_suite"]
    assert said.sources[-1] == "admin/2"
