"""The signing secret of an app's webhooks."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda.platform.encryption import DecryptionFailed
from comanda_marketplace.models import App
from comanda_marketplace.services.installations import webhook_secrets

NOON = datetime(2030, 1, 7, 12, tzinfo=UTC)


@pytest.fixture
def row(app):
    return App(id=5, owner_id=1)


def test_secret_is_stored_encrypted(row):
    secret = webhook_secrets.set_new_secret(row)

    assert secret not in row.webhook_secret
    assert webhook_secrets.get_secret(row) == secret


def test_secret_of_another_app_cannot_be_read(row):
    webhook_secrets.set_new_secret(row)

    with pytest.raises(DecryptionFailed):
        webhook_secrets.get_secret(App(id=6, owner_id=1, webhook_secret=row.webhook_secret))


def test_old_secret_is_valid_for_a_day(row):
    moment = NOON
    old = webhook_secrets.set_new_secret(row)

    new = webhook_secrets.rotate_secret(row, moment)

    assert new != old
    assert webhook_secrets.get_secret(row) == new
    almost = moment + timedelta(hours=24) - timedelta(seconds=1)
    assert [each["secret"] for each in webhook_secrets.list_old_secrets(row, almost)] == [old]
    assert webhook_secrets.list_old_secrets(row, moment + timedelta(hours=24)) == []
