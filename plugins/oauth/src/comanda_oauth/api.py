"""The authorization server for other plugins: clients of developers, and the grants of owners to them."""

from comanda_oauth.events import AppInstalled, AppScopesChanged, AppUninstalled
from comanda_oauth.models import Audience, ClientKind, InstallationStatus
from comanda_oauth.records import Client, ClientChanges, Installation, IssuedClient, NewClient
from comanda_oauth.scopes import LABELS as SCOPE_LABELS
from comanda_oauth.scopes import to_wire as format_scopes
from comanda_oauth.services.clients.clients import (
    client_signing_key,
    create_client,
    delete_client,
    get_client,
    list_clients,
    rotate_secret,
    update_client,
)
from comanda_oauth.services.installations.app_installation import install
from comanda_oauth.services.installations.installations import (
    count_installations,
    find_active_installation,
    find_installation,
    installation_of,
    list_installations,
    uninstall,
)
from comanda_oauth.services.tokens.token_issuance import issue_access_token

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
