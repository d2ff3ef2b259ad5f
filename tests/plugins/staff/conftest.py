"""Members of staff and devices that use the API."""

from dataclasses import dataclass
from itertools import count

import pytest
from comanda.devkit.testing import Reply, TestStore, line

PASSWORD = "lemon tart at dawn"
_numbers = count(1)


@dataclass
class StaffMember:
    """A member of staff, with or without a token."""

    store: TestStore
    id: int
    email: str
    pin: str | None
    token: str = ""

    @property
    def auth(self):
        return {"Authorization": f"Bearer {self.token}"}

    async def send(self, method, path, body=None, **headers):
        """Send a request to a staff route with the token."""
        return await send(self.store.client, method, f"/staff{path}", body, {**self.auth, **headers})

    async def log_in(self, **fields):
        """Log in by e-mail and return the reply; a returned token is used from then on."""
        body = {"email": self.email, "password": PASSWORD, "device": "phone", **fields}
        return self._store_token(await post_login(self.store, "login", body))

    async def log_in_by_pin(self, pin=None, device="till"):
        """Log in by PIN and return the reply; a returned token is used from then on."""
        return self._store_token(await post_login(self.store, "pin", {"pin": pin or self.pin, "device": device}))

    async def update(self, **fields):
        """Update the member as their owner and return the reply."""
        return await self.store.send("PUT", f"/staff/{self.id}", fields)

    def _store_token(self, reply):
        if reply.status == 200:
            self.token = reply["token"]
        return reply


async def send(client, method, path, body=None, headers=None):
    options = {} if body is None else {"json": body}
    response = await client.open(f"/api/v1{path}", method=method, headers=headers or {}, **options)
    is_json = response.content_type == "application/json" and await response.get_data()
    return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))


async def post_login(store, way, body, address="203.0.113.5"):
    """Send a login from a client address and return the reply."""
    path = f"/api/v1/restaurants/{store.id}/staff/{way}"
    response = await store.client.post(path, json=body, scope_base={"client": (address, 4711)})
    return Reply(response.status_code, await response.get_json(), dict(response.headers))


@pytest.fixture
def create_member(store):
    """Create a member of the store, or of another one; without a PIN unless one is given."""

    async def add(role="waiter", at=None, **fields):
        number = next(_numbers)
        email = fields.pop("email", f"person-{number}@example.com")
        body = {"name": f"Person {number}", "role": role, "email": email, "password": PASSWORD, **fields}
        reply = await (at or store).send("POST", "/staff", body)
        assert reply.status == 201, reply
        return StaffMember(at or store, reply["id"], email, fields.get("pin"))

    return add


@pytest.fixture
async def waiter(create_member):
    """A waiter, logged in."""
    person = await create_member("waiter")
    assert (await person.log_in()).status == 200
    return person


@pytest.fixture
async def manager(create_member):
    """A manager, logged in."""
    person = await create_member("manager")
    assert (await person.log_in()).status == 200
    return person


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=5)


@pytest.fixture
def place_guest_order(store, soup):
    """Place an order as a guest of the storefront and return the reply."""

    async def place(**fields):
        created = await store.send(
            "POST", "/storefront-tokens", {"name": "test", "scopes": ["menu:read", "order:write"]}
        )
        body = {"type": "takeaway", "items": [line(soup)], **fields}
        headers = {"X-Storefront-Token": created["token"]}
        response = await store.client.post("/api/v1/storefront/orders", json=body, headers=headers)
        return Reply(response.status_code, await response.get_json(), {})

    return place


class Till:
    """A device without a token, with its own client address."""

    def __init__(self, store, address):
        self.store, self.address = store, address
        self.code = self.poll_token = self.device = None

    async def send(self, path, body):
        response = await self.store.client.post(
            f"/api/v1/restaurants/{self.store.id}{path}", json=body, scope_base={"client": (self.address, 4711)}
        )
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    async def request(self, name="Till 1"):
        reply = await self.send("/staff-devices/requests", {"name": name})
        if reply.status == 201:
            self.code, self.poll_token = reply["user_code"], reply["poll_token"]
        return reply

    async def poll(self):
        reply = await self.send("/staff-devices/requests/poll", {"poll_token": self.poll_token})
        if reply.status == 200 and reply["device"]:
            self.device = reply["device"]
        return reply

    async def log_in_by_pin(self, pin):
        return await self.send("/staff/pin", {"pin": pin, "device": self.device})


@pytest.fixture
def make_till(store):
    numbers = iter(range(1, 60_000))

    def make(at=None):
        number = next(numbers)
        return Till(at or store, f"198.51.{number // 250}.{number % 250}")

    return make


@pytest.fixture
def attempt_login(store):
    """Send each login from a new client address, so that only limits per identity apply."""
    numbers = iter(range(1, 60_000))

    async def send(way, **body):
        number = next(numbers)
        address = f"198.51.{number // 250}.{number % 250}"
        path = f"/api/v1/restaurants/{store.id}/staff/{way}"
        response = await store.client.post(path, json=body, scope_base={"client": (address, 4711)})
        document = await response.get_json()
        return response.status_code, document

    return send
