"""Developers with apps, and owners who install them."""

from dataclasses import dataclass
from typing import Any

import pytest
from comanda.devkit.testing import CheckedClient, Reply, TestOwner, create_test_owner
from comanda.platform.db import sql
from comanda_marketplace.services.listings import review
from comanda_oauth import api as oauth
from comanda_wallet import api as wallet

APP = {
    "name": "Loyalty Cards",
    "category": "loyalty",
    "scopes": ["orders:read", "menu:read"],
    "redirect_uris": ["https://loyalty.example.com/callback"],
}


@dataclass
class Developer:
    """A developer who uses the API."""

    client: CheckedClient
    owner: TestOwner

    async def send(self, method: str, path: str, body: Any = None, auth: dict[str, str] | None = None) -> Reply:
        options = {} if body is None else {"json": body}
        response = await self.client.open(f"/api/v1{path}", method=method, headers=auth or self.owner.auth, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))

    async def register(self, **fields: Any) -> dict[str, Any]:
        """Register an app and return its record with the secrets."""
        reply = await self.send("POST", "/developer/apps", {**APP, **fields})
        assert reply.status == 201, reply
        return reply.document

    async def publish(self, **fields: Any) -> dict[str, Any]:
        """Register an app that is approved, and return its record with the secrets."""
        app = await self.register(**fields)
        assert (await self.send("POST", f"/developer/apps/{app['id']}/submit")).status == 200
        await review.approve(app["id"])
        return app

    async def get(self, app: dict[str, Any]) -> dict[str, Any]:
        reply = await self.send("GET", f"/developer/apps/{app['id']}")
        assert reply.status == 200, reply
        return reply.document


@pytest.fixture
async def developer(client):
    return Developer(client, await create_test_owner())


@pytest.fixture
async def other_developer(client):
    return Developer(client, await create_test_owner())


@pytest.fixture
def customer(client, owner):
    """The owner who installs apps."""
    return Developer(client, owner)


@pytest.fixture
def read_app():
    """Read the row of an app."""

    async def read(app):
        return await sql.fetch_one("SELECT * FROM marketplace_app WHERE id = $1", app["id"])

    return read


@dataclass
class Installed:
    """An app that was installed, with its access token."""

    id: int
    app: dict[str, Any]
    owner: TestOwner
    token: str
    client: CheckedClient

    @property
    def auth(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def report(self, body: Any = None, **form: Any) -> Reply:
        """Report usage, as JSON if there is a body, else as a form."""
        options = {"form": form} if body is None else {"json": body}
        response = await self.client.post("/api/app/usage", headers=self.auth, **options)
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    async def read(self) -> Any:
        """Read the terms as they are stored."""
        return await sql.fetch_one("SELECT * FROM marketplace_installation WHERE id = $1", self.id)


@pytest.fixture
def install(client, owner, read_app):
    """Install an app on an owner's account, as consenting does, and return it with a token."""

    async def run(app, of=owner, scopes=None):
        row = await read_app(app)
        granted = list(scopes if scopes is not None else row["scopes"])
        made = await oauth.install(of.id, row["client_row_id"], granted, actor="test")
        token = await oauth.issue_access_token(of.id, made.id)
        return Installed(made.id, app, of, token, client)

    return run


@pytest.fixture
def fund(owner):
    """Put money into the owner's wallet, in minor units."""
    numbers = iter(range(1, 1000))

    async def put(amount, of=owner):
        await wallet.top_up(of.id, amount, f"test-{next(numbers)}")

    return put


@pytest.fixture
def read_balance(owner):
    async def read(of=owner):
        return (await wallet.get_wallet(of.id)).balance_minor

    return read
