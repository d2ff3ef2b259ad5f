"""Records of the hosts of stores."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DnsRecord:
    """The record of type TXT that proves a domain."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class RegisteredHost:
    """A host of a store. It answers once ``is_proven``; addresses of the store have the one that ``is_main``.

    ``dns_record`` is what proves it, null for a subdomain of the operator's domain, which needs no proof. DNS was asked
    last at ``checked_at``.
    """

    id: int
    name: str
    url: str
    is_proven: bool
    is_main: bool
    redirects: bool
    dns_record: DnsRecord | None
    created_at: datetime
    checked_at: datetime | None
    proven_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoreHostList:
    """The hosts of a store. A name of one label below ``base_domain`` needs no proof; null if there is no such."""

    hosts: tuple[RegisteredHost, ...]
    base_domain: str | None
