"""HTTP requests as handlers see them, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import parse_qsl

import orjson
from pydantic import BaseModel

from comanda.basics.encoding import to_request_json
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.client_addresses import client_network
from comanda.contracts.requests.validation import parse_body, validate_values

M_co = TypeVar("M_co", bound=BaseModel, covariant=True)

JSON = "application/json"


class CallCounter(Protocol):
    """Counts calls against buckets."""

    async def hit(self, bucket: str, limit: int, cost: int = 1, *, is_exact: bool = True) -> object:
        """Count ``cost`` against a bucket of ``limit`` per minute. Raises ``LimitExceeded``.

        A bucket that is not exact takes no round trip; each process may let through what arrives within 50 ms.
        """


@dataclass(slots=True)
class Call:
    """One request whose body has been read. Header names are lower case.

    ``values`` are the body of a call inside the process, as JSON values; its ``body`` is empty then.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    query_string: str
    body: bytes
    client: str
    request_id: str
    caller: Caller | None = None
    extra_headers: dict[str, str] = field(default_factory=dict)
    limiter: CallCounter | None = field(default=None, repr=False)
    values: object = None
    _query: dict[str, str] | None = None

    @property
    def client_network(self) -> str:
        """What limits count as one client: the IPv4 address, or the /64 of the IPv6 address."""
        return client_network(self.client)

    @property
    def query(self) -> dict[str, str]:
        """The query's values by name; the last one of a repeated name wins."""
        if self._query is None:
            self._query = dict(parse_qsl(self.query_string, keep_blank_values=True)) if self.query_string else {}
        return self._query

    def get_bytes(self) -> bytes:
        """Return the body as bytes, which tell it from another body."""
        return self.body if self.values is None else to_request_json(self.values)

    async def count(self, bucket: str, limit: int, cost: int = 1, *, is_exact: bool = True) -> None:
        """Count this call against a narrower bucket too, of ``limit`` per minute. Raises ``LimitExceeded``.

        Limits that guard passwords, codes and tokens are exact; one that only spreads load need not be.
        """
        if self.limiter is not None and cost:
            await self.limiter.hit(bucket, limit, cost, is_exact=is_exact)


@dataclass(frozen=True, slots=True)
class Unvalidated(Generic[M_co]):
    """A body that the handler validates when it wants to, for routes that must look something up first."""

    model: type[M_co]
    raw: bytes
    values: object = None

    def validated(self) -> M_co:
        """Validate the body. Raises ``BadRequest`` or ``ValidationFailed``."""
        return parse_body(self.model, self.raw) if self.values is None else validate_values(self.model, self.values)

    def get_bytes(self) -> bytes:
        """Return the body as bytes, which tell it from another body."""
        return self.raw if self.values is None else to_request_json(self.values)

    def get_document(self) -> object:
        """Return the JSON values of a body that may be wrong in every way, or None for what is not JSON."""
        if self.values is not None:
            return self.values
        try:
            return orjson.loads(self.raw or b"{}")
        except orjson.JSONDecodeError:
            return None

    def peek(self, key: str) -> object:
        """Return one top-level value of a body that may be wrong in every other way, or None."""
        document = self.get_document()
        return document.get(key) if isinstance(document, dict) else None


@dataclass(slots=True)
class Answer:
    """A response beyond plain JSON with the route's status.

    ``body`` becomes JSON, or is bytes sent as they are, or yields bytes that are sent as they come.
    """

    body: Any = b""
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = JSON
