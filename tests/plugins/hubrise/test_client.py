"""Answers of HubRise that are not what its documentation says."""

import pytest
from aiohttp import web
from comanda.platform import runtime as runtime_module
from comanda_hubrise import client
from comanda_hubrise.client import Credentials, HubRiseInvalid, HubRiseRefused, HubRiseUnavailable, open_client
from comanda_hubrise.settings import HubRiseSettings


@pytest.fixture
async def answer(app, monkeypatch):
    """Set what HubRise answers to everything."""
    made = {}

    async def respond(request):
        made["headers"] = dict(request.headers)
        return web.Response(**made["options"])

    server = web.Application()
    server.router.add_route("*", "/{path:.*}", respond)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    monkeypatch.setattr(runtime_module.settings_of(HubRiseSettings), "url", url)

    def set_answer(**options):
        made["options"] = options
        return made

    yield set_answer
    await runner.cleanup()


async def get_order():
    async with open_client(Credentials("token-of-tests")) as hubrise:
        return await hubrise.get_order("o1")


async def test_token_stands_in_its_header(answer):
    made = answer(text='{"id": "o1"}')

    assert await get_order() == {"id": "o1"}
    assert made["headers"]["X-Access-Token"] == "token-of-tests"


@pytest.mark.parametrize(("options", "error"), [
    ({"text": "<html>"}, HubRiseUnavailable),
    ({"text": "[]"}, HubRiseUnavailable),
    ({"text": ""}, HubRiseUnavailable),
    ({"status": 302, "headers": {"Location": "http://169.254.169.254/"}}, HubRiseUnavailable),
    ({"status": 429}, HubRiseUnavailable),
    ({"status": 401}, HubRiseRefused),
    ({"status": 404}, HubRiseInvalid),
    ({"status": 422}, HubRiseInvalid),
])  # fmt: skip
async def test_other_answers_are_errors(answer, options, error):
    answer(**options)

    with pytest.raises(error):
        await get_order()


async def test_answer_that_is_too_large_is_not_read(answer, monkeypatch):
    monkeypatch.setattr(client, "MAX_ANSWER_BYTES", 100)
    answer(text="[" + "1," * 1000 + "1]")

    with pytest.raises(HubRiseUnavailable, match="too large"):
        await get_order()


async def test_hubrise_that_is_not_there_is_unavailable(app, monkeypatch):
    monkeypatch.setattr(runtime_module.settings_of(HubRiseSettings), "url", "http://127.0.0.1:9/v1")

    with pytest.raises(HubRiseUnavailable, match="could not be reached"):
        await get_order()
