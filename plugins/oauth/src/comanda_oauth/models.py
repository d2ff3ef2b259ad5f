"""The tables of clients, installations, authorization codes and tokens."""

from enum import StrEnum

from comanda.platform.db import OwnerRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class ClientKind(StrEnum):
    """Whether a client can keep a secret, as a server can and an app on a phone cannot."""

    CONFIDENTIAL = "confidential"
    PUBLIC = "public"


class ClientOrigin(StrEnum):
    """How a client became known: by its developer, by dynamic registration, or by its metadata document."""

    DEVELOPER = "developer"
    REGISTRATION = "registration"
    DOCUMENT = "document"


class Audience(StrEnum):
    """Who may install a client: every owner, or its developer alone, to try it out."""

    EVERYONE = "everyone"
    DEVELOPER = "developer"


class InstallationStatus(StrEnum):
    """Whether an owner's grant to a client is in force."""

    ACTIVE = "active"
    UNINSTALLED = "uninstalled"


class Client(OwnerRow):
    """A program that asks owners for access.

    ``owner_id`` is its developer's, 0 for one that no owner registered. ``secret`` is encrypted, and so is
    ``old_secrets``, the JSON of ``[{secret, expires_at}]``, or empty. ``terms`` say what the client costs.
    ``refreshed_at`` is when its metadata document was last read. The row of a deleted client stays for its
    installations.
    """

    client_id = fields.CharField(max_length=2048)
    origin = fields.CharField(max_length=12, default=ClientOrigin.DEVELOPER.value)
    kind = fields.CharField(max_length=12)
    name = fields.CharField(max_length=255)
    publisher = fields.CharField(max_length=255, default="")
    terms = fields.CharField(max_length=500, default="")
    logo_url = fields.CharField(max_length=2048, null=True)
    redirect_uris: fields.Field[list[str]] = ArrayField(element_type="text")
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    secret = fields.TextField(default="")
    old_secrets = fields.TextField(default="")
    is_enabled = fields.BooleanField(default=True)
    audience = fields.CharField(max_length=10, default=Audience.EVERYONE.value)
    is_expiring = fields.BooleanField(default=False)
    refreshed_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()
    deleted_at = fields.DatetimeField(null=True)

    class Meta:
        table = "oauth_client"


class Installation(OwnerRow):
    """An owner's grant to a client; ``store_id`` limits it to one store. An owner has one active grant per client.

    With a ``customer_id`` it is the grant of that customer of the store, who has one per client; its row is deleted
    when it ends.
    """

    client_row_id = fields.BigIntField()
    client_id = fields.CharField(max_length=2048)
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    store_id = fields.BigIntField(null=True)
    customer_id = fields.BigIntField(null=True)
    status = fields.CharField(max_length=12, default=InstallationStatus.ACTIVE.value)
    installed_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()
    uninstalled_at = fields.DatetimeField(null=True)

    class Meta:
        table = "oauth_installation"


class AuthorizationCode(OwnerRow):
    """A code that the browser of the person who consented carries to a client; its use created ``grant_id``."""

    installation_id = fields.BigIntField()
    code_hash = fields.BinaryField()
    actor = fields.CharField(max_length=100)
    redirect_uri = fields.CharField(max_length=2048)
    is_redirect_given = fields.BooleanField()
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    resource = fields.CharField(max_length=2048, null=True)
    code_challenge = fields.CharField(max_length=128, null=True)
    is_expiring = fields.BooleanField(default=False)
    grant_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()
    used_at = fields.DatetimeField(null=True)

    class Meta:
        table = "oauth_code"


class Grant(OwnerRow):
    """The use of one authorization code: the access tokens and refresh tokens that descend from it."""

    installation_id = fields.BigIntField()
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    resource = fields.CharField(max_length=2048, null=True)
    is_expiring = fields.BooleanField()
    created_at = fields.DatetimeField()
    revoked_at = fields.DatetimeField(null=True)

    class Meta:
        table = "oauth_grant"


class IssuedAccessToken(Model):
    """The grant that an access token of core descends from; ``id`` and ``token_hash`` are that token's."""

    id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    grant_id = fields.BigIntField()
    token_hash = fields.BinaryField()

    class Meta:
        table = "oauth_access_token"


class RefreshToken(OwnerRow):
    """A refresh token. It stays valid until one of its successors, which name it as ``previous_id``, is used."""

    grant_id = fields.BigIntField()
    token_hash = fields.BinaryField()
    previous_id = fields.BigIntField(null=True)
    access_token_id = fields.BigIntField()
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()
    used_at = fields.DatetimeField(null=True)
    superseded_at = fields.DatetimeField(null=True)

    class Meta:
        table = "oauth_refresh_token"
