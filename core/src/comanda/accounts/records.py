"""Records of owners and their tokens."""

from dataclasses import dataclass
from datetime import datetime

from comanda.contracts.requests.wire import NullableStoreId


@dataclass(frozen=True, slots=True)
class OwnerSummary:
    """An owner, for the operator of the installation."""

    id: int
    email: str
    name: str
    is_suspended: bool
    created_at: datetime
    suspended_at: datetime | None
    suspend_reason: str | None
    stores_count: int
    is_administrator: bool


@dataclass(frozen=True, slots=True)
class AuthenticatedOwner:
    """An owner who has logged in with the password of this version."""

    id: int
    email: str
    name: str
    plan: str | None
    password_version: int


@dataclass(frozen=True, slots=True)
class TokenUse:
    """The token of a request; ``last_used_at`` is before this request."""

    id: int
    name: str
    expires_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class CallerIdentity:
    """The account behind a token; ``token`` is null on pages, where a session stands in its place."""

    id: int
    name: str
    email: str
    kind: str
    abilities: tuple[str, ...]
    token: TokenUse | None
    stores_count: int
    plan: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class GrantableScope:
    """A scope that you may give to a token, and what it allows."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class PersonalToken:
    """A token without its secret. ``is_current`` is true for the token of this request."""

    id: int
    name: str
    scopes: tuple[str, ...]
    store_id: NullableStoreId
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class CreatedToken(PersonalToken):
    """A new token. Its ``secret`` is shown only in this answer."""

    secret: str
