"""Records of clients and installations, as services return them."""

from dataclasses import dataclass, field
from datetime import datetime

from comanda_oauth.models import Audience, ClientKind, ClientOrigin, InstallationStatus


@dataclass(frozen=True, slots=True)
class Client:
    """A program that asks owners for access; ``owner_id`` is its developer's, 0 if no owner registered it.

    ``client_id`` is public. ``terms`` tell an owner who is asked for consent what the client costs. With
    ``is_expiring`` its access tokens always expire and come with a refresh token, as those of a public client do.
    """

    id: int
    owner_id: int
    client_id: str
    origin: ClientOrigin
    kind: ClientKind
    name: str
    publisher: str
    terms: str
    logo_url: str | None
    redirect_uris: tuple[str, ...]
    scopes: tuple[str, ...]
    is_enabled: bool
    audience: Audience
    is_expiring: bool
    created_at: datetime
    updated_at: datetime

    @property
    def is_public(self) -> bool:
        """Whether the client cannot keep a secret."""
        return self.kind is ClientKind.PUBLIC

    def may_be_installed_by(self, owner_id: int) -> bool:
        """Return whether this owner may install it; an installation that exists is not affected."""
        return self.is_enabled and (self.audience is Audience.EVERYONE or owner_id == self.owner_id)


@dataclass(frozen=True, slots=True)
class NewClient:
    """A client to register. ``scopes`` are the most that it may ask for."""

    name: str
    redirect_uris: tuple[str, ...]
    scopes: tuple[str, ...]
    kind: ClientKind = ClientKind.CONFIDENTIAL
    publisher: str = ""
    terms: str = ""
    logo_url: str | None = None
    is_expiring: bool = False
    is_enabled: bool = True
    audience: Audience = Audience.EVERYONE


@dataclass(frozen=True, slots=True)
class ClientChanges:
    """Changes to a client; None leaves a value as it is, an empty ``logo_url`` removes it."""

    name: str | None = None
    redirect_uris: tuple[str, ...] | None = None
    scopes: tuple[str, ...] | None = None
    publisher: str | None = None
    terms: str | None = None
    logo_url: str | None = None
    is_expiring: bool | None = None
    is_enabled: bool | None = None
    audience: Audience | None = None


@dataclass(frozen=True, slots=True)
class IssuedClient:
    """A new client with its secret, which is shown once; a public client has none."""

    client: Client
    secret: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Installation:
    """An owner's grant to a client. ``store_ids`` are the stores it is limited to, None for all of the owner's."""

    id: int
    owner_id: int
    client_row_id: int
    client_id: str
    scopes: tuple[str, ...]
    store_ids: tuple[int, ...] | None
    status: InstallationStatus
    installed_at: datetime
    updated_at: datetime
    uninstalled_at: datetime | None

    @property
    def is_active(self) -> bool:
        """Whether the grant is in force."""
        return self.status is InstallationStatus.ACTIVE
