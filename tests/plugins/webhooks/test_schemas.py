"""The validation of endpoints."""

from comanda.platform.db import sql

ENDPOINTS = "/api/v1/webhook-endpoints"


async def test_duplicate_events_collapse_and_ping_is_accepted(create_endpoint):
    made = await create_endpoint("https://hooks.example.com/in", ["order.created", "ping", "order.*", "order.created"])

    assert made["events"] == ["order.created", "ping", "order.*"]


INVALID_ENDPOINTS = [
    ({"url": "http://hooks.example.com", "events": ["*"]}, "url", "The URL must begin with https://."),
    ({"url": "https://hooks.corp", "events": ["*"]}, "url", None),
    ({"url": "https://10.0.0.1/", "events": ["*"]}, "url", "10.0.0.1 is not a public address."),
    ({"url": "https://169.254.169.254/", "events": ["*"]}, "url", "169.254.169.254 is not a public address."),
    ({"url": "nonsense", "events": ["*"]}, "url", "Give a full URL that begins with https:// and a host name."),
    ({"events": ["*"]}, "url", "This field is required."),
    ({"url": "https://hooks.example.com", "events": []}, "events", "Must contain at least 1 event, or * for all."),
    (
        {"url": "https://hooks.example.com", "events": ["order.create"]},
        "events",
        "Unknown event order.create. Did you mean order.created?",
    ),
    ({"url": "https://hooks.example.com"}, "events", "This field is required."),
    ({"url": "https://hooks.example.com", "events": "*"}, "events", "Must be a list."),
    ({"url": "https://hooks.example.com", "events": [1]}, "events.0", "Must be a string."),
]


async def test_invalid_endpoint_returns_422(client, owner, subtests):
    for body, field, sentence in INVALID_ENDPOINTS:
        with subtests.test(body=body, field=field, sentence=sentence):
            response = await client.post(ENDPOINTS, json=body, headers=owner.auth)

            assert response.status_code == 422
            errors = (await response.get_json())["errors"]
            assert list(errors) == [field]
            assert sentence is None or errors[field] == [sentence]
            assert await sql.fetch_value("SELECT count(*) FROM webhooks_endpoint WHERE owner_id = $1", owner.id) == 0
