"""Bodies and queries of the kitchen, and what differs from its records."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Self

from comanda.contracts import Body, Count, Id, Moment, Name, example
from pydantic import BaseModel, Field, model_validator

from comanda_kds.models import ItemState
from comanda_kds.records import BoardTicket

StationName = Annotated[Name, Field(max_length=100)]
Minutes = Annotated[Count, Field(le=1440)]
Bumps = Annotated[Count, Field(ge=1, le=3)]


class StationBody(Body):
    """A station to create. The first station of a store is always its default."""

    model_config = example({"name": "Grill"})

    name: StationName
    position: Count = 0
    is_default: bool = False
    bumps: Bumps | None = None


class StationChange(Body):
    """Changes to a station; omitted fields stay unchanged. With ``bumps`` null, the store's setting applies."""

    model_config = example({"name": "Grill", "is_default": True})

    name: StationName | None = None
    position: Count | None = None
    is_default: bool | None = None
    bumps: Bumps | None = None


class RouteBody(Body):
    """The station that makes it, or null if the kitchen does not make it."""

    station_id: Id | None


class KitchenChange(Body):
    """Changes to a kitchen's settings; omitted fields stay unchanged, null restores the installation's default."""

    model_config = example({"soon_minutes": 10, "late_minutes": 20})

    soon_minutes: Annotated[Minutes, Field(ge=1)] | None = None
    late_minutes: Annotated[Minutes, Field(ge=1)] | None = None
    lead_minutes: Minutes | None = None


class View(StrEnum):
    """The board as tickets, or as all-day counts."""

    TICKETS = "tickets"
    ALL_DAY = "all_day"


class StationQuery(BaseModel):
    """The station to list; all of the member's stations if omitted."""

    station_id: Id | None = None


class BoardQuery(StationQuery):
    """The station to list, all of the member's stations if omitted, and the view."""

    view: View = View.TICKETS


class StepBody(Body):
    """The state the item is expected to be in: any other answers 409, so that a double tap counts once."""

    expected_status: ItemState | None = None


class FireBody(Body):
    """When to fire a course: at a time within a day, or in some minutes; now if both are omitted."""

    model_config = example({"minutes": 15})

    at: Moment | None = None
    minutes: Minutes | None = None

    @model_validator(mode="after")
    def _check_one_time(self) -> Self:
        if self.at is not None and self.minutes is not None:
            raise ValueError("only one of at and minutes can be set")
        return self

    def get_time(self, now: datetime) -> datetime:
        """Return the time at which the course is fired; it may be past."""
        return self.at or now + timedelta(minutes=self.minutes or 0)


class BoardEvent(BaseModel):
    """The data of a ``board`` event: the tickets, and the ages at which they are soon late and late."""

    soon_seconds: int
    late_seconds: int
    tickets: list[BoardTicket]


class LineFields(BaseModel):
    """The kitchen's fields of an order line; null if the kitchen does not make it.

    A line of a later course is held until its course is fired, which happens at ``fire_at`` if that is set.
    """

    kds_status: ItemState | None = None
    station_id: int | None = None
    is_held: bool = False
    fire_at: datetime | None = None
