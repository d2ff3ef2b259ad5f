"""The identities of people at providers."""

from comanda.platform.db import OwnerRow
from tortoise import fields


class Identity(OwnerRow):
    """A person at a provider (``issuer`` and ``sub``), and the account that they sign in to.

    ``subject_id`` is the member of staff for the kind ``staff``, and null for an owner. ``email`` is the address that
    the provider named when the identity was linked; it decides nothing afterwards.
    """

    kind = fields.CharField(max_length=20)
    subject_id = fields.BigIntField(null=True)
    issuer = fields.CharField(max_length=255)
    sub = fields.CharField(max_length=255)
    email = fields.CharField(max_length=255)
    created_at = fields.DatetimeField()
    last_used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "oidc_identity"
