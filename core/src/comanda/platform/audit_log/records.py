"""Records of the audit log."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from comanda.contracts.requests.wire import NullableStoreId


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a write: an owner, a member of staff, an app, or a storefront visitor or agent."""

    kind: Annotated[
        str, Field(description="The kind of token, such as `owner`, `staff` or `storefront`.", examples=["staff"])
    ]
    id: Annotated[
        int, Field(description="The member of staff, or the owner if the token belongs to no particular person.")
    ]
    name: Annotated[str | None, Field(description="Their current name; null if the person has been deleted.")]


@dataclass(frozen=True, slots=True)
class ActorToken:
    """The token of the request; a staff token has the name of its device, one that no longer exists has none."""

    id: int
    name: str | None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One write."""

    id: int
    occurred_at: datetime
    actor: Actor
    token: ActorToken
    action: Annotated[
        str,
        Field(
            description="The route's operation id, or `mcp/<server>/<tool>`.", examples=["put_restaurants_id_settings"]
        ),
    ]
    store_id: NullableStoreId
    before_ids: Annotated[Mapping[str, int], Field(description="Ids of the objects that the request named.")]
    after_ids: Annotated[
        Mapping[str, int] | None,
        Field(
            description="Ids of the objects that exist afterwards, including created ones; `id` is that of the answer."
        ),
    ]
    outcome: Annotated[
        str | None,
        Field(
            description="`ok`, the error code if the request failed after it had written, or null if the process ended "
            "before the answer."
        ),
    ]
    address: Annotated[str, Field(description="The address of the client; for storefront visitors only the network.")]
    request_id: str
