"""A person who uses the pages of the dashboard in tests."""

import re
from typing import Any, Final
from urllib.parse import urlencode

from quart import Quart, Response
from quart.typing import TestClientProtocol

from comanda.accounts import web_sessions
from comanda.contracts.web.dashboard import PREFIX
from comanda.web.sign_in.sessions import CSRF_FIELD, SESSION_COOKIE

TAGS: Final = re.compile(r"<[^>]+>")


class DashboardClient:
    """A signed-in person with a browser that follows no redirects. Paths are below ``/dashboard``."""

    def __init__(self, client: TestClientProtocol, csrf_token: str) -> None:
        self.client = client
        self.csrf_token = csrf_token

    async def get(self, path: str, *, status: int = 200) -> str:
        """Return the HTML of a page, which must have the status."""
        response = await self.client.get(PREFIX + path)
        text: str = await response.get_data(as_text=True)
        assert response.status_code == status, (
            f"{response.status_code} instead of {status}: {TAGS.sub('', text)[-800:]}"
        )
        return text

    async def post(self, path: str, fields: dict[str, Any] | None = None, *, status: int = 303) -> str:
        """Send a form with the token of the session; return where it leads, or the HTML of a page that refuses it."""
        response = await self.send(path, {CSRF_FIELD: self.csrf_token, **(fields or {})})
        text: str = await response.get_data(as_text=True)
        assert response.status_code == status, (
            f"{response.status_code} instead of {status}: {TAGS.sub('', text)[-800:]}"
        )
        return response.headers["Location"].removeprefix(PREFIX) if status == 303 else text

    async def send(self, path: str, fields: dict[str, Any], **options: Any) -> Response:
        """Send a form exactly as given and return the response; a list is sent as several fields of its name."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", **options.pop("headers", {})}
        return await self.client.post(PREFIX + path, data=urlencode(fields, doseq=True), headers=headers, **options)


async def sign_in(app: Quart, owner_id: int, **options: Any) -> DashboardClient:
    """Open a web session of an owner; ``options`` are those of ``web_sessions.create_session``."""
    secret, session = await web_sessions.create_session(owner_id=owner_id, **options)
    client = app.test_client()
    client.set_cookie("localhost", SESSION_COOKIE, secret)
    return DashboardClient(client, session.csrf_token)
