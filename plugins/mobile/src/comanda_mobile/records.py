"""Records of logins, people, handoffs and the configuration of apps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Account = Literal["owner", "staff"]
Platform = Literal["ios", "android"]


@dataclass(frozen=True, slots=True)
class AppUser:
    """The person who is logged in; ``role`` and ``permissions`` are those of staff."""

    id: int
    account: Account
    name: str
    email: str | None
    role: str | None
    permissions: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class AppStore:
    """A store of the person; ``path`` is that of its public page."""

    id: int
    title: str
    slug: str
    store_type: str
    path: str


@dataclass(frozen=True, slots=True)
class AppIdentity:
    """The person who is logged in, and their stores: the newest 100 of ``stores_count``."""

    user: AppUser
    stores: Sequence[AppStore]
    stores_count: int
    token_expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class AppLogin:
    """A login, with its raw access token, which is not stored."""

    token: str
    expires_at: datetime | None
    user: AppUser
    stores: Sequence[AppStore]
    stores_count: int


@dataclass(frozen=True, slots=True)
class NewHandoff:
    """An address that opens a web session once, in the web view with that user agent, for ``expires_in`` seconds."""

    handoff_url: str
    expires_in: int


@dataclass(frozen=True, slots=True)
class RedeemedHandoff:
    """The raw secret of the new web session, and the path that the web view continues with."""

    session_secret: str
    path: str


@dataclass(frozen=True, slots=True)
class SupportContact:
    """How users of the app reach its support."""

    email: str | None
    phone: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class PushSupport:
    """Whether push messages can be sent, and to devices of which platforms."""

    enabled: bool
    platforms: Sequence[str]


@dataclass(frozen=True, slots=True)
class AppConfiguration:
    """What an app reads at its start. One older than ``min_version`` must be updated, at ``store_url`` if it is set."""

    platform: Platform | None
    min_version: str
    latest_version: str
    store_url: str | None
    features: Mapping[str, bool]
    support: SupportContact
    locales: Sequence[str]
    push: PushSupport
    start_path: str


@dataclass(frozen=True, slots=True)
class PathRule:
    """How screens are shown whose path matches one of the regular expressions."""

    patterns: Sequence[str]
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PathConfiguration:
    """The path configuration of Hotwire Native; later rules override earlier ones."""

    settings: Mapping[str, Any]
    rules: Sequence[PathRule]
