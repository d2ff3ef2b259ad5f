"""What may be a password, and what its hash tells."""

import pytest
from argon2 import PasswordHasher
from comanda.accounts import passwords
from comanda.errors import ValidationFailed


@pytest.mark.parametrize("password", ["correct horse", "x" * 8, "x" * 128, "пароль на завтра", "\0" * 8, "12345678"])
def test_any_characters_will_do(password):
    passwords.check_password(password, "ada@example.com")


@pytest.mark.parametrize("password", ["", "x" * 7, "x" * 129, "Ada@Example.com"])
def test_what_is_no_password(password):
    with pytest.raises(ValidationFailed) as refused:
        passwords.check_password(password, "ada@example.com")
    assert list(refused.value.errors) == ["password"]


@pytest.mark.parametrize("password", ["12345678", "Password1", "QWERTYUIOP", "\uff50assword", "contraseña"])
def test_what_guessing_begins_with_is_refused_where_that_is_asked(password):
    passwords.check_password(password, None)
    with pytest.raises(ValidationFailed) as refused:
        passwords.check_password(password, None, refuse_common=True)
    assert list(refused.value.errors) == ["password"]


def test_a_password_that_is_not_common_is_good_enough_for_staff():
    passwords.check_password("correct horse", "ada@example.com", refuse_common=True)


async def test_a_hash_is_of_its_password_alone_and_never_the_same():
    known = await passwords.hash_password("correct horse")

    assert known.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert known != await passwords.hash_password("correct horse")
    assert await passwords.verify_password("correct horse", known) == passwords.PasswordCheck(is_right=True)
    assert await passwords.verify_password("wrong horse", known) == passwords.PasswordCheck(is_right=False)


@pytest.mark.parametrize("known", [None, "", "no hash"])
async def test_without_a_hash_every_password_is_wrong(known):
    assert await passwords.verify_password("nobody's password", known) == passwords.PasswordCheck(is_right=False)


async def test_one_character_written_in_two_ways_is_one_password():
    assert (
        await passwords.verify_password("cafe\u0301 au lait", await passwords.hash_password("caf\u00e9 au lait"))
    ).is_right


async def test_a_hash_of_old_parameters_comes_with_a_new_one():
    verdict = await passwords.verify_password(
        "1234", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("1234")
    )

    assert verdict.is_right
    assert (await passwords.verify_password("1234", verdict.new_hash)) == passwords.PasswordCheck(is_right=True)
