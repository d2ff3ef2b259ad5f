"""The SMS services of owners."""

from tortoise import fields
from tortoise.models import Model


class SmsService(Model):
    """The service that an owner's SMS go through. ``url`` contains its credentials and is encrypted."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    service = fields.CharField(max_length=20)
    url = fields.TextField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "apprise_sms_service"
