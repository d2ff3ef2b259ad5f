"""The person behind a token."""

from dataclasses import replace

import pytest
from comanda.accounts import services
from comanda.basics import Unauthenticated
from comanda_mobile.services import handoffs, login, people


@pytest.mark.parametrize("kind", ["app", "storefront", "customer", "driver"])
async def test_token_of_a_third_party_is_no_persons(owner, kind):
    """Apps of third parties act as their owner on owner routes, and must not become the owner on pages."""
    caller = replace(owner.caller, kind=kind)

    for call in (
        lambda: people.get_identity(caller),
        lambda: login.log_out(caller),
        lambda: handoffs.create_handoff(caller, "/", "agent"),
    ):
        with pytest.raises(Unauthenticated):
            await call()
    assert await services.is_valid_token(owner.token, owner.id)


async def test_only_own_stores_are_listed_newest_first(owner, other_owner, monkeypatch):
    monkeypatch.setattr(people, "MAX_STORES", 2)
    ids = [await owner.store() for _ in range(3)]
    await other_owner.store()

    identity = await people.get_identity(owner.caller)

    assert [store.id for store in identity.stores] == ids[:0:-1]
    assert identity.stores_count == 3
