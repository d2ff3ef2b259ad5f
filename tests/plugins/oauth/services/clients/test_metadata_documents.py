"""Clients known by their metadata document, and clients that register themselves."""

from uuid import uuid4

import pytest
from aiohttp import web
from comanda.platform.http_client import allowed_networks
from comanda_oauth.services.clients.metadata_documents import is_document_address


@pytest.fixture
async def publisher():
    """A host on this machine that publishes a client's document."""

    class Publisher:
        reads = 0
        extra = {}

        async def answer(self, request):
            self.reads += 1
            document = {"client_id": self.url, "client_name": "Agent", "redirect_uris": [REDIRECT], **self.extra}
            return web.json_response(document, headers={"Cache-Control": "max-age=600"})

    made = Publisher()
    server = web.Application()
    # Documents are kept by their addresses, and a port is free again after its test.
    path = f"/{uuid4()}/client.json"
    server.router.add_get(path, made.answer)
    runner = web.AppRunner(server)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}{path}"
    yield made
    await runner.cleanup()


REDIRECT = "http://127.0.0.1/callback"


def ask(url, redirect=REDIRECT):
    return {
        "response_type": "code",
        "client_id": url,
        "redirect_uri": redirect,
        "code_challenge": "c" * 43,
        "code_challenge_method": "S256",
        "scope": "menu:read",
    }


async def test_document_makes_a_client_that_is_kept_a_while(publisher, browser, clock):
    for _ in range(2):
        text = await (await browser.open(**ask(publisher.url))).get_data(as_text=True)
        assert "Connect Agent?" in text
        assert "Nobody has reviewed this app" in text
    assert publisher.reads == 1

    publisher.extra = {"client_name": "Agent 2"}
    clock.advance(minutes=11)
    await browser.sign_in()
    assert "Agent 2" in await (await browser.open(**ask(publisher.url))).get_data(as_text=True)
    assert publisher.reads == 2


@pytest.mark.parametrize(
    "extra",
    [
        {"client_id": "https://other.example/client.json"},
        {"redirect_uris": ["https://evil.example#x"]},
        {"redirect_uris": "x"},
        {"client_secret": "x"},
        {"token_endpoint_auth_method": "client_secret_post"},
    ],
)
async def test_wrong_document_is_no_client(publisher, browser, extra):
    publisher.extra = extra

    response = await browser.open(**ask(publisher.url))

    assert (response.status_code, "Location" in response.headers) == (400, False)


async def test_redirect_outside_the_document_is_refused(publisher, browser):
    response = await browser.open(**ask(publisher.url, "https://evil.example/"))

    assert (response.status_code, "Location" in response.headers) == (400, False)


async def test_addresses_of_this_network_are_not_read(publisher, browser, monkeypatch):
    monkeypatch.setattr(allowed_networks, "LOOPBACK_NETWORKS", ())

    assert (await browser.open(**ask(publisher.url))).status_code == 400
    assert publisher.reads == 0


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    "text",
    [
        "https://a.example",
        "https://a.example/",
        "https://a.example/x#y",
        "https://u@a.example/x",
        "https://a.example/../x",
        "ftp://a.example/x",
        "http://a.example/x",
        "https://[x/y",
        "5f0c",
    ],
)
def test_what_is_no_document_address(text):
    assert not is_document_address(text)
    assert is_document_address("https://a.example/client.json")
