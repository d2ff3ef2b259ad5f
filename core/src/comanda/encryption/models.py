"""Which encryption keys the database's values need."""

from tortoise import fields
from tortoise.models import Model


class EncryptionKey(Model):
    """A key, by its id, with which values of this database may be encrypted; the key itself is kept elsewhere."""

    id = fields.CharField(max_length=20, primary_key=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_encryption_key"
