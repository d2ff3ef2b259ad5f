"""What an owner is entitled to, for people."""

from comanda.contracts import PageRequest
from comanda_entitlements import api
from comanda_entitlements.services.overview import list_effective


async def test_each_feature_names_its_sources(owner, plan):
    await plan(webhooks=None, stores=3)
    await api.set_source(owner.id, "add_on", "extra", {"stores": 5})

    listed = {each.feature_key: each for each in (await list_effective(owner.id, PageRequest(1, 100))).data}

    assert [(source.source_type, source.source_id) for source in listed["webhooks"].sources] == [("plan", "pro")]
    assert [(source.source_id, source.quota) for source in listed["stores"].sources] == [("extra", 5), ("pro", 3)]


async def test_pages_are_by_key(owner):
    first = await list_effective(owner.id, PageRequest(1, 2))
    second = await list_effective(owner.id, PageRequest(2, 2))

    keys = [each.feature_key for each in (*first.data, *second.data)]
    assert len(keys) == 4
    assert keys == sorted(set(keys))
