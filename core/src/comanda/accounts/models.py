"""Owners, and the tokens of everyone who acts within an owner's data."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Owner(Model):
    """A tenant. Everything else belongs to exactly one."""

    id = fields.BigIntField(primary_key=True)
    email = fields.CharField(max_length=255)
    name = fields.CharField(max_length=255)
    plan = fields.CharField(max_length=50, null=True)
    is_suspended = fields.BooleanField(default=False)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_owner"


class AccessToken(Model):
    """A token of any kind, stored as its SHA-256."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    kind = fields.CharField(max_length=20)
    token_hash = fields.BinaryField()
    name = fields.CharField(max_length=100)
    store_id = fields.BigIntField(null=True)
    subject_id = fields.BigIntField(null=True)
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    expires_at = fields.DatetimeField(null=True)
    revoked_at = fields.DatetimeField(null=True)
    last_used_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_access_token"
