"""What providers answer, and when they do not."""

import asyncio

import pytest
from comanda.basics import Unavailable
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.platform import runtime as runtime_module
from comanda_oidc.services import providers
from comanda_oidc.settings import OidcSettings, list_providers


async def test_documents_are_kept(openid):
    for _ in range(3):
        await providers.load_metadata(list_providers()[0])

    assert openid.requests == ["discovery"]


async def test_silent_provider_is_given_up_in_time(openid, monkeypatch):
    async def keep_silent(reader, writer):
        await reader.read()
        writer.close()

    server = await asyncio.start_server(keep_silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    provider = list_providers()[0].model_copy(update={"issuer": f"http://127.0.0.1:{port}"})
    monkeypatch.setattr(providers, "TIMEOUT_SECONDS", 0.2)

    with pytest.raises(Unavailable):
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            await providers.load_metadata(provider)

    server.close()
    await server.wait_closed()


async def test_private_networks_are_reached_only_if_allowed(openid, monkeypatch):
    monkeypatch.setattr(runtime_module.settings_of(OidcSettings), "allowed_networks", [])
    monkeypatch.setattr(runtime_module.settings(), "development", False)

    with pytest.raises(Unavailable):
        await providers.load_metadata(list_providers()[0])

    assert openid.requests == []


async def test_number_of_requests_under_way_is_limited(openid, monkeypatch):
    monkeypatch.setattr(providers, "MAX_CONCURRENT", 0)

    with pytest.raises(Unavailable):
        await providers.load_metadata(list_providers()[0])

    assert openid.requests == []
