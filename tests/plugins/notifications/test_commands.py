"""The command ``comanda outbox``."""

import json

from comanda.devkit.testing.processes import Installation


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
