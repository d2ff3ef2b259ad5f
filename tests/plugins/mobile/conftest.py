"""People who use the app, and the phone that they use it on."""

from dataclasses import dataclass, field
from itertools import count
from urllib.parse import urlsplit

import pytest
from comanda.accounts import owner_login
from comanda.devkit.testing import CheckedClient, Reply

PASSWORD = "lemon tart at dawn"
WEB_VIEW = "Comanda/1.4 Hotwire Native iOS; Turbo Native iOS"
_numbers = count(1)


@dataclass
class Phone:
    """An app with a token of its own and a web view with cookies of its own."""

    client: CheckedClient
    token: str = ""
    address: str = field(default_factory=lambda: f"198.51.100.{next(_numbers) % 250}")

    async def send(self, method, path, body=None, **headers):
        """Send a request of the app's own code, with its token."""
        auth = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        options = {} if body is None else {"json": body}
        scope = {"client": (self.address, 4711)}
        response = await self.client.open(path, method=method, headers={**auth, **headers}, scope_base=scope, **options)
        has_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if has_json else None, dict(response.headers))

    async def log_in(self, email, password=PASSWORD, **fields):
        """Log in and keep the token."""
        body = {"email": email, "password": password, "device": "Ada's phone", **fields}
        reply = await self.send("POST", "/api/v1/app/auth/login", body)
        if reply.status == 200:
            self.token = reply["token"]
        return reply

    async def create_handoff(self, path=None, user_agent=WEB_VIEW):
        """Create a handoff and return its path."""
        body = {"user_agent": user_agent, **({} if path is None else {"path": path})}
        reply = await self.send("POST", "/api/v1/app/session", body)
        assert reply.status == 200, reply
        return urlsplit(reply["handoff_url"]).path


class WebView:
    """A browser without the app's token; its cookies are those that answers have set."""

    def __init__(self, app, user_agent=WEB_VIEW):
        self.client = app.test_client()
        self.user_agent = user_agent
        self.address = f"203.0.113.{next(_numbers) % 250}"

    async def open(self, path, method="GET", form=None, **headers):
        options = {} if form is None else {"form": form}
        sent = {"User-Agent": self.user_agent, **headers}
        scope = {"client": (self.address, 4711)}
        return await self.client.open(path, method=method, headers=sent, scope_base=scope, **options)

    async def is_signed_in(self):
        response = await self.open("/app/home")
        assert response.status_code in {200, 303}
        return response.status_code == 200

    @property
    def cookies(self):
        return {cookie.name: cookie.value for cookie in self.client.cookie_jar or ()}


@pytest.fixture
def open_web_view(app):
    return lambda user_agent=WEB_VIEW: WebView(app, user_agent)


@pytest.fixture
def web_view(open_web_view):
    return open_web_view()


@pytest.fixture
def pick_up_phone(client):
    """Return a function that gives a new phone, on which nobody is logged in."""
    return lambda: Phone(client)


@pytest.fixture
def phone(pick_up_phone):
    return pick_up_phone()


@pytest.fixture
async def owner_with_password(owner):
    await owner_login.set_owner_password(owner.id, PASSWORD)
    return owner


@pytest.fixture
async def owner_phone(owner_with_password, phone):
    """A phone on which the owner is logged in."""
    assert (await phone.log_in(owner_with_password.email)).status == 200
    return phone


@pytest.fixture
def hire(store):
    """Create a member of the store's staff, or of another store's, and return their record."""

    async def make(role="waiter", at=None, **fields):
        body = {
            "name": f"Person {next(_numbers)}",
            "role": role,
            "email": f"app-{next(_numbers)}@staff.example",
            "password": PASSWORD,
            **fields,
        }
        reply = await (at or store).send("POST", "/staff", body)
        assert reply.status == 201, reply
        return reply.document

    return make


@pytest.fixture
async def waiter(hire):
    return await hire("waiter")


@pytest.fixture
async def waiter_phone(waiter, pick_up_phone):
    """A phone on which a waiter is logged in."""
    phone = pick_up_phone()
    assert (await phone.log_in(waiter["email"])).status == 200
    return phone
