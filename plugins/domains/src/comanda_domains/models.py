"""The hosts of stores."""

from tortoise import fields
from tortoise.models import Model


class Host(Model):
    """A host name of a store, in ASCII. It answers once it is proven: by DNS with ``token``, or as a subdomain.

    One that is proven belongs to one store alone; any number of stores may try to prove a name.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    name = fields.CharField(max_length=230)
    token = fields.CharField(max_length=64)
    is_redirected_to = fields.BooleanField()
    created_at = fields.DatetimeField()
    checked_at = fields.DatetimeField(null=True)
    proven_at = fields.DatetimeField(null=True)

    class Meta:
        table = "domains_host"
