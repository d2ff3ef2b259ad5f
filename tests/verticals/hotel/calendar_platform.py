"""Another platform that sells a room of a hotel, as its calendar shows it."""

from comanda.devkit.testing.tasks import process_queue
from comanda.platform.db import sql
from comanda.platform.http_client import DocumentUnavailable
from comanda_hotel.services.calendars import platform_calendars

from .conftest import day

URL = "https://calendars.example/{name}.ics"


def compact(offset):
    return day(offset).replace("-", "")


def event(uid, arrives, leaves, *more):
    """Return the lines of an all-day event for nights relative to today."""
    dates = (f"DTSTART;VALUE=DATE:{compact(arrives)}", f"DTEND;VALUE=DATE:{compact(leaves)}")
    return "\r\n".join(("BEGIN:VEVENT", f"UID:{uid}", *dates, "SUMMARY:Reserved - Ada Costa", *more, "END:VEVENT"))


def to_calendar(*events):
    lines = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//Calendar//EN", *events, "END:VCALENDAR")
    return ("\r\n".join(lines) + "\r\n").encode()


class Platform:
    """A platform with a calendar of its own, which the hotel reads without a network."""

    published = {}

    def __init__(self, hotel, monkeypatch):
        self.hotel = hotel
        monkeypatch.setattr(platform_calendars, "create_client", lambda: self)

    async def connect(self, room, name="Airbnb", **fields):
        self.path = f"/rooms/{room['id']}/calendars"
        self.url = URL.format(name=name.lower())
        self.serve()
        self.id = (await self.hotel.made(self.path, {"name": name, "url": self.url, **fields}))["id"]
        return self

    def serve(self, *events):
        self.serve_bytes(to_calendar(*events))

    def serve_bytes(self, content):
        self.published[self.url] = content

    async def publish(self, *events):
        self.serve(*events)
        await self.read()

    async def read(self):
        """Have the hotel read the calendar now."""
        await sql.execute("UPDATE hotel_room_calendar SET next_read_at = created_at WHERE id = $1", self.id)
        await process_queue(platform_calendars.QUEUE)

    async def look(self):
        return (await self.hotel.get(f"{self.path}/{self.id}")).document

    async def list_bookings(self, **query):
        asked = "&".join(f"{name}={value}" for name, value in {"calendar": self.id, **query}.items())
        return (await self.hotel.get(f"/foreign-bookings?{asked}"))["data"]

    async def fetch_bytes(self, url, **limits):
        content = self.published[url]
        if content is None:
            raise DocumentUnavailable("The document could not be read.")
        return content
