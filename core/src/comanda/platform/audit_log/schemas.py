"""Filter of the audit log."""

from pydantic import Field

from comanda.contracts.requests.fields import Body, Id, Moment, ShortText


class AuditFilter(Body):
    """Filters of the list: entries from ``from`` (inclusive) to ``to`` (exclusive)."""

    actor_kind: ShortText | None = None
    actor_id: Id | None = None
    action: ShortText | None = None
    restaurant_id: Id | None = None
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = None
