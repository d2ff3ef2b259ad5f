"""Owners, the tokens of everyone who acts within an owner's data, and what stands before a token is given."""

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
    """A token of any kind, stored as its SHA-256. With ``is_sliding`` use extends it, where its kind slides too."""

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
    """A code that was sent to somebody. Both are kept as keyed hashes; ``owner_id`` 0 is of no owner yet.

    ``address_hash`` is of the phone or e-mail alone, whichever store it was for; ``source_hash`` of where the code was
    requested from. ``wrong_tries`` are those of that source, ``other_tries`` those of all others.
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
    """How often a secret was tried until ``expires_at``; ``key_hash`` is a keyed hash of whose it is."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    key_hash = fields.BinaryField()
    tries = fields.IntField()
    expires_at = fields.DatetimeField()

    class Meta:
        table = "core_login_try"


class Secret(Model):
    """The key of this installation's keyed hashes: one row, made with the table, encrypted at the first start."""

    id = fields.SmallIntField(primary_key=True, generated=False)
    key = fields.TextField()

    class Meta:
        table = "core_secret"


class DemoThing(Model):
    """Something that the demo made, so that it is made once: what people change or delete of it stays so."""

    name = fields.CharField(primary_key=True, max_length=200)
    thing_id = fields.BigIntField()

    class Meta:
        table = "core_demo_thing"
