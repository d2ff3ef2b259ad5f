"""The audit log on the wire."""

from datetime import datetime

from pydantic import BaseModel, Field

from comanda.contracts.fields import Body, Id, Moment, ShortText


class ActorOut(BaseModel):
    """Who wrote: an owner, a member of staff, an app, or a storefront's visitor or agent."""

    kind: str = Field(description="The kind of token, such as `owner`, `staff` or `storefront`.", examples=["staff"])
    id: int = Field(description="The member of staff, or the owner where the token is nobody's in particular.")
    name: str | None = Field(description="What they are called now; null for somebody who is known no more.")


class AuditTokenOut(BaseModel):
    """The token of the request; that of a member of staff bears the name of the device."""

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
    restaurant_id: int | None
    before_ids: dict[str, int] = Field(description="Ids of the things that the request named.")
    after_ids: dict[str, int] | None = Field(
        description="Ids of the things that are there afterwards, those that were made included; `id` is the answer's."
    )
    outcome: str | None = Field(
        description="`ok`, the error's code where something was written before the request failed, or null where the "
        "process ended before it had answered."
    )
    address: str = Field(description="Where the request came from; of a storefront's visitors the network alone.")
    request_id: str


class AuditFilter(Body):
    """Which entries to list: those from ``from`` on, before ``to``."""

    actor_kind: ShortText | None = None
    action: ShortText | None = None
    restaurant_id: Id | None = None
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None
