"""What other channels ask of a store and tell it: how it keeps up, and what is sold out for a while."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Count, Id, Moment, example
from comanda.contracts.intake_status import State
from pydantic import BaseModel, Field

Ids = Annotated[list[Id], Field(max_length=200)]


class SnoozeBody(Body):
    """What is sold out, until a time or for some minutes, or is back (``snoozed`` false)."""

    model_config = example({"item_ids": [1], "minutes": 60, "snoozed": True})

    item_ids: Ids = []
    extra_ids: Ids = []
    until: Moment | None = None
    minutes: Annotated[Count, Field(ge=1, le=60 * 24 * 31)] | None = None
    snoozed: bool = True


class Snoozed(BaseModel):
    """Something that is sold out; ``until`` null until somebody says otherwise."""

    id: int
    name: str
    until: datetime | None


class SnoozedOut(BaseModel):
    """All that is sold out in the store now."""

    snoozed_items: list[Snoozed]
    snoozed_extras: list[Snoozed]


class ChannelOut(BaseModel):
    """A way for orders to come in: whether it may, and when it last asked anything."""

    name: str
    connected: bool
    last_sync_at: datetime | None


class StoreStatus(SnoozedOut):
    """How a store keeps up, who said so (``default`` if nobody did), its channels, and what is sold out."""

    status: State
    delay_minutes: int
    until: datetime | None
    reason: str | None
    source: str
    channels: list[ChannelOut]
