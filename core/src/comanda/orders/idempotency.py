"""One key, one order: the header ``Idempotency-Key`` or the body's ``client_uuid``, kept with the order for ever."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from comanda.http.call import Unvalidated
from comanda.http.repeats import is_key, read_header
from comanda.orders.schemas import OrderBody


@dataclass(frozen=True, slots=True)
class Keys:
    """What identifies a repeat: the header, the body's own key, and a hash that tells whether the body is the same."""

    header: str | None
    client_uuid: str | None
    body_hash: bytes

    def __bool__(self) -> bool:
        """Tell whether there is any key."""
        return self.header is not None or self.client_uuid is not None


def read_keys(headers: Mapping[str, str], body: Unvalidated[OrderBody]) -> Keys:
    """Read the keys of a request whose body may be wrong. Raises ``ValidationFailed`` for an unusable header."""
    header = read_header(headers)
    client_uuid = body.peek("client_uuid")
    return Keys(
        header=header,
        client_uuid=client_uuid if isinstance(client_uuid, str) and is_key(client_uuid) else None,
        body_hash=hashlib.sha256(body.raw).digest(),
    )
