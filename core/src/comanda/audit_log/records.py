"""Records of the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a write; ``name`` is None if the person has been deleted."""

    kind: str
    id: int
    name: str | None


@dataclass(frozen=True, slots=True)
class ActorToken:
    """The token of a write; ``name`` is None if the token no longer exists."""

    id: int
    name: str | None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A write. ``after_ids`` and ``outcome`` are None if the process ended before the answer."""

    id: int
    occurred_at: datetime
    actor: Actor
    token: ActorToken
    action: str
    store_id: int | None
    before_ids: Mapping[str, int]
    after_ids: Mapping[str, int] | None
    outcome: str | None
    address: str
    request_id: str
