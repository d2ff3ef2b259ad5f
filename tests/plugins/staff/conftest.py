"""A member of staff who logs in over HTTP, from any address."""

from dataclasses import dataclass
from itertools import count

import pytest
from comanda.devkit.testing.stores import Reply, TestStore

PASSWORD = "lemon tart at dawn"
_numbers = count(1)


@dataclass
class Person:
    """Somebody who works in a store, with or without a token."""

    store: TestStore
    id: int
    email: str
    pin: str | None
    token: str = ""

    @property
    def auth(self):
        return {"Authorization": f"Bearer {self.token}"}

    async def send(self, method, path, body=None, **headers):
        """Call one of the staff routes with the token."""
        return await send(self.store.client, method, f"/staff{path}", body, {**self.auth, **headers})

    async def login(self, **fields):
        """Log in by e-mail; whatever the answer. The token of a success is the one that is used from now on."""
        body = {"email": self.email, "password": PASSWORD, "device": "phone", **fields}
        return self._keep(await log_in(self.store, "login", body))

    async def enter(self, pin=None, device="till"):
        """Log in by PIN; whatever the answer."""
        return self._keep(await log_in(self.store, "pin", {"pin": pin or self.pin, "device": device}))

    async def change(self, **fields):
        """Change the member as their owner; whatever the answer."""
        return await self.store.send("PUT", f"/staff/{self.id}", fields)

    def _keep(self, reply):
        if reply.status == 200:
            self.token = reply["token"]
        return reply


async def send(client, method, path, body=None, headers=None):
    options = {} if body is None else {"json": body}
    response = await client.open(f"/api/v1{path}", method=method, headers=headers or {}, **options)
    is_json = response.content_type == "application/json" and await response.get_data()
    return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))


async def log_in(store, way, body, address="203.0.113.5"):
    """Log in from an address."""
    path = f"/api/v1/restaurants/{store.id}/staff/{way}"
    response = await store.client.post(path, json=body, scope_base={"client": (address, 4711)})
    return Reply(response.status_code, await response.get_json(), dict(response.headers))


@pytest.fixture
def employ(store):
    """Let somebody work in the store, or in another one; without a PIN unless one is given."""

    async def add(role="waiter", at=None, **fields):
        number = next(_numbers)
        email = fields.pop("email", f"person-{number}@example.com")
        body = {"name": f"Person {number}", "role": role, "email": email, "password": PASSWORD, **fields}
        reply = await (at or store).send("POST", "/staff", body)
        assert reply.status == 201, reply
        return Person(at or store, reply["id"], email, fields.get("pin"))

    return add


@pytest.fixture
async def waiter(employ):
    """A waiter, logged in."""
    person = await employ("waiter")
    assert (await person.login()).status == 200
    return person


@pytest.fixture
async def manager(employ):
    """A manager, logged in."""
    person = await employ("manager")
    assert (await person.login()).status == 200
    return person
