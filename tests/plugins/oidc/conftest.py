"""An installation with a provider of OpenID Connect, and browsers that sign in there."""

import dataclasses
import secrets
from urllib.parse import urlencode

import pytest
from comanda.accounts import owner_login, passwords
from comanda.basics import clock
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_oidc.services import providers
from comanda_oidc.settings import OidcSettings, Provider
from openid_provider import CLIENT_ID, CLIENT_SECRET, OpenIdProvider
from sign_in_browser import PASSWORD, Browser

START = "/sign-in/oidc/works"
CALLBACK = f"{START}/callback"
INSERT_MEMBER = """
    INSERT INTO staff_member (owner_id, store_id, name, email, password_hash, role, created_at, grants, denials,
        station_ids, is_active, totp_last_step)
    VALUES ($1, $2, 'Rita', $3, $4, 'manager', $5, '{}', '{}', '{}', true, 0) RETURNING id
"""


@pytest.fixture
async def openid(app, monkeypatch):
    providers.forget_documents()
    async with OpenIdProvider().serve() as made:
        settings = runtime_module.settings_of(OidcSettings)
        provider = Provider(
            code="works",
            name="Works",
            issuer=made.issuer,
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            email_domains=["shops.example"],
        )
        monkeypatch.setattr(settings, "providers", [provider])
        monkeypatch.setattr(settings, "allowed_networks", ["127.0.0.0/8"])
        yield made


@pytest.fixture
def configure(openid, monkeypatch):
    """Change fields of the provider's settings."""

    def change(**fields):
        settings = runtime_module.settings_of(OidcSettings)
        monkeypatch.setattr(settings, "providers", [settings.providers[0].model_copy(update=fields)])

    return change


@pytest.fixture
async def person(owner, openid):
    """An owner with a password, whose address is at the domain of the provider."""
    email = f"{secrets.token_hex(6)}@shops.example"
    await sql.execute("UPDATE core_owner SET email = $2 WHERE id = $1", owner.id, email)
    await owner_login.set_owner_password(owner.id, PASSWORD)
    openid.person = {"sub": secrets.token_hex(8), "email": email, "email_verified": True}
    return dataclasses.replace(owner, email=email)


class OpenIdBrowser(Browser):
    """A browser that goes to the provider and comes back."""

    async def start(self, query=""):
        response = await self.client.get(f"{START}{query}")
        assert response.status_code == 303, await response.get_data()
        return response.headers["Location"]

    async def come_back(self, answer):
        return await self.client.get(f"{CALLBACK}?{urlencode(answer)}")

    async def sign_in_there(self, openid, query=""):
        return await self.come_back(openid.authorize(await self.start(query)))


@pytest.fixture
def browser(app):
    return OpenIdBrowser(app)


@pytest.fixture
def other_browser(app):
    return OpenIdBrowser(app)


@pytest.fixture
async def member(owner, openid):
    """A cashier with a password, whose address is at the domain of the provider; returned as their id and address."""
    email = f"{secrets.token_hex(6)}@shops.example"
    store_id = await owner.store()
    member_id = await create_member(owner, store_id, email)
    openid.person = {"sub": secrets.token_hex(8), "email": email, "email_verified": True}
    return member_id, email


async def create_member(owner, store_id, email):
    password_hash = await passwords.hash_password(PASSWORD)
    return await sql.fetch_value(INSERT_MEMBER, owner.id, store_id, email, password_hash, clock.now())
