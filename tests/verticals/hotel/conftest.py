"""A hotel that tests drive over the API, like its front desk."""

import types
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from comanda import hookimpl
from comanda.accounts import services as accounts
from comanda.composition import plugin_loader, registry
from comanda.contracts import McpServer
from comanda.contracts.registry import Plugin
from comanda.devkit.testing import McpClient, TestStore
from comanda.devkit.testing.tasks import run_task
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from demo_bank import DemoBankFake
from fake_plugins import serving

TODAY = date(2027, 3, 10)
OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
GUEST = {"guest_name": "Ana Silva", "phone": "+351912345678", "adults": 2}


def day(offset):
    """Return a day relative to today, as the API has it."""
    return (TODAY + timedelta(days=offset)).isoformat()


STAY_ARGUMENTS = {"check_in": day(0), "check_out": day(2), "adults": 2}


async def list_nights(stay):
    """Return the room nights of a stay."""
    rows = await sql.fetch("SELECT night FROM hotel_room_night WHERE stay_id = $1 ORDER BY night", stay["id"])
    return [row["night"].isoformat() for row in rows]


def list_requests(messages):
    """Return the mails that ask guests for money."""
    return [each for each in messages if each.subject.startswith("Payment for your stay")]


async def get_room_status(hotel, room):
    return (await hotel.get(f"/rooms/{room['id']}"))["status"]


async def count_rows(table, owner):
    return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id)


class TestHotel(TestStore):
    __test__ = False

    async def made(self, path, body, **headers):
        reply = await self.send("POST", path, body, **headers)
        assert reply.status == 201, reply
        return reply.document

    async def room_type(self, name="Double", rooms=0, first=101, **fields):
        """Create a room type and its rooms, numbered from ``first``."""
        body = {"name": name, "base_price": 80, "max_adults": 2, "max_children": 1, **fields}
        made = await self.made("/room-types", body)
        made["rooms"] = [await self.room(made, str(first + number)) for number in range(rooms)]
        return made

    async def room(self, of, number, **fields):
        return await self.made("/rooms", {"number": number, "room_type_id": of["id"], **fields})

    async def book(self, of, arrives=0, nights=1, key=None, **fields):
        """Send a booking and return the reply."""
        body = {
            "room_type_id": of["id"], "check_in": day(arrives), "check_out": day(arrives + nights),
            "guest_name": "Ada Costa", **fields,
        }  # fmt: skip
        return await self.send("POST", "/stays", body, **({} if key is None else {"Idempotency_Key": key}))

    async def stay(self, of, arrives=0, nights=1, **fields):
        reply = await self.book(of, arrives, nights, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def set(self, stay, status, **fields):
        return await self.send("PUT", f"/stays/{stay['id']}/status", {"status": status, **fields})

    async def must_set(self, stay, status, **fields):
        reply = await self.set(stay, status, **fields)
        assert (reply.status, reply["status"]) == (200, status), reply
        return reply.document

    async def change(self, stay, **fields):
        return await self.send("PUT", f"/stays/{stay['id']}", fields)

    async def give(self, stay, room):
        return await self.send("PUT", f"/stays/{stay['id']}/room", {"room_id": room and room["id"]})

    async def look(self, stay):
        return (await self.get(f"/stays/{stay['id']}")).document

    async def clean(self, room, status="clean"):
        return await self.send("PUT", f"/rooms/{room['id']}/status", {"status": status})

    async def offers(self, arrives=0, nights=1, **query):
        asked = {"check_in": day(arrives), "check_out": day(arrives + nights), **query}
        path = "/availability?" + "&".join(f"{name}={value}" for name, value in asked.items())
        return (await self.get(path))["room_types"]

    async def free(self, of, arrives=0, nights=1, **query):
        """Return the number of free rooms of a type, or the reason for none."""
        (offer,) = [one for one in await self.offers(arrives, nights, **query) if one["room_type_id"] == of["id"]]
        return offer["reason"] or offer["available"]


@pytest.fixture
async def hotel(client, owner, clock):
    """A hotel in Lisbon, at noon."""
    clock.set(datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC))
    return TestHotel(client, owner, await owner.store("hotel", timezone="Europe/Lisbon"))


class HotelGuest:
    """A guest at the pages of a hotel."""

    def __init__(self, hotel, slug):
        self.hotel, self.slug = hotel, slug

    async def read(self, path):
        response = await self.hotel.client.get(path)
        return response.status_code, await response.get_data(as_text=True)

    async def search(self, query="", room=""):
        return await self.read(f"/s/{self.slug}/rooms{room}?{query}")

    async def send(self, path, body, headers=OWN_PAGE):
        response = await self.hotel.client.post(path, json=body, headers=headers)
        return response.status_code, await response.get_json()

    async def book(self, room_type, arrives=5, nights=2, headers=OWN_PAGE, **fields):
        body = {"check_in": day(arrives), "check_out": day(arrives + nights), "client_uuid": str(uuid4())}
        return await self.send(f"/s/{self.slug}/rooms/{room_type['id']}/stays", {**body, **GUEST, **fields}, headers)

    async def start(self, page):
        """Press the button of a stay's page and return where it leads."""
        _, shown = await self.read(page)
        start = shown.partition('data-guest-form action="/prepayments/')[2].partition('"')[0]
        return (await self.send("/prepayments/" + start.replace("&amp;", "&"), {}))[1]["url"]

    async def cancel(self, page):
        return await self.send(to_cancellation(page), {})


def to_cancellation(url):
    path, _, query = url.partition("?")
    return f"{path}/cancellation?{query}"


@pytest.fixture
async def guest(hotel):
    return HotelGuest(hotel, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", hotel.id))


@pytest.fixture
async def bank(hotel, client, owner):
    """The bank of a hotel that asks for 30 percent, at least 50.00, refunded until 2 days before the check-in."""
    assert (await hotel.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})).status == 201
    policy = {
        "deposit_percent": 30, "deposit_amount": 50, "deposit_free_hours": 48, "deposit_hold_minutes": 30,
    }  # fmt: skip
    reply = await hotel.send("PUT", "/settings/hotel", policy)
    assert reply.status == 200, reply
    return DemoBankFake(client, owner)


@pytest.fixture
def pay(guest, bank, dispatch):
    """Book a stay of 2 nights in 5 days, pay the deposit, and return its page."""

    async def book_and_pay(room_type, **fields):
        status, made = await guest.book(room_type, **fields)
        assert status == 201, made
        await bank.pay(await guest.start(made["url"]))
        await run_task("payments_reconcile")
        await guest.hotel.client.get((await sql.fetch_value(
            "SELECT return_url FROM payments_payment WHERE owner_id = $1 ORDER BY id DESC LIMIT 1",
            guest.hotel.owner.id,
        )).removeprefix("http://comanda.test"))  # fmt: skip
        await dispatch()
        return made["url"]

    return book_and_pay


@pytest.fixture
def next_day(clock):
    """Return a function that advances the clock by days."""

    def sleep(days=1):
        clock.advance(days=days)

    return sleep


@pytest.fixture
async def soup(hotel):
    return await hotel.item("Soup", 5)


@pytest.fixture
async def stay(hotel):
    double = await hotel.room_type(rooms=2)
    return await hotel.must_set(await hotel.stay(double, 0, 2), "checked_in")


SERVERS = {
    "admin": McpServer("admin", "/test/admin", "Admin", "x", callers=("owner",)),
    "storefront": McpServer("storefront", "/test/storefront", "Storefront", "x", ("storefront",), scope="agent"),
    "customer": McpServer("customer", "/test/customer", "Customer", "x", callers=("customer",)),
}


@pytest.fixture(scope="session")
def served_registry():
    """The registry with servers that only have plugin tools."""
    module = types.ModuleType("comanda_agents.plugin")
    module.register_mcp_servers = hookimpl(lambda: list(SERVERS.values()))
    installed = [plugin for plugin in plugin_loader.load() if not plugin.name.startswith("mcp_")]
    return registry.gather([*installed, Plugin("agents", "comanda-agents", "1.0", (module,))])


@pytest.fixture
def served(runtime, served_registry):
    with serving(runtime, served_registry) as client:
        yield client


@pytest.fixture
def agent(served, owner, hotel):
    """Return a factory of agents with tokens of a kind, by default the owner's."""

    async def make(kind=None, scopes=("agent", "menu:read"), store_id=hotel.id, subject_id=None):
        if kind is None:
            return McpClient(served, SERVERS["admin"].path, owner.auth)
        known = runtime_module.registry().caller_kinds[kind]
        issued = await accounts.issue_token(
            known, owner.id, scopes, name="test", store_id=store_id, subject_id=subject_id
        )
        value = f"Bearer {issued.secret}" if known.header == "authorization" else issued.secret
        return McpClient(served, SERVERS[kind].path, {known.header: value})

    return make
