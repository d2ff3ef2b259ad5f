"""Login by e-mail without naming a store."""

import pytest
from comanda.accounts import administration, passwords
from comanda.basics import NotFound, RateLimited, Unauthenticated, ValidationFailed
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql
from comanda_staff import api
from comanda_staff.schemas.login import StaffLoginBody
from comanda_staff.services import store_selection

PASSWORD = "lemon tart at dawn"


def body(email, password=PASSWORD, **fields):
    return StaffLoginBody(email=email, password=password, device="phone", **fields)


@pytest.fixture
def count_checks(monkeypatch):
    """Count the password hashes that a login computes."""
    checked = []
    original = passwords.verify_password

    async def verify(password, known_hash):
        checked.append(known_hash)
        return await original(password, known_hash)

    monkeypatch.setattr(passwords, "verify_password", verify)
    return checked


async def count_tokens(owner):
    return await sql.fetch_value(
        "SELECT count(*) FROM core_access_token WHERE owner_id = $1 AND kind = 'staff'", owner.id
    )


async def test_the_only_store_of_an_email_is_found(store, create_member):
    ana = await create_member("waiter")

    session = await api.log_in(body(ana.email.upper()))

    assert (session.owner_id, session.store_id, session.staff.id) == (store.owner.id, store.id, ana.id)
    assert await count_tokens(store.owner) == 1


async def test_wrong_password_and_unknown_email_are_the_same_after_the_same_work(store, create_member, count_checks):
    ana = await create_member("waiter")
    raised = []
    for email, password in ((ana.email, "wrong"), ("nobody@example.com", PASSWORD), ("", PASSWORD)):
        count_checks.clear()
        with pytest.raises(Unauthenticated) as error:
            await api.log_in(body(email, password))
        raised.append((error.value.envelope(), len(count_checks)))

    assert raised == [(raised[0][0], store_selection.MAX_STORES)] * 3
    assert raised[0][0]["reason"] == "invalid_credentials"
    assert await count_tokens(store.owner) == 0


async def test_stores_with_one_password_are_offered_as_choices(client, store, other_owner, create_member):
    elsewhere = TestStore(client, other_owner, await other_owner.store())
    await create_member("waiter", email="ana@two.example")
    await create_member("kitchen", at=elsewhere, email="ana@two.example")

    with pytest.raises(ValidationFailed) as error:
        await api.log_in(body("ana@two.example"))

    assert list(error.value.errors) == ["restaurant_id"]
    assert {choice["restaurant_id"] for choice in error.value.extras["choices"]} == {store.id, elsewhere.id}
    assert await count_tokens(store.owner) == await count_tokens(other_owner) == 0
    assert (await api.log_in(body("ana@two.example"), store_id=elsewhere.id)).store_id == elsewhere.id
    assert (await api.log_in(body("ana@two.example"), owner_id=store.owner.id)).store_id == store.id


async def test_only_the_store_with_this_password_counts(client, store, other_owner, create_member):
    elsewhere = TestStore(client, other_owner, await other_owner.store())
    await create_member("waiter", email="rui@two.example")
    await create_member("waiter", at=elsewhere, email="rui@two.example", password="another lemon tart")

    session = await api.log_in(body("rui@two.example", "another lemon tart"))

    assert session.store_id == elsewhere.id


async def test_deactivated_member_cannot_log_in(store, create_member):
    ana = await create_member("waiter")
    await ana.update(is_active=False)

    with pytest.raises(Unauthenticated):
        await api.log_in(body(ana.email))

    assert await count_tokens(store.owner) == 0


async def test_suspended_owner_is_named_only_after_the_right_password(store, create_member):
    ana = await create_member("waiter")
    await administration.set_suspended(store.owner.email, is_suspended=True)

    with pytest.raises(Unauthenticated):
        await api.log_in(body(ana.email, "wrong"))
    with pytest.raises(NotFound) as error:
        await api.log_in(body(ana.email))

    assert error.value.extras == {"reason": "account_suspended"}
    assert await count_tokens(store.owner) == 0


async def test_attempts_count_for_the_store_as_well(store, create_member, attempt_login):
    ana = await create_member("waiter")
    for _ in range(10):
        with pytest.raises(Unauthenticated):
            await api.log_in(body(ana.email, "wrong"))

    with pytest.raises(Unauthenticated):
        await api.log_in(body(ana.email))
    with pytest.raises(RateLimited):
        await api.log_in(body(ana.email), store_id=store.id)
    assert (await attempt_login("login", email=ana.email, password=PASSWORD))[0] == 429
    assert await count_tokens(store.owner) == 0
