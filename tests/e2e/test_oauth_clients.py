"""Clients that others wrote get access to a running server: Authlib, requests-oauthlib, mcp, oauth4webapi."""

import asyncio
import json
import re
import shutil
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
import mcp
import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_migrated_data_folder
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
from requests_oauthlib import OAuth2Session

REDIRECT = "https://app.example.com/callback"
AGENT_REDIRECT = "http://localhost:43117/callback"
PASSWORD = "correct horse battery staple"
SCRIPT = Path(__file__).parent / "oauth4webapi.mjs"


class Person:
    """An owner in front of a browser, who signs in when asked and consents."""

    def __init__(self, base, email):
        self.base, self.email, self.session = base, email, requests.Session()

    def consent(self, url):
        """Open an address of the authorization server and return the address that the browser ends at."""
        page = self.session.get(url, allow_redirects=True)
        if urlsplit(page.url).path == "/sign-in":
            form = {**self._read_fields(page.text, "/sign-in"), "email": self.email, "password": PASSWORD}
            page = self.session.post(f"{self.base}/sign-in", data=form)
        assert page.status_code == 200, page.text
        action = re.search(r'action="(/oauth/authorize[^"]*)"', page.text)[1].replace("&amp;", "&")
        form = {**self._read_fields(page.text, "/oauth/authorize"), "store": "all", "decision": "allow"}
        answer = self.session.post(urljoin(self.base, action), data=form, allow_redirects=False)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    @staticmethod
    def _read_fields(text, action):
        """Return the hidden fields of the form with this action: a page may have several."""
        form = re.search(rf'<form[^>]*action="{action}["?].*?</form>', text, re.DOTALL)[0]
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
        return {name: value.replace("&amp;", "&") for name, value in found}


class Guest(Person):
    """A guest of the store in front of a browser, who signs in by the code on their phone when asked and consents."""

    PHONE = "+351912345678"

    def __init__(self, service):
        super().__init__(service.base, None)
        self.service = service

    def consent(self, url):
        page = self.session.get(url)
        if "customer_sign_in.js" in page.text:
            self._sign_in(*re.findall(r'action="(/s/[^"]+)"', page.text))
            page = self.session.get(url)
        assert "Allow" in page.text, page.text
        action = re.search(r'action="(/oauth/authorize[^"]*)"', page.text)[1].replace("&amp;", "&")
        form = {**self._read_fields(page.text, "/oauth/authorize"), "decision": "allow"}
        answer = self.session.post(urljoin(self.base, action), data=form, allow_redirects=False)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def _sign_in(self, code_path, session_path):
        """Send what the script of the page sends."""
        headers, body = {"Origin": self.base}, {"phone": self.PHONE}
        assert self.session.post(self.base + code_path, json=body, headers=headers).status_code == 200
        body["code"] = self.service.run(READ_CODE, self.PHONE)
        assert self.session.post(self.base + session_path, json=body, headers=headers).status_code == 200


class Service:
    """A running server with an owner and a client."""

    def __init__(self, server, installation):
        self.base = f"http://localhost:{server.port}"
        made = json.loads(installation.run_program(PREPARE, PASSWORD, REDIRECT, AGENT_REDIRECT).splitlines()[-1])
        self.client_id, self.secret, self.store_id = made["client_id"], made["secret"], made["store_id"]
        self.email, self.agent, self.slug = made["email"], made["agent"], made["slug"]
        self.run = lambda *arguments: json.loads(installation.run_program(*arguments).splitlines()[-1])

    def person(self):
        return Person(self.base, self.email)

    @property
    def menu(self):
        return f"{self.base}/api/v1/restaurants/{self.store_id}/menu"


PREPARE = """
import json, sys
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.services import create_owner
from comanda.cli.session import call
from comanda.platform.db import sql
from comanda.stores.services import create_store
from comanda_oauth import api

async def work():
    owner = await create_owner("owner@example.com", "Owner")
    await set_owner_password(owner.id, sys.argv[1])
    store_id = await create_store(owner.id, "Bistro", "restaurant")
    new = api.NewClient("Loyalty", (sys.argv[2],), ("menu:read", "orders:read"))
    issued = await api.create_client(owner.id, new)
    agent = await api.create_client(owner.id, api.NewClient("Agent", (sys.argv[3],), ("menu:read", "mcp:use")))
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store_id)
    return {"store_id": store_id, "slug": slug, "email": owner.email, "client_id": issued.client.client_id,
            "secret": issued.secret,
            "agent": {"client_id": agent.client.client_id, "client_secret": agent.secret}}

print(json.dumps(call(work)))
"""

READ_CODE = """
import json, sys
from comanda.cli.session import call
from comanda.platform.db import sql

async def work():
    statement = "SELECT text FROM notifications_message WHERE address = $1 ORDER BY id DESC LIMIT 1"
    return (await sql.fetch_value(statement, sys.argv[1])).partition(" ")[0]

print(json.dumps(call(work)))
"""


@pytest.fixture(scope="module")
def service():
    data = create_migrated_data_folder()
    variables = {"COMANDA_LOG_LEVEL": "warning", "COMANDA_DEVELOPMENT": "1", "COMANDA_OAUTH_REGISTRATION": "1"}
    installation = Installation(data, variables)
    with installation.running("serve") as server:
        yield Service(server, installation)
    shutil.rmtree(data, ignore_errors=True)


def test_authlib(service):
    site = service.base
    client = AuthlibSession(
        service.client_id, service.secret, redirect_uri=REDIRECT, scope="menu:read", code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_post",
    )  # fmt: skip
    verifier = "v" * 64
    url, state = client.create_authorization_url(f"{site}/oauth/authorize", code_verifier=verifier, expiring="1")
    answer = service.person().consent(url)
    token = client.fetch_token(
        f"{site}/oauth/token", authorization_response=answer, state=state, code_verifier=verifier
    )
    assert client.get(service.menu).status_code == 200
    assert client.refresh_token(f"{site}/oauth/token")["access_token"] != token["access_token"]
    assert client.get(service.menu).status_code == 200
    assert client.introspect_token(f"{site}/oauth/introspect", client.token["access_token"]).json()["active"] is True
    assert client.revoke_token(f"{site}/oauth/revoke", client.token["access_token"]).status_code == 200
    assert requests.get(service.menu, headers=bearer(client.token["access_token"])).status_code == 401


def test_requests_oauthlib(service, monkeypatch):
    # The server of this test speaks plain http, which the library refuses unless told.
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    client = OAuth2Session(service.client_id, redirect_uri=REDIRECT, scope=["menu:read"], pkce="S256")
    url, _ = client.authorization_url(f"{service.base}/oauth/authorize", expiring="1")

    client.fetch_token(
        f"{service.base}/oauth/token",
        authorization_response=service.person().consent(url),
        client_secret=service.secret,
    )

    assert client.get(service.menu).status_code == 200
    client.refresh_token(f"{service.base}/oauth/token", client_id=service.client_id, client_secret=service.secret)
    assert client.get(service.menu).status_code == 200


class Storage:
    """The memory of an MCP client."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


@pytest.fixture
def document():
    """A host on this machine with the metadata document of a client."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(self.server.document).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            """Keep the output of tests clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/client.json"
    server.document = {"client_id": url, "client_name": "Agent", "redirect_uris": ["http://localhost/callback"]}
    yield url
    server.shutdown()
    server.server_close()


async def connect(person, storage, server, call, **options):
    """Return the tools that the official client sees, after it got itself access."""
    answers = []

    async def open_browser(url):
        answers.append(await asyncio.to_thread(person.consent, url))

    async def wait_for_answer():
        found = parse_qs(urlsplit(answers[-1]).query)
        return AuthorizationCodeResult(code=found["code"][0], state=found["state"][0], iss=found["iss"][0])

    provider = OAuthClientProvider(
        server,
        OAuthClientMetadata(
            client_name="Agent", redirect_uris=[AGENT_REDIRECT], token_endpoint_auth_method="none"
        ),
        storage, open_browser, wait_for_answer, **options,
    )  # fmt: skip
    async with httpx2.AsyncClient(auth=provider) as http:
        client = mcp.Client(streamable_http_client(server, http_client=http))
        async with client:
            listed = await client.list_tools()
            result = await client.call_tool(call, {})
    assert not result.is_error
    return {tool.name for tool in listed.tools}


async def test_mcp_client_that_registers_itself(service):
    storage = Storage()

    tools = await connect(service.person(), storage, f"{service.base}/mcp", "get_menu")

    assert {"list_restaurants", "get_menu", "add_menu_item"} <= tools
    assert storage.tokens.expires_in == 3600
    assert storage.client.client_id


async def test_mcp_client_with_a_metadata_document(service, document, monkeypatch):
    # The library insists on https for the address of the document.
    monkeypatch.setattr("mcp.client.auth.oauth2.is_valid_client_metadata_url", lambda url: True)
    storage = Storage()

    server = f"{service.base}/mcp"
    tools = await connect(service.person(), storage, server, "get_menu", client_metadata_url=document)

    assert "get_menu" in tools
    assert storage.client.client_id == document


async def test_mcp_client_of_an_app_with_few_scopes(service):
    storage = Storage()
    storage.client = OAuthClientInformationFull(
        **service.agent, redirect_uris=[AGENT_REDIRECT], token_endpoint_auth_method="client_secret_post"
    )

    tools = await connect(service.person(), storage, f"{service.base}/mcp", "get_menu")

    assert "get_menu" in tools
    assert "add_menu_item" not in tools
    assert storage.tokens.scope == "menu:read mcp:use"


@pytest.mark.parametrize("has_document", [False, True])
async def test_mcp_client_of_a_guest(service, document, monkeypatch, has_document):
    monkeypatch.setattr("mcp.client.auth.oauth2.is_valid_client_metadata_url", lambda url: True)
    options = {"client_metadata_url": document} if has_document else {}
    storage, server = Storage(), f"{service.base}/mcp/customer?store={service.slug}"

    tools = await connect(Guest(service), storage, server, "my_profile", **options)

    assert {"my_orders", "my_profile", "reorder"} <= tools
    assert storage.tokens.scope == "orders profile"
    assert storage.tokens.access_token.startswith("ast_")


def test_oauth4webapi(service, tmp_path):
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js is not installed")
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    installed = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "oauth4webapi@3"],
        cwd=tmp_path, capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, check=False,
    )  # fmt: skip
    if installed.returncode:
        pytest.skip(f"npm cannot install oauth4webapi here: {installed.stderr[-300:]}")
    shutil.copy(SCRIPT, tmp_path / "client.mjs")
    arguments = [service.base, service.client_id, service.secret, REDIRECT, service.menu]
    process = subprocess.Popen(
        [node, "client.mjs", *arguments],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    url = process.stdout.readline().strip()
    assert url.startswith(service.base), process.communicate(timeout=MAX_WAIT_SECONDS)[1]
    output, errors = process.communicate(service.person().consent(url) + "\n", timeout=MAX_WAIT_SECONDS)
    assert process.returncode == 0, errors
    assert output.split() == ["200", "200", "active", "revoked", "401"]


def bearer(token):
    return {"Authorization": f"Bearer {token}"}
