"""Owners, access tokens, login codes and login attempts."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Owner(Model):
    """A tenant. Everything else belongs to exactly one owner."""

    id = fields.BigIntField(primary_key=True)
    email = fields.CharField(max_length=255)
    name = fields.CharField(max_length=255)
    plan = fields.CharField(max_length=50, null=True)
    is_suspended = fields.BooleanField(default=False)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_owner"


class AccessToken(Model):
    """A token of any kind, stored as its SHA-256. With ``is_sliding`` each use extends it, if its kind is sliding."""

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
    is_sliding = fields.BooleanField(default=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_access_token"


class LoginCode(Model):
    """A one-time code that was sent. Code and recipient are stored as keyed hashes; ``owner_id`` 0 means no owner yet.

    ``address_hash`` is the phone or e-mail without the store, ``source_hash`` the address that requested the code.
    ``wrong_tries`` counts attempts from that source, ``other_tries`` those from all others.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    identity_hash = fields.BinaryField()
    purpose = fields.CharField(max_length=20)
    code_hash = fields.BinaryField()
    address_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    source_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    wrong_tries = fields.SmallIntField(default=0)
    other_tries = fields.SmallIntField(default=0)
    expires_at = fields.DatetimeField()
    used_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_login_code"


class LoginTry(Model):
    """The number of login attempts until ``expires_at``; ``key_hash`` is a keyed hash of the login."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    key_hash = fields.BinaryField()
    tries = fields.IntField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "core_login_try"


class Secret(Model):
    """The key of this installation's keyed hashes: one row, created with the table, encrypted at the first start."""

    id = fields.SmallIntField(primary_key=True, generated=False)
    key = fields.TextField()

    class Meta:
        table = "core_secret"


class DemoThing(Model):
    """A record that the demo created, so that it is created only once and later changes or deletions stay."""

    name = fields.CharField(primary_key=True, max_length=200)
    thing_id = fields.BigIntField()

    class Meta:
        table = "core_demo_thing"
