"""The SMS services of owners."""

from comanda.platform.db import OwnerRow
from tortoise import fields


class SmsService(OwnerRow):
    """The service that an owner's SMS go through. ``url`` contains its credentials and is encrypted."""

    service = fields.CharField(max_length=20)
    url = fields.TextField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "apprise_sms_service"
