"""Limit on failed password logins."""

import asyncio

import pytest
from comanda.basics import RateLimited, Unauthenticated
from comanda_customers.schemas.accounts import LoginBody
from comanda_customers.services import stores
from comanda_customers.services.sign_in import login

ADA = {"email": "ada@example.com", "password": "correct horse"}


async def test_ten_failures_lock_email_for_15_minutes(ada, store_id, clock):
    shop = await stores.get_published_store(store_id)
    wrong, right = LoginBody(email="ada@example.com", password="wrong horse"), LoginBody(**ADA)
    # All at once, as whoever guesses would.
    outcomes = await asyncio.gather(*(login.log_in_by_password(shop, wrong) for _ in range(14)), return_exceptions=True)

    assert sum(isinstance(one, Unauthenticated) for one in outcomes) == 10
    assert sum(isinstance(one, RateLimited) for one in outcomes) == 4
    with pytest.raises(RateLimited) as refused:
        await login.log_in_by_password(shop, right)
    assert 0 < int(refused.value.headers["Retry-After"]) <= 15 * 60 + 1
    clock.advance(minutes=15)
    assert (await login.log_in_by_password(shop, right)).customer.id == ada.id


async def test_success_resets_failures(ada, store_id):
    shop = await stores.get_published_store(store_id)
    for _ in range(2):
        for _ in range(9):
            with pytest.raises(Unauthenticated):
                await login.log_in_by_password(shop, LoginBody(email="ada@example.com", password="wrong horse"))
        await login.log_in_by_password(shop, LoginBody(**ADA))
