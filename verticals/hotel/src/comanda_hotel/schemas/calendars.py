"""Bodies and queries of the calendars of rooms."""

from typing import Annotated

from comanda.contracts import Body, Id, Name, example
from pydantic import Field

CalendarName = Annotated[Name, Field(max_length=100)]
CalendarUrl = Annotated[str, Field(max_length=2048)]


class CalendarBody(Body):
    """A platform that sells the room too, and the address of its calendar, which may follow later."""

    model_config = example({"name": "Airbnb", "url": "https://www.airbnb.com/calendar/ical/1234.ics?s=5678"})

    name: CalendarName
    url: CalendarUrl | None = None


class CalendarChange(Body):
    """Changes to a calendar; omitted fields stay unchanged. Without a ``url`` its bookings are removed."""

    model_config = example({"url": "https://www.airbnb.com/calendar/ical/1234.ics?s=5678"})

    name: CalendarName | None = None
    url: CalendarUrl | None = None


class ForeignBookingQuery(Body):
    """Filters of foreign bookings."""

    room: Id | None = None
    calendar: Id | None = None
    in_conflict: bool | None = None
