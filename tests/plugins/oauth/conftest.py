"""A developer with a client, and an owner who may install it."""

import secrets
from base64 import b64encode
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from comanda.accounts.web_sessions import create_session
from comanda.web import session_cookie
from comanda_oauth import api
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
