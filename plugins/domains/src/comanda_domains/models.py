"""The hosts of stores."""

from comanda.platform.db import StoreRow
from tortoise import fields


class Host(StoreRow):
    """A host name of a store, in ASCII. It answers once it is proven: by DNS with ``token``, or as a subdomain.

    One that is proven belongs to one store alone; any number of stores may try to prove a name.
    """

    name = fields.CharField(max_length=230)
    token = fields.CharField(max_length=64)
    is_redirected_to = fields.BooleanField()
    created_at = fields.DatetimeField()
    checked_at = fields.DatetimeField(null=True)
    proven_at = fields.DatetimeField(null=True)

    class Meta:
        table = "domains_host"
