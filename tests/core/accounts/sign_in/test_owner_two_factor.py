"""Two-factor of owners, without pages."""

import asyncio

import pyotp
import pytest
from comanda.accounts import owner_login
from comanda.accounts.sign_in import owner_two_factor
from comanda.basics.errors import Conflict, RateLimited, Unauthenticated, ValidationFailed
from comanda.contracts.web.sign_in import SecondFactor

PASSWORD = "correct horse battery"


@pytest.fixture
async def guarded(owner, clock):
    """An owner with two-factor on: its secret and recovery codes."""
    await owner_login.set_owner_password(owner.id, PASSWORD)
    pending = await owner_two_factor.start_setup(owner.id, owner.email)
    codes = await owner_two_factor.confirm_setup(owner.id, pyotp.TOTP(pending.secret).at(clock()))
    clock.advance(seconds=60)
    return pending.secret, codes


async def test_every_login_by_password_needs_the_code(owner, guarded, clock):
    secret, codes = guarded
    for factor in (None, SecondFactor()):
        with pytest.raises(Unauthenticated) as failure:
            await owner_login.login_owner(owner.email, PASSWORD, "192.0.2.1", factor)
        assert failure.value.extras["reason"] == "two_factor_required"
    with pytest.raises(ValidationFailed):
        await owner_login.login_owner(owner.email, PASSWORD, "192.0.2.1", SecondFactor(otp="000000"))

    for factor in (SecondFactor.parse(pyotp.TOTP(secret).at(clock())), SecondFactor.parse(codes[3])):
        assert (await owner_login.login_owner(owner.email, PASSWORD, "192.0.2.1", factor)).id == owner.id


async def test_recovery_code_is_used_by_one_of_simultaneous_requests(owner, guarded):
    factor = SecondFactor(recovery_code=guarded[1][0])

    results = await asyncio.gather(
        *(owner_two_factor.verify(owner.id, factor) for _ in range(4)), return_exceptions=True
    )

    assert sorted(type(result).__name__ for result in results) == ["NoneType", *["ValidationFailed"] * 3]
    assert await owner_two_factor.count_recovery_codes(owner.id) == 9


async def test_codes_of_another_owner_are_worth_nothing(owner, other_owner, guarded, clock):
    secret, codes = guarded
    pending = await owner_two_factor.start_setup(other_owner.id, other_owner.email)
    await owner_two_factor.confirm_setup(other_owner.id, pyotp.TOTP(pending.secret).at(clock()))

    for factor in (SecondFactor(otp=pyotp.TOTP(secret).at(clock())), SecondFactor(recovery_code=codes[0])):
        with pytest.raises(ValidationFailed):
            await owner_two_factor.verify(other_owner.id, factor)


async def test_setup_expires_and_does_not_replace_what_is_on(owner, clock):
    pending = await owner_two_factor.start_setup(owner.id, owner.email)
    clock.advance(minutes=10)
    assert await owner_two_factor.get_pending(owner.id, owner.email) is None
    with pytest.raises(ValidationFailed):
        await owner_two_factor.confirm_setup(owner.id, pyotp.TOTP(pending.secret).at(clock()))
    fresh = await owner_two_factor.start_setup(owner.id, owner.email)
    await owner_two_factor.confirm_setup(owner.id, pyotp.TOTP(fresh.secret).at(clock()))

    with pytest.raises(Conflict):
        await owner_two_factor.start_setup(owner.id, owner.email)

    assert await owner_two_factor.is_enabled(owner.id)


async def test_wrong_codes_lock_even_the_right_one(owner, guarded, clock):
    for number in range(6):
        with pytest.raises(ValidationFailed if number < 5 else RateLimited):
            await owner_two_factor.verify(owner.id, SecondFactor(otp="000000"))
    clock.advance(minutes=15)

    await owner_two_factor.verify(owner.id, SecondFactor(recovery_code=guarded[1][0]))


async def test_disabling_deletes_the_recovery_codes(owner, guarded):
    await owner_two_factor.disable(owner.id)

    assert not await owner_two_factor.is_enabled(owner.id)
    assert await owner_two_factor.count_recovery_codes(owner.id) == 0
    with pytest.raises(Conflict):
        await owner_two_factor.replace_recovery_codes(owner.id)
    await owner_two_factor.verify(owner.id, None)
