"""What the rows of owners and of stores have in common.

Tortoise knows no keys of two columns: it takes ``id`` for the key of tables whose key is ``(id, owner_id)``.
"""

from tortoise import fields
from tortoise.models import Model


class OwnerRow(Model):
    """A row that belongs to an owner."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()

    class Meta:
        abstract = True


class StoreRow(OwnerRow):
    """A row that belongs to one of an owner's stores."""

    store_id = fields.BigIntField()

    class Meta:
        abstract = True
