"""Owners, access tokens, web sessions, second factors, passkeys, login codes and login attempts."""

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model

from comanda.contracts.data.model_sets import EncryptedColumn
from comanda.platform.db.orm.rows import OwnerRow

TOTP_SECRET = EncryptedColumn("core_owner_totp", "secret", ("owner_id",))
TOTP_PENDING_SECRET = EncryptedColumn("core_owner_totp", "pending_secret", ("owner_id",))


class Owner(Model):
    """A tenant. Everything else belongs to exactly one owner.

    ``suspended_by`` is the actor who suspended the owner, such as ``operator`` or ``owner:12``. ``password_version``
    increases with each new password, so that a login that began with the old one can be recognized. An owner who
    ``is_administrator`` may administer the whole installation on pages. Pages and e-mails for the owner carry
    ``brand_name``, if it is set, and ``brand_email`` is whom to ask: a reseller's.
    """

    id = fields.BigIntField(primary_key=True)
    email = fields.CharField(max_length=255)
    name = fields.CharField(max_length=255)
    plan = fields.CharField(max_length=50, null=True)
    is_suspended = fields.BooleanField(default=False)
    created_at = fields.DatetimeField()
    suspended_at = fields.DatetimeField(null=True)
    suspend_reason = fields.CharField(max_length=500, null=True)
    suspended_by = fields.CharField(max_length=50, null=True)
    password_hash = fields.CharField(max_length=255, null=True)
    password_version = fields.IntField(default=0)
    is_administrator = fields.BooleanField(default=False)
    brand_name = fields.CharField(max_length=255, null=True)
    brand_email = fields.CharField(max_length=255, null=True)

    class Meta:
        table = "core_owner"


class AccessToken(OwnerRow):
    """A token of any kind, stored as its SHA-256. With ``is_sliding`` each use extends it, if its kind is sliding."""

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


class WebSession(OwnerRow):
    """A person who is signed in on a browser. The secret of the cookie is stored as its SHA-256.

    Each use moves ``expires_at``, at most to ``ends_at``. A session with ``token_id`` was opened with that token and
    ends with it. ``authenticated_at`` is when the person last proved who they are.
    """

    kind = fields.CharField(max_length=20)
    secret_hash = fields.BinaryField()
    name = fields.CharField(max_length=100)
    store_id = fields.BigIntField(null=True)
    subject_id = fields.BigIntField(null=True)
    token_id = fields.BigIntField(null=True)
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    created_at = fields.DatetimeField()
    last_used_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()
    ends_at = fields.DatetimeField()
    authenticated_at = fields.DatetimeField()

    class Meta:
        table = "core_web_session"


class OneTimeToken(OwnerRow):
    """A token that is good for one use, such as that of a link to a new password; stored as its SHA-256.

    ``owner_id`` 0 means that there is no owner yet. ``content`` is what was known when it was created.
    """

    purpose = fields.CharField(max_length=30)
    token_hash = fields.BinaryField()
    content = fields.TextField()
    expires_at = fields.DatetimeField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_one_time_token"


class OwnerTotp(Model):
    """An owner's authenticator app. A secret that is not confirmed yet is pending; the last used step is spent."""

    owner_id = fields.BigIntField(primary_key=True, generated=False)
    secret = fields.TextField(null=True)
    pending_secret = fields.TextField(null=True)
    pending_until = fields.DatetimeField(null=True)
    last_step = fields.BigIntField(default=0)

    class Meta:
        table = "core_owner_totp"


class RecoveryCode(OwnerRow):
    """A recovery code of an owner, stored as a keyed hash."""

    code_hash = fields.BinaryField()
    used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "core_owner_recovery_code"


class Passkey(OwnerRow):
    """A passkey of an owner: the public key of a credential that the owner's device or password manager keeps."""

    credential_id = fields.BinaryField()
    public_key = fields.BinaryField()
    sign_count = fields.BigIntField()
    name = fields.CharField(max_length=100)
    transports: fields.Field[list[str]] = ArrayField(element_type="text")
    is_backed_up = fields.BooleanField()
    created_at = fields.DatetimeField()
    last_used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "core_owner_passkey"


class LoginCode(OwnerRow):
    """A one-time code that was sent. Code and recipient are stored as keyed hashes; ``owner_id`` 0 means no owner yet.

    ``address_hash`` is the phone or e-mail without the store, ``source_hash`` the address that requested the code.
    ``wrong_tries`` counts attempts from that source, ``other_tries`` those from all others.
    """

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


class LoginTry(OwnerRow):
    """The number of login attempts until ``expires_at``; ``key_hash`` is a keyed hash of the login."""

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
