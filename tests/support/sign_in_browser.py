"""A browser for tests of pages that people sign in to."""

import re

from comanda.platform.db import sql

PASSWORD = "correct horse battery"
FORM_TOKEN = re.compile(r'name="csrf_token" value="([0-9a-f]{64})"')
KEY = re.compile(r"<code>([A-Z2-7]{32})</code>")
RECOVERY = re.compile(r"\b[2-9a-z]{5}-[2-9a-z]{5}\b")
SECURITY = "/account/security"
COOKIE = "comanda_session"


class Browser:
    """A browser with cookies, which fills in forms as people do."""

    def __init__(self, app):
        self.client = app.test_client()

    async def get(self, path, **headers):
        response = await self.client.get(path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        return response, (await response.get_data()).decode()

    async def post(self, path, form, **headers):
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return await self.client.post(path, form=form, headers=named)

    async def get_text(self, path):
        return (await self.get(path))[1]

    async def read_form_token(self, path="/sign-in"):
        return FORM_TOKEN.search((await self.get(path))[1])[1]

    async def sign_in(self, email, password=PASSWORD, **fields):
        token = fields.pop("csrf_token", None) or await self.read_form_token()
        return await self.post("/sign-in", {"csrf_token": token, "email": email, "password": password, **fields})

    async def send_form(self, path, fields=(), page="/account/security", **headers):
        """Send a form with the token of the session's forms."""
        return await self.post(path, {"csrf_token": await self.read_form_token(page), **dict(fields)}, **headers)

    async def is_signed_in(self):
        return "You are signed in" in (await self.get("/sign-in"))[1]

    @property
    def secret(self):
        return next((cookie.value for cookie in self.client.cookie_jar if cookie.name == COOKIE), None)


def cookies_of(response):
    return {text.partition("=")[0]: text for text in response.headers.getlist("Set-Cookie")}


async def read_text(response):
    return (await response.get_data()).decode()


async def list_entries(owner_id):
    rows = await sql.fetch("SELECT action, outcome FROM core_audit_entry WHERE owner_id = $1 ORDER BY id", owner_id)
    return [tuple(row) for row in rows]
