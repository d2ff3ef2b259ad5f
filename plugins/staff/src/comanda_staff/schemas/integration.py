"""Request and response bodies of the store status and of sold-out items."""

from datetime import datetime
from typing import Annotated

from comanda.contracts.fields import Body, Count, Id, Moment, example
from comanda.contracts.intake_status import State
from pydantic import BaseModel, Field

Ids = Annotated[list[Id], Field(max_length=200)]


class SnoozeBody(Body):
    """Items and extras to mark as sold out, until a time or for some minutes, or as available (``snoozed`` false)."""

    model_config = example({"item_ids": [1], "minutes": 60, "snoozed": True})

    item_ids: Ids = []
    extra_ids: Ids = []
    until: Moment | None = None
    minutes: Annotated[Count, Field(ge=1, le=60 * 24 * 31)] | None = None
    snoozed: bool = True


class Snoozed(BaseModel):
    """A sold-out item or extra; ``until`` is null if it has no end."""

    id: int
    name: str
    until: datetime | None


class SnoozedOut(BaseModel):
    """The store's sold-out items and extras."""

    snoozed_items: Annotated[list[Snoozed], Field(validation_alias="items")]
    snoozed_extras: Annotated[list[Snoozed], Field(validation_alias="extras")]


class ChannelOut(BaseModel):
    """An order channel: whether it is connected, and when it was last used."""

    name: str
    connected: bool
    last_sync_at: datetime | None


class StoreStatus(SnoozedOut):
    """A store's status, who set it (``default`` if nobody did), its order channels, and what is sold out."""

    status: State
    delay_minutes: int
    until: datetime | None
    reason: str | None
    source: str
    channels: list[ChannelOut]
