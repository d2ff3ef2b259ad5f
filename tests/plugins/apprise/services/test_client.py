"""Messages through the library: what a service receives, and what becomes of its answers."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import requests
from comanda.contracts import OutgoingMessage, Undeliverable
from comanda_apprise.services import client

# One complete URL of each service for owners, and the host that it leads to.
OWN_SERVICES = {
    "46elks://user:pass@15550001111/{to}": "api.46elks.com",
    "bulksms://token:secret@{to}": "api.bulksms.com",
    f"clicksend://user:{'a' * 30}@{{to}}": "rest.clicksend.com",
    f"msgbird://{'a' * 25}/15550001111/{{to}}": "rest.messagebird.com",
    f"seven://{'a' * 25}/{{to}}": "gateway.seven.io",
    f"sinch://{'a' * 32}:{'b' * 32}@15550001111/{{to}}": "us.sms.api.sinch.com",
    "telnyx://KEY0123456789@15550001111/{to}": "api.telnyx.com",
    f"twilio://AC{'0' * 32}:{'1' * 32}@15550001111/{{to}}": "api.twilio.com",
    f"vonage://abcdef12:{'a' * 16}@15550001111/{{to}}": "rest.nexmo.com",
}
CODE = OutgoingMessage("sms", "+351911111111", "Your code is 834112.")


@pytest.fixture
def requests_sent(monkeypatch):
    """What the library would send, with its options; every request is answered with 401."""
    sent = []

    def record(_session, request, **options):
        sent.append((request, options))
        response = requests.Response()
        response.status_code, response._content = 401, b"{}"
        return response

    monkeypatch.setattr(requests.Session, "send", record)
    return sent


def test_each_service_for_owners_is_tried_here():
    assert {url.partition("://")[0] for url in OWN_SERVICES} == set(client.MODULES)


@pytest.mark.parametrize("url", OWN_SERVICES)
async def test_service_for_owners_has_one_host(url, requests_sent):
    assert await client.is_usable_by_owner(url)
    with pytest.raises(client.ServiceRefused, match="answered 401"):
        await client.send_as_owner(url, CODE)

    [(request, options)] = requests_sent
    parts = urlsplit(request.url)
    assert (parts.scheme, parts.netloc) == ("https", OWN_SERVICES[url])
    assert options["allow_redirects"] is False
    assert options["verify"]
    assert "351911111111" in str(request.body)


@pytest.mark.parametrize("scheme", sorted(client.MODULES))
@pytest.mark.parametrize(
    "rest",
    [
        "127.0.0.1/{to}",
        "user:secret@127.0.0.1:6379/{to}",
        "user:secret@169.254.169.254/latest/{to}",
        "..%2F..%2F127.0.0.1:secret@evil.example/{to}",
        "evil.example%2F:secret@{to}",
        f"AC{'0' * 32}%40evil.example%2F:{'1' * 32}@15550001111/{{to}}",
        f"{'a' * 32}.evil.example:{'b' * 32}@15550001111/{{to}}",
        f"{'a' * 25}/evil.example%2F/{{to}}",
    ],
)
async def test_no_part_of_a_url_changes_the_host(scheme, rest, requests_sent):
    with suppress(client.ServiceRefused, Undeliverable):
        await client.send_as_owner(f"{scheme}://{rest}", CODE)

    hosts = {urlsplit(request.url).netloc for request, _ in requests_sent}
    assert hosts <= {OWN_SERVICES[url] for url in OWN_SERVICES if url.startswith(f"{scheme}://")}


async def test_url_of_another_service_sends_nothing(requests_sent):
    assert not await client.is_usable_by_owner("json://127.0.0.1:6379/{to}")
    with pytest.raises(client.ServiceRefused, match="not valid"):
        await client.send_as_owner("json://127.0.0.1:6379/{to}", CODE)

    assert requests_sent == []


async def test_number_that_a_service_does_not_take_is_not_sent_to_its_own(requests_sent):
    url = next(url for url in OWN_SERVICES if url.startswith("twilio"))

    with pytest.raises(Undeliverable, match="does not take this recipient"):
        await client.send_as_owner(url, OutgoingMessage("sms", "1234", "Your code is 834112."))

    assert requests_sent == []


async def test_message_arrives_with_its_recipient(service):
    await client.send(service.url, CODE)

    [(path, document)] = service.received
    assert path == "/messages/+351911111111"
    assert document["message"] == CODE.text


@pytest.mark.parametrize(
    ("status", "error", "sentence"),
    [
        (422, Undeliverable, "The service refuses the message: 422."),
        (503, client.ServiceRefused, "The service answered 503."),
        (307, client.ServiceRefused, "The service answered 307."),
    ],
)
async def test_refusal_is_a_sentence_without_the_number(service, status, error, sentence):
    service.status = status

    with pytest.raises(error) as raised:
        await client.send(service.url, CODE)

    assert str(raised.value) == sentence
    assert len(service.received) == 1


async def test_service_that_is_not_there_is_tried_again_later():
    with pytest.raises(client.ServiceRefused, match="could not be reached"):
        await client.send("json://127.0.0.1:1/{to}", CODE)


async def test_concurrent_messages_do_not_hear_of_each_others_errors(service):
    refused = [client.send("json://127.0.0.1:1/{to}", CODE) for _ in range(5)]
    service.status = 503
    answered = [client.send(service.url, CODE) for _ in range(5)]

    errors = await asyncio.gather(*refused, *answered, return_exceptions=True)

    assert [str(error).startswith("The service could not") for error in errors] == [True] * 5 + [False] * 5
