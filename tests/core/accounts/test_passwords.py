"""Password rules and hashes."""

import pytest
from argon2 import PasswordHasher
from comanda.accounts import passwords
from comanda.basics.errors import ValidationFailed

pytestmark = pytest.mark.usefixtures("genuine_password_hasher")


@pytest.mark.parametrize("password", ["correct horse", "x" * 8, "x" * 128, "пароль на завтра", "\0" * 8, "12345678"])
def test_passwords_may_contain_any_characters(password):
    passwords.check_password(password, "ada@example.com")


@pytest.mark.parametrize("password", ["", "x" * 7, "x" * 129, "Ada@Example.com"])
def test_invalid_passwords_are_refused(password):
    with pytest.raises(ValidationFailed) as refused:
        passwords.check_password(password, "ada@example.com")
    assert list(refused.value.errors) == ["password"]


@pytest.mark.parametrize("password", ["12345678", "Password1", "QWERTYUIOP", "\uff50assword", "contraseña"])
def test_common_passwords_are_refused_on_request(password):
    passwords.check_password(password, None)
    with pytest.raises(ValidationFailed) as refused:
        passwords.check_password(password, None, refuse_common=True)
    assert list(refused.value.errors) == ["password"]


def test_uncommon_passwords_are_accepted_for_staff():
    passwords.check_password("correct horse", "ada@example.com", refuse_common=True)


async def test_a_hash_is_salted_and_matches_its_password():
    known = await passwords.hash_password("correct horse")

    assert known.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert known != await passwords.hash_password("correct horse")
    assert await passwords.verify_password("correct horse", known) == passwords.PasswordCheck(is_right=True)
    assert await passwords.verify_password("wrong horse", known) == passwords.PasswordCheck(is_right=False)


@pytest.mark.parametrize("known", [None, "", "no hash"])
async def test_every_password_is_wrong_without_a_hash(known):
    assert await passwords.verify_password("nobody's password", known) == passwords.PasswordCheck(is_right=False)


async def test_unicode_forms_of_a_character_are_equal():
    assert (
        await passwords.verify_password("cafe\u0301 au lait", await passwords.hash_password("caf\u00e9 au lait"))
    ).is_right


async def test_a_hash_with_old_parameters_is_replaced():
    verdict = await passwords.verify_password(
        "1234", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("1234")
    )

    assert verdict.is_right
    assert (await passwords.verify_password("1234", verdict.new_hash)) == passwords.PasswordCheck(is_right=True)
