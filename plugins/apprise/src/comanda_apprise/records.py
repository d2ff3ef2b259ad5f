"""Records of the SMS services of owners."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class OwnSmsService:
    """The service that your SMS go through, such as ``twilio``; without one they go through the operator's.

    Its URL is never returned. ``services`` are those that can be connected. ``reply_url`` is where the service has to
    send what guests answer, such as STOP, if it is one that does.
    """

    service: str | None
    updated_at: datetime | None
    services: tuple[str, ...]
    reply_url: str | None
