"""Endpoints of other plugins, and events for one of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from comanda_webhooks.services.signing_secrets import OldSecret


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPluginEndpoint:
    """An endpoint of ``plugin`` for an owner's events, known to it by ``reference``.

    It receives the events that match ``events`` but not ``excluded_events`` and whose scope is within ``scopes``,
    with personal data within these.
    ``name_key`` is the key of the event's name in bodies: ``event`` or ``type``.
    """

    plugin: str
    reference: int
    url: str
    events: Sequence[str]
    scopes: Collection[str]
    excluded_events: Sequence[str] = ()
    secret: str = field(repr=False)
    old_secrets: Sequence[OldSecret] = field(default=(), repr=False)
    name_key: str = "event"


@dataclass(frozen=True, slots=True)
class PluginEvent:
    """An event for one endpoint; ``name`` is that of a registered event. After one that ``is_last`` nothing is sent."""

    name: str
    data: Mapping[str, object]
    occurred_at: datetime
    is_last: bool = False
