"""The default plan of owners without one."""

import dataclasses

import pytest
from comanda.basics import ValidationFailed
from comanda.basics.startup_errors import InvalidSettings
from comanda.contracts import Entitlement
from comanda.platform import read_settings
from comanda.platform import runtime as runtime_module
from comanda_entitlements import api
from comanda_entitlements.settings import EntitlementSettings

PREFIX = "COMANDA_ENTITLEMENTS_"


@pytest.fixture
def default_plan(runtime):
    """Return a function that sets the default plan of this process."""

    def use(plan):
        made = EntitlementSettings(default_plan=plan)
        settings = {**runtime.registry.settings, EntitlementSettings: made}
        registry = dataclasses.replace(runtime.registry, settings=settings)
        runtime_module.use(dataclasses.replace(runtime, registry=registry))

    yield use
    runtime_module.use(runtime)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ('{"stores": 1, "crm_suite": null, "items": "unlimited"}', {"stores": 1, "crm_suite": None, "items": None}),
        ('{"webhooks": true, "staff": 0}', {"webhooks": None, "staff": 0}),
        ('["crm_suite", "webhooks"]', {"crm_suite": None, "webhooks": None}),
        ("{}", {}),
        ("", None),
    ],
)
def test_default_plan_is_json(monkeypatch, text, plan):
    monkeypatch.setenv(f"{PREFIX}DEFAULT_PLAN", text)

    assert read_settings(EntitlementSettings, PREFIX).default_plan == plan


@pytest.mark.parametrize("text", ['{"stores": -1}', '{"stores": 1.5}', '{"stores": "3"}', '"pro"', "7", "{"])
def test_invalid_default_plan_is_explained(monkeypatch, text):
    monkeypatch.setenv(f"{PREFIX}DEFAULT_PLAN", text)

    with pytest.raises(InvalidSettings):
        read_settings(EntitlementSettings, PREFIX)


async def test_default_plan_holds_without_a_plan_of_ones_own(owner, default_plan):
    default_plan({"stores": 1})

    effective = await api.get_effective(owner.id)
    assert effective["stores"] == Entitlement(quota=1)
    assert effective["items"] == Entitlement()
    assert effective["crm_suite"] == Entitlement(is_granted=False)
    await owner.store()
    with pytest.raises(ValidationFailed):
        await owner.store()


async def test_additions_count_beside_the_default_plan(owner, default_plan):
    default_plan({"stores": 1})
    await api.set_source(owner.id, "admin", "stores", {"stores": 3, "crm_suite": None})

    effective = await api.get_effective(owner.id)

    assert (effective["stores"].quota, effective["crm_suite"].is_granted) == (3, True)


async def test_own_plan_replaces_the_default_one(owner, default_plan, plan, changes):
    default_plan({"stores": 1, "crm_suite": None})
    await plan(webhooks=None)

    effective = await api.get_effective(owner.id)
    said = await changes()

    assert effective["stores"] == Entitlement()
    assert effective["crm_suite"] == Entitlement(is_granted=False)
    assert {"+webhooks", "-crm_suite"} <= set(said.features)


async def test_default_plan_is_listed_as_a_source(client, owner, default_plan):
    default_plan({"stores": 1})

    response = await client.get("/api/v1/entitlements", headers=owner.auth)

    [stores] = [each for each in (await response.get_json())["data"] if each["feature_key"] == "stores"]
    assert stores["sources"] == [{"source_type": "plan", "source_id": "default", "quota": 1, "expires_at": None}]
