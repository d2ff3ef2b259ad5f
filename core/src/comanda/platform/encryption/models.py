"""Encryption keys that the database needs."""

from tortoise import fields
from tortoise.models import Model


class EncryptionKey(Model):
    """The id of a key that values in this database may be encrypted with; the key itself is stored elsewhere."""

    id = fields.CharField(max_length=20, primary_key=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_encryption_key"
