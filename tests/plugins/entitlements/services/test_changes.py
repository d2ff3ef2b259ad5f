"""Events of gained and lost features."""

from comanda_entitlements import api


async def test_new_quota_is_no_event(owner, plan, changes):
    await plan(stores=3)
    before = (await changes()).features

    await plan(stores=5)

    assert (await changes()).features == before
    assert (await api.get_effective(owner.id))["stores"].quota == 5


async def test_feature_of_two_sources_is_lost_with_the_last(owner, plan, changes):
    await plan()
    await api.set_source(owner.id, "add_on", "a", {"webhooks": None})
    await api.set_source(owner.id, "add_on", "b", {"webhooks": None})
    seen = len((await changes()).features)

    await api.remove_source(owner.id, "add_on", "a")
    assert len((await changes()).features) == seen
    await api.remove_source(owner.id, "add_on", "b")

    found = await changes()
    assert (found.features[seen:], found.sources[seen:]) == (["-webhooks"], ["add_on/b"])
