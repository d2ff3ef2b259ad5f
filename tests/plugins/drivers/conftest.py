"""A restaurant that delivers, its owner, and its drivers."""

from base64 import b64encode
from datetime import UTC, datetime
from itertools import count

import pytest
from comanda.basics import ValidationFailed
from comanda.devkit.testing import CheckedClient, Reply, TestStore, line
from comanda.platform.db import sql
from comanda_drivers.schemas.login import PhoneCodeBody, PhoneCodeRequest
from comanda_drivers.services.accounts import login

API = "/api/v1"
DELIVERY_EVENTS = {
    "order.driver_assigned", "order.out_for_delivery", "order.driver_near", "order.delivered", "order.delivery_failed",
}  # fmt: skip

SELECT_OFFERS = "SELECT driver_id, state, round FROM drivers_offer WHERE order_id = $1 ORDER BY id"
SELECT_MESSAGES = "SELECT channel, purpose, address, text FROM notifications_message WHERE owner_id = $1 ORDER BY id"
SELECT_NEWEST_CODE = (
    "SELECT text, address FROM notifications_message WHERE owner_id = $1 AND purpose = 'drivers.pod' ORDER BY id DESC"
)
_numbers = count(1)
NOON = datetime(2026, 3, 11, 12, tzinfo=UTC)  # a Wednesday


class DriverClient:
    """A driver with a token."""

    def __init__(self, client: CheckedClient, record):
        self.client = client
        self.record = record
        self.id = record["id"]
        self.phone = record["phone"]
        self.token = record["token"]

    async def send(self, method, path, body=None, **more):
        """Call a driver route; the path is below ``/driver``, and ``more`` are headers."""
        options = {} if body is None else {"json": body}
        headers = {"Authorization": f"Bearer {self.token}", **more}
        response = await self.client.open(f"{API}/driver{path}", method=method, headers=headers, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))

    async def get(self, path):
        reply = await self.send("GET", path)
        assert reply.status == 200, reply
        return reply.document

    async def list_ids(self, path="/deliveries"):
        return [each["id"] for each in (await self.get(path))["data"]]

    async def claim(self, order_id):
        return await self.send("POST", f"/deliveries/{order_id}/claim")

    async def set_status(self, order_id, status, **fields):
        return await self.send("PUT", f"/deliveries/{order_id}/status", {"delivery_status": status, **fields})

    async def send_location(self, lat, lng, **fields):
        return await self.send("PUT", "/location", {"lat": lat, "lng": lng, **fields})

    async def read_trail(self):
        rows = await sql.fetch("SELECT lat, lng FROM drivers_trail WHERE driver_id = $1 ORDER BY recorded_at", self.id)
        return [(row["lat"], row["lng"]) for row in rows]

    async def read_position(self):
        row = await sql.fetch_one("SELECT lat, lng, located_at FROM drivers_driver WHERE id = $1", self.id)
        return row["lat"], row["lng"], row["located_at"]

    async def list_offers(self):
        return (await self.get("/offers"))["data"]

    async def accept_offer(self, offer):
        return await self.send("POST", f"/offers/{offer['id']}/accept")

    async def reject_offer(self, offer, **fields):
        return await self.send("POST", f"/offers/{offer['id']}/reject", fields)

    async def get_earnings(self, query=""):
        return await self.get(f"/earnings{query}")

    async def send_code(self, order, code=None):
        """Have a proof code sent, or send the customer's."""
        return await self.send("POST", f"/deliveries/{order['id']}/pod-otp", {} if code is None else {"code": code})

    async def upload_photo(self, order, raw):
        body = {"image_base64": b64encode(raw).decode()}
        return await self.send("POST", f"/deliveries/{order['id']}/pod-photo", body)

    async def upload_form(self, order, body, kind="multipart/form-data; boundary=xx"):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": kind}
        return await self.client.post(f"{API}/driver/deliveries/{order['id']}/pod-photo", headers=headers, data=body)


class Kitchen(TestStore):
    """A restaurant whose orders are delivered."""

    pizza: dict

    async def set_up(self):
        self.pizza = await self.item("Pizza", 10)
        return self

    async def place_delivery(self, pizzas=1, **fields):
        """Place an order for delivery and return it."""
        given = {"type": "delivery", "address": "Rua da Prata 8", "customer_name": "Ada Lovelace", **fields}
        return await self.order(line(self.pizza, pizzas), **{"phone": "+351912345678", **given})

    async def add_driver(self, name="Rui Costa", phone="+351961234567", **fields):
        """Create a driver of the owner."""
        reply = await self.send_to(f"{API}/drivers", "POST", {"name": name, "phone": phone, **fields})
        assert reply.status == 201, reply
        return DriverClient(self.client, reply.document)

    async def assign(self, order, driver_id, **fields):
        return await self.send("POST", f"/orders/{order['id']}/assign", {"driver_id": driver_id, **fields})

    async def override_status(self, order, status, **fields):
        return await self.send("PUT", f"/orders/{order['id']}/delivery-status", {"delivery_status": status, **fields})

    async def get_order(self, order):
        return (await self.get(f"/orders/{order['id']}")).document

    async def set_terms(self, **fields):
        return await self.send("PUT", "/delivery-terms", fields)

    async def place_assigned(self, driver, **fields):
        """Place an order and assign it to the driver."""
        order = await self.place_delivery(**fields)
        assert (await self.assign(order, driver.id)).status == 200
        return order

    async def list_offer_states(self, order):
        return [tuple(row) for row in await sql.fetch(SELECT_OFFERS, order["id"])]

    async def list_messages(self):
        return [tuple(row) for row in await sql.fetch(SELECT_MESSAGES, self.owner.id)]

    async def place_delivered(self, driver, tip=0):
        """Place an order that the driver delivers."""
        order = await self.place_assigned(driver, tip_amount=tip)
        assert (await driver.set_status(order["id"], "delivered")).status == 200
        return order


class LoginClient:
    """A client of the login, with a phone of its own."""

    def __init__(self, client):
        self.client = client
        self.phone = f"+3519{next(_numbers):08}"

    async def post(self, action, **body):
        """Call the login over HTTP."""
        path = f"/api/v1/driver/login/{action}"
        response = await self.client.post(path, json={"phone": self.phone, **body})
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    async def request_code(self):
        """Request a code and read it, without the rate limit."""
        await login.request_code(PhoneCodeRequest(phone=self.phone))
        return (await self.list_messages())[-1].partition(" ")[0]

    async def list_messages(self):
        rows = await sql.fetch("SELECT text FROM notifications_message WHERE address = $1 ORDER BY id", self.phone)
        return [row["text"] for row in rows]

    async def try_code(self, code, **body):
        """Try a code without the rate limit, and return the reason of the error, or None."""
        try:
            await login.verify_code(PhoneCodeBody(phone=self.phone, code=code, **body))
        except ValidationFailed as error:
            return error.extras["reason"]
        return None


@pytest.fixture
async def kitchen(client, owner):
    return await Kitchen(client, owner, await owner.store()).set_up()


@pytest.fixture
async def foreign(client, other_owner):
    """Another owner's restaurant."""
    return await Kitchen(client, other_owner, await other_owner.store()).set_up()


@pytest.fixture
async def driver(kitchen):
    return await kitchen.add_driver()


@pytest.fixture
def announced(published):
    """Return a function that lists the names of published delivery events."""

    async def names():
        return [name for name, _ in await published() if name in DELIVERY_EVENTS]

    return names


@pytest.fixture
def status_events():
    """Return the names of events by the delivery status that they announce."""
    return {
        "assigned": "order.driver_assigned",
        "out_for_delivery": "order.out_for_delivery",
        "delivered": "order.delivered",
        "failed": "order.delivery_failed",
    }


@pytest.fixture
def rows(owner):
    """Return a function that dumps the owner's deliveries, to assert that nothing changed."""

    async def read():
        found = []
        for table in ("core_order", "core_order_change", "drivers_assignment", "core_outbox"):
            statement = f"SELECT to_jsonb(t)::text AS row FROM {table} t WHERE owner_id = $1 ORDER BY id"
            found += [row["row"] for row in await sql.fetch(statement, owner.id)]
        return found

    return read


@pytest.fixture
async def offering(kitchen):
    """A restaurant that offers its orders as soon as they are created."""
    reply = await kitchen.set_terms(dispatch_mode="offer", offer_at="created", lat=38.7139, lng=-9.1335)
    assert reply.status == 200, reply
    return kitchen


@pytest.fixture
def drivers(offering):
    """Return a function that adds drivers on shift, at given degrees west of the restaurant, or without a location."""

    async def make(*wests):
        made = []
        for number, west in enumerate(wests):
            one = await offering.add_driver(f"Driver {number}", f"+3519612346{number:02}")
            assert (await one.send("POST", "/shift", {"status": "on"})).status == 200
            if west is not None:
                await one.send_location(38.7139, -9.1335 - west)
            made.append(one)
        return made

    return make


@pytest.fixture
async def paying(kitchen, clock):
    clock.set(NOON)
    assert (await kitchen.set_terms(driver_pay=3.5)).status == 200
    return kitchen


@pytest.fixture
async def delivery(kitchen, driver):
    return await kitchen.place_assigned(driver)


@pytest.fixture
def newest_code_message(owner):
    """Return a function that reads the last message with a proof code."""

    async def read():
        return await sql.fetch_one(SELECT_NEWEST_CODE, owner.id)

    return read


@pytest.fixture
def read_code(newest_code_message):
    """Return a function that reads the last code that a customer was sent."""

    async def code():
        return (await newest_code_message())["text"].partition(" ")[0]

    return code


@pytest.fixture
def build_form():
    """Return a function that builds the body of a form with a photo."""

    def build(raw, name="photo", boundary=b"xx"):
        head = f'Content-Disposition: form-data; name="{name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
        return b"--" + boundary + b"\r\n" + head.encode() + raw + b"\r\n--" + boundary + b"--\r\n"

    return build


@pytest.fixture
def new_login_client(client):
    """Return a function that opens a login for a new phone."""
    return lambda: LoginClient(client)


@pytest.fixture
def login_client(new_login_client):
    return new_login_client()


@pytest.fixture
async def known_driver(kitchen, login_client):
    """A driver with the phone of the login client."""
    return await kitchen.add_driver(phone=login_client.phone)
