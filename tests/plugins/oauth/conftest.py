"""A developer with a client, and an owner who may install it."""

import secrets
from base64 import b64encode
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from comanda.accounts.web_sessions import create_session
from comanda.basics import clock
from comanda.platform.db import sql
from comanda.web import customer_cookie, session_cookie
from comanda_customers.models import Customer
from comanda_customers.services.sign_in.tokens import SCOPES
from comanda_oauth import api, scopes
from comanda_oauth.models import ClientKind, ClientOrigin
from comanda_oauth.services.clients import clients
from comanda_oauth.settings import OAuthSettings

REDIRECT = "https://app.example.com/callback"


@pytest.fixture(autouse=True)
def wide_limits(monkeypatch):
    """Let only tests of rate limits reach one."""
    monkeypatch.setattr("comanda_oauth.settings.get_settings", lambda: OAuthSettings(requests_per_minute=1_000_000))


@pytest.fixture
async def developer(other_owner):
    return other_owner


@pytest.fixture
def create_client(developer):
    """Return a function that registers a client of the developer."""

    async def create(**options):
        given = {
            "name": "Loyalty Cards",
            "publisher": "Example Ltd",
            "redirect_uris": (REDIRECT,),
            "scopes": ("menu:read", "menu:write", "orders:read", "mcp:use"),
            **options,
        }
        return await api.create_client(developer.id, api.NewClient(**given))

    return create


class Browser:
    """A browser of an owner, with the cookies and forms that it needs."""

    def __init__(self, client, owner):
        self.client, self.owner, self.cookie = client, owner, None

    async def sign_in(self):
        secret, self.session = await create_session(owner_id=self.owner.id)
        self.headers = {"Cookie": session_cookie_header(secret)}
        return self

    async def open(self, **parameters):
        return await self.client.get(f"/oauth/authorize?{urlencode(parameters)}", headers=self.headers)

    async def decide(self, decision="allow", store="all", csrf=None, **parameters):
        form = {"csrf_token": csrf or self.session.csrf_token, "decision": decision, "store": str(store)}
        return await self.client.post(f"/oauth/authorize?{urlencode(parameters)}", form=form, headers=self.headers)


class Guest(Browser):
    """A browser in which a customer of a store has just signed in on the store's page."""

    def __init__(self, client, store, customer_id):
        super().__init__(client, store.owner)
        self.store, self.customer_id = store, customer_id

    async def sign_in(self):
        secret, self.session = await create_session(
            owner_id=self.owner.id, kind="customer", store_id=self.store.id, subject_id=self.customer_id, scopes=SCOPES
        )
        self.slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", self.store.id)
        self.headers = {"Cookie": customer_cookie(self.store.id, secret).partition(";")[0]}
        return self

    async def decide(self, decision="allow", csrf=None, **parameters):
        form = {"csrf_token": csrf or self.session.csrf_token, "decision": decision}
        return await self.client.post(f"/oauth/authorize?{urlencode(parameters)}", form=form, headers=self.headers)


class App:
    """A client's program: it sends people to consent and exchanges what comes back."""

    def __init__(self, client, browser, issued, redirect_uri=REDIRECT):
        self.client, self.browser, self.issued, self.redirect_uri = client, browser, issued, redirect_uri
        self.verifier = None

    @property
    def id(self):
        return self.issued.client.client_id

    def request(self, **parameters):
        """Return the parameters of an authorization request; None leaves one out."""
        given = {
            "response_type": "code", "client_id": self.id, "redirect_uri": self.redirect_uri, "state": "xyz",
            **parameters,
        }  # fmt: skip
        if self.issued.secret is None and "code_challenge" not in parameters:
            self.verifier = secrets.token_urlsafe(48)
            given |= {"code_challenge": create_s256_code_challenge(self.verifier), "code_challenge_method": "S256"}
        return {name: value for name, value in given.items() if value is not None}

    async def authorize(self, *, store="all", **parameters):
        """Return the code that an owner's consent gives."""
        response = await self.browser.decide(store=store, **self.request(**parameters))
        answer = read_answer(response)
        assert "code" in answer, answer
        return answer["code"]

    async def post(self, path="/oauth/token", *, basic=False, **form):
        """Send a form as this client; None leaves a parameter out."""
        given = {"client_id": self.id, "client_secret": self.issued.secret, **form}
        headers = {}
        if basic:
            encoded = b64encode(f"{given.pop('client_id')}:{given.pop('client_secret')}".encode()).decode()
            headers["Authorization"] = f"Basic {encoded}"
        sent = {name: value for name, value in given.items() if value is not None}
        return await self.client.post(path, form=sent, headers=headers)

    async def exchange(self, code, **form):
        given = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier, **form,
        }  # fmt: skip
        return await self.post(**given)

    async def refresh(self, refresh_token, **form):
        return await self.post(grant_type="refresh_token", refresh_token=refresh_token, **form)

    async def get_tokens(self, **parameters):
        """Return the tokens that one whole authorization gives."""
        response = await self.exchange(await self.authorize(**parameters))
        assert response.status_code == 200, await response.get_data()
        return await response.get_json()


class Assistant(App):
    """A program that asks the guest of a store, whom its request names."""

    def request(self, **parameters):
        return super().request(**{"store": self.browser.slug, **parameters})

    async def authorize(self, **parameters):
        return read_answer(await self.browser.decide(**self.request(**parameters)))["code"]


def session_cookie_header(secret):
    return session_cookie(secret).partition(";")[0]


def read_answer(response):
    """Return the parameters with which a browser is sent back."""
    assert response.status_code == 303, response
    return dict(parse_qsl(urlsplit(response.headers["Location"]).query))


@pytest.fixture
async def browser(client, owner):
    return await Browser(client, owner).sign_in()


@pytest.fixture
async def app_program(client, browser, create_client):
    """A server's program."""
    return App(client, browser, await create_client())


@pytest.fixture
async def native_program(client, browser, create_client):
    """A program on a device."""
    issued = await create_client(kind=api.ClientKind.PUBLIC, redirect_uris=("http://127.0.0.1/callback",))
    return App(client, browser, issued, "http://127.0.0.1:51004/callback")


@pytest.fixture
def create_program(client, browser, create_client):
    async def create(**options):
        return App(client, browser, await create_client(**options))

    return create


@pytest.fixture
def status_of(client, store_id):
    """Return a function that calls a route with a token, and returns the status."""

    async def call(token, path=None, method="GET", **options):
        headers = {"Authorization": f"Bearer {token}"}
        path = path or f"/api/v1/restaurants/{store_id}/menu"
        return (await client.open(path, method=method, headers=headers, **options)).status_code

    return call


@pytest.fixture
async def guest(client, owner, store):
    customer = await Customer.create(
        owner_id=owner.id, store_id=store.id, name="Ada", email="ada@example.com", created_at=clock.now()
    )
    return await Guest(client, store, customer.id).sign_in()


@pytest.fixture
async def assistant(client, guest):
    """An assistant that has registered itself, and asks the guest."""
    new = api.NewClient("Assistant", ("http://127.0.0.1/callback",), scopes.NAMES, ClientKind.PUBLIC)
    issued = await clients.create_client(0, new, ClientOrigin.REGISTRATION)
    return Assistant(client, guest, issued, "http://127.0.0.1:51004/callback")


@pytest.fixture
def wish(guest):
    """What an assistant asks for: everything, at the server for customers of the guest's store."""
    return {"scope": "orders profile", "resource": f"http://comanda.test/mcp/customer?store={guest.slug}"}


@pytest.fixture
def call_tool(client):
    """Return a function that calls a tool of the server for customers, and returns the response."""

    async def call(token, name, **arguments):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        return await client.post("/mcp/customer", json=message, headers=headers)

    return call
