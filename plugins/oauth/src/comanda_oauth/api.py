"""The authorization server for other plugins: clients of developers, and the grants of owners to them."""

from collections.abc import Collection, Mapping

from comanda.contracts import Caller, PageRequest, RecordPage

from comanda_oauth.events import AppInstalled, AppScopesChanged, AppUninstalled
from comanda_oauth.models import Audience, ClientKind, InstallationStatus
from comanda_oauth.records import Client, ClientChanges, Installation, IssuedClient, NewClient
from comanda_oauth.scopes import LABELS as SCOPE_LABELS
from comanda_oauth.scopes import to_wire as format_scopes
from comanda_oauth.services.clients import clients
from comanda_oauth.services.installations import app_installation, installations
from comanda_oauth.services.tokens import token_issuance

__all__ = [
    "SCOPE_LABELS",
    "AppInstalled",
    "AppScopesChanged",
    "AppUninstalled",
    "Audience",
    "Client",
    "ClientChanges",
    "ClientKind",
    "Installation",
    "InstallationStatus",
    "IssuedClient",
    "NewClient",
    "client_signing_key",
    "count_installations",
    "create_client",
    "delete_client",
    "find_active_installation",
    "find_installation",
    "format_scopes",
    "get_client",
    "install",
    "installation_of",
    "issue_access_token",
    "list_clients",
    "list_installations",
    "rotate_secret",
    "uninstall",
    "update_client",
]


async def create_client(owner_id: int, new: NewClient) -> IssuedClient:
    """Register a client of a developer. Its secret is returned only this once; a public client has none.

    Raises ``ValidationFailed`` on ``name``, ``redirect_uris``, ``scopes`` or ``logo_url``.
    """
    return await clients.create_client(owner_id, new)


async def get_client(owner_id: int, client_row_id: int) -> Client:
    """Return a developer's client. Raises ``NotFound``."""
    return await clients.get_client(owner_id, client_row_id)


async def list_clients(owner_id: int, client_row_ids: Collection[int]) -> Mapping[int, Client]:
    """Return those of a developer's clients that are not deleted, by id."""
    return await clients.list_clients(owner_id, client_row_ids)


async def update_client(owner_id: int, client_row_id: int, changes: ClientChanges) -> Client:
    """Change a client, in the open transaction if there is one.

    Installations keep what was granted until their owners consent anew. While ``is_enabled`` is false nobody can
    install it, and its tokens get 403 with the reason ``suspended``. ``audience`` says who else may install it: those
    who have installed it keep it. Raises ``NotFound`` or ``ValidationFailed``.
    """
    return await clients.update_client(owner_id, client_row_id, changes)


async def rotate_secret(owner_id: int, client_row_id: int) -> str:
    """Replace a client's secret and return the new one; the old one stays valid for 24 hours.

    Raises ``NotFound``, or ``ValidationFailed`` for a public client.
    """
    return await clients.rotate_secret(owner_id, client_row_id)


async def delete_client(owner_id: int, client_row_id: int) -> None:
    """Delete a client, end its installations and revoke their tokens in one transaction.

    Emits ``AppUninstalled`` for each installation. Raises ``NotFound``.
    """
    await clients.delete_client(owner_id, client_row_id)


async def client_signing_key(owner_id: int, client_row_id: int) -> str:
    """Return the client's current secret in clear, to sign session tokens with HS256.

    Raises ``NotFound``, also for a public client.
    """
    return await clients.get_signing_key(owner_id, client_row_id)


async def find_installation(owner_id: int, installation_id: int) -> Installation | None:
    """Return an owner's installation, active or ended, or None."""
    return await installations.find_installation(owner_id, installation_id)


async def find_active_installation(owner_id: int, client_row_id: int) -> Installation | None:
    """Return an owner's active grant to a client, or None."""
    return await installations.find_active_installation(owner_id, client_row_id)


async def list_installations(owner_id: int, page: PageRequest) -> RecordPage[Installation]:
    """Return a page of an owner's active installations, newest first."""
    return await installations.list_installations(owner_id, page)


async def count_installations(client_row_id: int) -> int:
    """Count the active installations of a client, of all owners."""
    return await installations.count_installations(client_row_id)


async def uninstall(owner_id: int, installation_id: int, actor: str) -> Installation:
    """End an installation and revoke all of its tokens, in the open transaction if there is one.

    An ended one stays as it is. Emits ``AppUninstalled``. Raises ``NotFound`` for another owner's.
    """
    return await installations.uninstall(owner_id, installation_id, actor)


async def installation_of(caller: Caller) -> Installation:
    """Return the installation behind an app's token. Raises ``Forbidden`` for any other caller."""
    return await installations.get_installation_of(caller)


async def install(owner_id: int, client_row_id: int, granted: Collection[str], *, actor: str) -> Installation:
    """Install a client with these scopes in all stores, as the owner's consent does, or change what it was granted.

    For what needs no browser, such as demo data. Emits ``AppInstalled`` or ``AppScopesChanged``. Raises ``NotFound``,
    ``AppUnavailable`` for a client that the owner may not install.
    """
    return await app_installation.install(owner_id, client_row_id, granted, actor=actor)


async def issue_access_token(owner_id: int, installation_id: int) -> str:
    """Issue an access token of an active installation, as the exchange of a code does. Raises ``NotFound``."""
    return (await token_issuance.issue_access_token(owner_id, installation_id)).access_token
