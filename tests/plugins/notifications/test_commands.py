"""The commands ``comanda outbox`` and ``comanda messages``."""

import asyncio
import json

from comanda.devkit.testing import Installation
from comanda.platform.db import sql


def test_command_requires_development_mode(app, settings):
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url})

    refused = installation.run("outbox", COMANDA_DEVELOPMENT="0")
    listed = installation.run("outbox", "--to", "nobody@nowhere", "--json", COMANDA_DEVELOPMENT="1")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "Error: Messages can be read in development mode only. Set COMANDA_DEVELOPMENT=1.\n"
    assert (listed.returncode, json.loads(listed.stdout)) == (0, [])


async def test_command_prints_text_and_json(send, settings):
    await send("email", "carla@example.com", "Line one\nline two", subject="Hello")
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url, "COMANDA_DEVELOPMENT": "1"})

    for_people = installation.run("outbox", "--to", "CARLA@")
    for_programs = installation.run("outbox", "--to", "CARLA@", "--json")

    [message] = json.loads(for_programs.stdout)
    assert (message["address"], message["text"], message["status"]) == (
        "carla@example.com",
        "Line one\nline two",
        "pending",
    )
    head, *text = for_people.stdout.splitlines()
    assert head.split()[1:] == ["email", "carla@example.com", "pending"]
    assert text == ["    Hello: Line one", "    line two"]


async def test_test_message_tells_what_the_server_answered(mail_server, settings):
    there = {
        "DATABASE_URL": settings.database_url,
        "COMANDA_DEVELOPMENT": "1",
        "COMANDA_NOTIFICATIONS_SMTP_URL": mail_server.url,
        "COMANDA_NOTIFICATIONS_EMAIL_FROM": "Comanda <no-reply@comanda.test>",
    }
    installation = Installation(settings.data, there)
    before = await sql.fetch_value("SELECT count(*) FROM notifications_message")

    async def run(*arguments):
        return await asyncio.to_thread(installation.run, "messages", "test", *arguments)

    accepted = await run("email", "ana@example.com")
    mail_server.refusals["RCPT"] = "550 No such user"
    refused = await run("email", "nobody@example.com", "--json")
    unconfigured = await run("sms", "+351 912 345 678")
    mistyped = await run("email", "nobody")

    assert (accepted.returncode, accepted.stdout.startswith("Accepted by smtp in ")) == (0, True), accepted.stderr
    assert mail_server.latest["Subject"] == "Test message"
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["error"] == "The mail server refuses the address: 550 No such user"
    assert unconfigured.returncode == 1
    assert unconfigured.stderr.startswith("Error: Not sent: No mail server or gateway is configured for it; ")
    assert (mistyped.returncode, mistyped.stderr) == (1, "Error: to: Must be an address of this channel.\n")
    assert await sql.fetch_value("SELECT count(*) FROM notifications_message") == before
