"""Request and response bodies of the audit log."""

from datetime import datetime

from pydantic import BaseModel, Field

from comanda.contracts.fields import Body, Id, Moment, ShortText
from comanda.contracts.wire import NullableStoreId


class ActorOut(BaseModel):
    """The author of a write: an owner, a member of staff, an app, or a storefront visitor or agent."""

    kind: str = Field(description="The kind of token, such as `owner`, `staff` or `storefront`.", examples=["staff"])
    id: int = Field(description="The member of staff, or the owner if the token belongs to no particular person.")
    name: str | None = Field(description="Their current name; null if the person has been deleted.")


class AuditTokenOut(BaseModel):
    """The token of the request; a staff token has the name of its device."""

    id: int
    name: str | None


class AuditEntryOut(BaseModel):
    """One write."""

    id: int
    occurred_at: datetime
    actor: ActorOut
    token: AuditTokenOut
    action: str = Field(
        description="The route's operation id, or `mcp/<server>/<tool>`.", examples=["put_restaurants_id_settings"]
    )
    restaurant_id: NullableStoreId
    before_ids: dict[str, int] = Field(description="Ids of the objects that the request named.")
    after_ids: dict[str, int] | None = Field(
        description="Ids of the objects that exist afterwards, including created ones; `id` is that of the answer."
    )
    outcome: str | None = Field(
        description="`ok`, the error code if the request failed after it had written, or null if the process ended "
        "before the answer."
    )
    address: str = Field(description="The address of the client; for storefront visitors only the network.")
    request_id: str


class AuditFilter(Body):
    """Filters of the list: entries from ``from`` (inclusive) to ``to`` (exclusive)."""

    actor_kind: ShortText | None = None
    actor_id: Id | None = None
    action: ShortText | None = None
    restaurant_id: Id | None = None
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None
