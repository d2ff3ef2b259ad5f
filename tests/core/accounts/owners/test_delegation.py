"""Who uses the dashboard, and as which caller."""

import pytest
from comanda.accounts import web_sessions
from comanda.accounts.owners.delegation import list_dashboard_kinds, to_dashboard_caller
from comanda.basics.errors import Forbidden


async def open_session(**fields):
    return (await web_sessions.create_session(**fields))[1]


async def test_owner_is_themselves(owner):
    caller = to_dashboard_caller(await open_session(owner_id=owner.id))

    assert (caller.kind, caller.acts_as, caller.store_id) == ("owner", None, None)
    assert caller.may("orders:write")


async def test_staff_act_as_the_owner_in_their_store(owner, store_id):
    session = await open_session(
        owner_id=owner.id, kind="staff", subject_id=7, store_id=store_id, scopes=["orders", "menu_edit", "*", "write"]
    )

    caller = to_dashboard_caller(session)

    assert (caller.kind, caller.acts_as, caller.store_id, caller.subject_id) == ("staff", "owner", store_id, 7)
    assert caller.scopes == {"orders:read", "menu:write"}


@pytest.mark.parametrize("kind", ["driver", "customer", "storefront", "app", "unknown"])
async def test_people_of_other_kinds_do_not_use_it(owner, store_id, kind):
    session = await open_session(owner_id=owner.id, kind=kind, subject_id=1, store_id=store_id, scopes=["*"])

    assert kind not in list_dashboard_kinds()
    with pytest.raises(Forbidden):
        to_dashboard_caller(session)


async def test_staff_of_no_store_do_not_use_it(owner):
    with pytest.raises(Forbidden):
        to_dashboard_caller(await open_session(owner_id=owner.id, kind="staff", subject_id=1, scopes=["orders"]))
