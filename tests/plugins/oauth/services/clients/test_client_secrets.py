"""Client secrets as stored."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda.platform.encryption import DecryptionFailed
from comanda_oauth import models
from comanda_oauth.services.clients import client_secrets

NOON = datetime(2030, 1, 7, 12, tzinfo=UTC)


@pytest.fixture
def stored(app):
    row = models.Client(id=5, owner_id=1)
    client_secrets.set_secret(row, "secret_first")
    return row


def test_secret_is_encrypted_for_its_row(stored):
    assert "secret_first" not in stored.secret
    assert client_secrets.get_secret(stored) == "secret_first"
    with pytest.raises(DecryptionFailed):
        client_secrets.get_secret(models.Client(id=6, owner_id=1, secret=stored.secret))


def test_old_secret_is_valid_for_a_day(stored):
    moment = NOON

    new = client_secrets.rotate_secret(stored, moment)

    for given, after, is_valid in [
        (new, timedelta(days=30), True),
        ("secret_first", timedelta(hours=23), True),
        ("secret_first", timedelta(hours=24), False),
        ("", timedelta(0), False),
    ]:
        assert client_secrets.is_valid_secret(stored, given, moment + after) is is_valid


def test_second_rotation_retires_the_first_secret(stored):
    moment = NOON
    second = client_secrets.rotate_secret(stored, moment)
    client_secrets.rotate_secret(stored, moment)

    assert not client_secrets.is_valid_secret(stored, "secret_first", moment)
    assert client_secrets.is_valid_secret(stored, second, moment)
