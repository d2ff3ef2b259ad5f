"""Grants of administrators."""

from datetime import timedelta

import pytest
from comanda.basics import NotFound, ValidationFailed
from comanda.basics import clock as comanda_clock
from comanda_entitlements.services import administration


async def test_granted_feature_is_listed_until_revoked(owner, plan, changes):
    await plan()
    await administration.grant_feature(owner.email, "webhooks", None, None)
    await administration.revoke_feature(owner.email, "webhooks")

    assert [change for change in (await changes()).features if "webhooks" in change] == [
        "-webhooks",
        "+webhooks",
        "-webhooks",
    ]
    listed = {each.feature_key: each for each in await administration.list_features(owner.email)}
    assert not listed["webhooks"].is_granted


async def test_grant_that_has_expired_is_refused(owner, changes):
    with pytest.raises(ValidationFailed) as failed:
        await administration.grant_feature(owner.email, "webhooks", None, comanda_clock.now() - timedelta(seconds=1))

    assert failed.value.errors == {"until": ["This time has passed."]}
    assert (await changes()).data == []


async def test_feature_that_nobody_granted_cannot_be_revoked(owner):
    with pytest.raises(NotFound):
        await administration.revoke_feature(owner.email, "webhooks")
