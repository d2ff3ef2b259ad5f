"""The SMS service of an owner: connected, never read back, disconnected."""

import pytest
from comanda.platform.db import sql

PATH = "/api/v1/sms-service"
URL = f"twilio://AC{'0' * 32}:{'1' * 32}@+15017122661/{{to}}"


@pytest.fixture
def call(client, owner):
    async def send(method, document=None):
        response = await client.open(PATH, method=method, headers=owner.auth, json=document)
        return response.status_code, await response.get_json() if response.status_code != 204 else None

    return send


async def test_service_is_connected_replaced_and_disconnected(call, owner):
    _, before = await call("GET")
    connected = await call("PUT", {"url": URL})
    _, replaced = await call("PUT", {"url": "bulksms://token:secret@{to}"})
    stored = await sql.fetch("SELECT service, url FROM apprise_sms_service WHERE owner_id = $1", owner.id)
    disconnected = await call("DELETE")
    again = await call("DELETE")
    left = await sql.fetch_value("SELECT count(*) FROM apprise_sms_service WHERE owner_id = $1", owner.id)

    assert before["service"] is None
    assert (connected[0], connected[1]["service"], replaced["service"]) == (200, "twilio", "bulksms")
    assert "1" * 32 not in str(connected)
    assert [row["service"] for row in stored] == ["bulksms"]
    assert "secret" not in stored[0]["url"]
    assert (disconnected[0], again[0]) == (204, 204)
    assert left == 0


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("json://127.0.0.1:6379/{to}", "Must begin with one of"),
        ("JSON://127.0.0.1/{to}", "Must begin with one of"),
        (f"{URL}?verify=no", "Must have neither"),
        (f"{URL}?redirect=yes", "Must have neither"),
        (URL.replace("/{to}", ""), "Must contain {to} once"),
        (f"{URL}/{{to}}", "Must contain {to} once"),
        (f"{URL}/+351999999999", "not a complete URL"),
        ("twilio://{to}", "not a complete URL"),
        ("sinch://{to}", "not a complete URL"),
        ("46elks://[::1/{to}", "not a complete URL"),
    ],
)
async def test_unsafe_or_incomplete_url_is_refused(call, url, sentence):
    status, answer = await call("PUT", {"url": url})

    assert status == 422
    assert sentence in answer["errors"]["url"][0]
    assert (await call("GET"))[1]["service"] is None
