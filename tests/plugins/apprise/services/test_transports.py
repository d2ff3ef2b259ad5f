"""Messages of the queue through the service of their owner, or else the operator's."""

import asyncio
import json

from comanda.devkit.testing import Installation
from comanda_notifications.api import OutgoingMessage
from comanda_notifications.services.sender import find_transport, send_test_message

URL = "bulksms://token:secret@{to}"


async def test_message_goes_through_the_owners_service_first(app, client, owner, other_owner, service):
    path = "/api/v1/sms-service"
    assert (await client.put(path, headers=owner.auth, json={"url": URL})).status_code == 200
    message = OutgoingMessage("sms", "+351911111111", "Ready.")

    names = [
        (await find_transport(OutgoingMessage("sms", message.to, message.text, owner_id=id))).name
        for id in (owner.id, other_owner.id, None)
    ]

    assert names == ["sms_own_service", "sms_service", "sms_service"]


async def test_own_service_is_called_with_the_stored_url(client, owner, service, monkeypatch):
    calls = []

    async def record(url, message):
        calls.append((url, message.to, message.text))

    monkeypatch.setattr("comanda_apprise.services.client.send_as_owner", record)
    await client.put("/api/v1/sms-service", headers=owner.auth, json={"url": URL})
    message = OutgoingMessage("sms", "+351911111111", "Ready.", owner_id=owner.id)

    await (await find_transport(message)).send(message)

    assert calls == [(URL, "+351911111111", "Ready.")]
    assert service.received == []


async def test_test_message_goes_through_the_operators_service(service):
    outcome = await send_test_message("sms", "+351 912 345 678")

    assert (outcome.status, outcome.transport, outcome.error) == ("sent", "sms_service", None)
    assert service.received[0][0] == "/messages/+351912345678"


async def test_command_prints_the_answer_of_the_service(service, settings):
    there = {"DATABASE_URL": settings.database_url, "COMANDA_APPRISE_SMS_URL": service.url}
    installation = Installation(settings.data, there)

    async def run():
        return await asyncio.to_thread(
            installation.run, "messages", "test", "sms", "+351912345678", "--json", COMANDA_DEVELOPMENT="1"
        )

    accepted = await run()
    service.status = 401
    refused = await run()

    assert (accepted.returncode, json.loads(accepted.stdout)["transport"]) == (0, "sms_service"), accepted.stderr
    assert (refused.returncode, json.loads(refused.stdout)["error"]) == (1, "The service answered 401.")
