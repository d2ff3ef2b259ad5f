"""Clients: register, read, change, rotate the secret, delete."""

import re
import secrets
import unicodedata
from collections.abc import Collection, Mapping
from typing import Final

from comanda.basics import NotFound, ValidationFailed, clock, extend_record, require_found
from comanda.platform.db import sql

from comanda_oauth import models, scopes
from comanda_oauth.models import Audience, ClientKind, ClientOrigin
from comanda_oauth.records import Client, ClientChanges, IssuedClient, NewClient
from comanda_oauth.services.clients import client_secrets
from comanda_oauth.services.clients.redirect_uris import normalize_redirect_uris
from comanda_oauth.services.installations import connections, installations

MAX_NAME_LENGTH: Final = 255
MAX_TERMS_LENGTH: Final = 500
MAX_URL_LENGTH: Final = 2048
# They let the name of one app look like that of another.
DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# The host and port of a logo stand in the policy of the consent page, which they must not end.
LOGO_URL: Final = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[!-~]*)?")


async def create_client(owner_id: int, new: NewClient, origin: ClientOrigin = ClientOrigin.DEVELOPER) -> IssuedClient:
    """Register a client of a developer. Its secret is returned only this once; a public client has none.

    Raises ``ValidationFailed`` on ``name``, ``redirect_uris``, ``scopes`` or ``logo_url``.
    """
    moment = clock.now()
    row = models.Client(
        owner_id=owner_id, client_id=secrets.token_hex(16), origin=origin, kind=new.kind, created_at=moment
    )
    set_fields(row, new)
    async with sql.transaction():
        await row.save()
        if new.kind is ClientKind.PUBLIC:
            return IssuedClient(to_client(row), None)
        secret = client_secrets.generate_secret()
        client_secrets.set_secret(row, secret)
        await row.save(update_fields=["secret"])
    return IssuedClient(to_client(row), secret)


async def get_client(owner_id: int, client_row_id: int) -> Client:
    """Return an owner's client. Raises ``NotFound`` for another's, or a deleted one."""
    return to_client(await _get_row(owner_id, client_row_id))


async def list_clients(owner_id: int, client_row_ids: Collection[int]) -> Mapping[int, Client]:
    """Return those of an owner's clients that are not deleted, by id."""
    rows = await models.Client.filter(owner_id=owner_id, id__in=list(client_row_ids), deleted_at=None)
    return {row.id: to_client(row) for row in rows}


async def update_client(owner_id: int, client_row_id: int, changes: ClientChanges) -> Client:
    """Change a client, in the open transaction if there is one.

    Installations keep what was granted until their owners consent anew. While ``is_enabled`` is false nobody can
    install it, and its tokens get 403 with the reason ``suspended``. ``audience`` says who else may install it: those
    who have installed it keep it. Raises ``NotFound`` or ``ValidationFailed``.
    """
    async with sql.transaction():
        row = await _get_row(owner_id, client_row_id, is_locked=True)
        set_fields(row, changes)
        await row.save()
    return to_client(row)


async def rotate_secret(owner_id: int, client_row_id: int) -> str:
    """Replace a client's secret and return the new one; the old one stays valid for 24 hours.

    Raises ``NotFound``, or ``ValidationFailed`` for a public client, which has no secret.
    """
    async with sql.transaction():
        row = await _get_row(owner_id, client_row_id, is_locked=True)
        if row.kind == ClientKind.PUBLIC:
            raise ValidationFailed(kind=["A public client has no secret."])
        secret = client_secrets.rotate_secret(row, clock.now())
        row.updated_at = clock.now()
        await row.save(update_fields=["secret", "old_secrets", "updated_at"])
    return secret


async def delete_client(owner_id: int, client_row_id: int) -> None:
    """Delete a client, end all of its installations and revoke their tokens, in one transaction.

    Emits ``AppUninstalled`` for each installation. Raises ``NotFound``.
    """
    async with sql.transaction():
        row = await _get_row(owner_id, client_row_id, is_locked=True)
        row.update_from_dict({"deleted_at": clock.now(), "secret": "", "old_secrets": "", "is_enabled": False})
        await row.save(update_fields=["deleted_at", "secret", "old_secrets", "is_enabled"])
        await installations.uninstall_all(row.id, f"owner:{owner_id}")
        await connections.disconnect_all_of_client(row.id)


async def client_signing_key(owner_id: int, client_row_id: int) -> str:
    """Return the client's current secret in clear, to sign session tokens with HS256.

    Raises ``NotFound``, also for a public client.
    """
    secret = client_secrets.get_secret(await _get_row(owner_id, client_row_id))
    if not secret:
        raise NotFound
    return secret


def set_fields(row: models.Client, given: NewClient | ClientChanges) -> None:
    """Set the given fields of a client, normalized. Raises ``ValidationFailed`` by field."""
    if given.name is not None:
        row.name = _normalize_name(given.name)
    if given.publisher is not None:
        row.publisher = given.publisher.strip()[:MAX_NAME_LENGTH]
    if given.terms is not None:
        row.terms = given.terms.strip()[:MAX_TERMS_LENGTH]
    if given.logo_url is not None:
        row.logo_url = _normalize_logo_url(given.logo_url)
    if given.redirect_uris is not None:
        is_public = row.kind == ClientKind.PUBLIC
        row.redirect_uris = normalize_redirect_uris(given.redirect_uris, is_public=is_public)
    if given.scopes is not None:
        row.scopes = _normalize_scopes(given.scopes, ClientOrigin(row.origin))
    if given.is_expiring is not None:
        row.is_expiring = given.is_expiring
    if given.is_enabled is not None:
        row.is_enabled = given.is_enabled
    if given.audience is not None:
        row.audience = given.audience
    row.updated_at = clock.now()


def to_client(row: models.Client) -> Client:
    """Return a row as a record."""
    return extend_record(
        Client,
        row,
        origin=ClientOrigin(row.origin),
        kind=ClientKind(row.kind),
        redirect_uris=tuple(row.redirect_uris),
        scopes=tuple(row.scopes),
        audience=Audience(row.audience),
    )


def _normalize_name(name: str) -> str:
    text = " ".join(name.split())
    if not 1 <= len(text) <= MAX_NAME_LENGTH:
        raise ValidationFailed(name=[f"Must contain 1 to {MAX_NAME_LENGTH} characters."])
    categories = {unicodedata.category(mark) for mark in text}
    has_control = categories & {"Cc", "Cs"} or DIRECTION_MARKS & set(text)
    if has_control or not any(category[0] in "LNPS" for category in categories):
        raise ValidationFailed(name=["Must contain visible characters, and no control characters."])
    return text


def _normalize_scopes(names: Collection[str], origin: ClientOrigin) -> list[str]:
    # Apps of developers are listed, priced and reviewed for owners alone.
    known = scopes.LABELS if origin is ClientOrigin.DEVELOPER else scopes.NAMES
    try:
        return list(scopes.normalize(names, known))
    except ValueError as error:
        raise ValidationFailed(scopes=[str(error)]) from error


def _normalize_logo_url(url: str) -> str | None:
    if url and not (len(url) <= MAX_URL_LENGTH and LOGO_URL.fullmatch(url)):
        raise ValidationFailed(logo_url=["Must be an address that begins with https://."])
    return url or None


async def _get_row(owner_id: int, client_row_id: int, *, is_locked: bool = False) -> models.Client:
    found = models.Client.filter(owner_id=owner_id, id=client_row_id, deleted_at=None)
    return require_found(await (found.select_for_update() if is_locked else found).first())
