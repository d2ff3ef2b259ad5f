"""Endpoints over the API: made, shown, changed, paused, deleted, and never another owner's."""

import asyncio
from datetime import timedelta

import pytest
from comanda.db import sql
from comanda_webhooks import tasks
from comanda_webhooks.services.endpoints import MAX_ENDPOINTS
from comanda_webhooks.services.event_catalogue import SPECIFIED_EVENTS
from comanda_webhooks.services.signing_secrets import decrypt_secret

ENDPOINTS = "/api/v1/webhook-endpoints"


def path(endpoint, rest=""):
    return f"{ENDPOINTS}/{endpoint['id']}{rest}"


async def test_the_secret_is_shown_on_creation_and_never_again(client, owner, subscribe):
    made = await subscribe("https://hooks.example.com/in", ["order.created", "subscription.*", "order.created"][:1])

    shown = await (await client.get(path(made), headers=owner.auth)).get_json()
    listed = await (await client.get(ENDPOINTS, headers=owner.auth)).get_json()

    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert shown == made
    assert listed["data"] == [made]
    assert shown == {
        "id": made["id"],
        "url": "https://hooks.example.com/in",
        "events": ["order.created"],
        "scopes": ["*"],
        "is_paused": False,
        "disabled_reason": None,
        "last_success_at": None,
        "last_failure_at": None,
        "failure_count": 0,
        "created_at": made["created_at"],
    }


async def test_repeated_events_collapse_and_ping_is_accepted(subscribe):
    made = await subscribe("https://hooks.example.com/in", ["order.created", "ping", "order.*", "order.created"])

    assert made["events"] == ["order.created", "ping", "order.*"]


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
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
    ],
)
async def test_what_will_not_do_is_refused_with_a_sentence(client, owner, body, field, sentence):
    response = await client.post(ENDPOINTS, json=body, headers=owner.auth)

    assert response.status_code == 422
    errors = (await response.get_json())["errors"]
    assert list(errors) == [field]
    assert sentence is None or errors[field] == [sentence]
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_endpoint WHERE owner_id = $1", owner.id) == 0


async def test_every_event_of_the_specification_may_be_subscribed_to(client, owner, subscribe):
    names = sorted(SPECIFIED_EVENTS)
    assert len(names) == 25

    made = await subscribe("https://hooks.example.com/in", [*names, "subscription.*", "app.*", "entitlement.*"])

    assert made["events"] == [*names, "subscription.*", "app.*", "entitlement.*"]
    for name in ("subscription.cancelled", "invoice.*", "order.create"):
        refused = await client.post(
            ENDPOINTS, json={"url": "https://hooks.example.com/in", "events": [name]}, headers=owner.auth
        )
        assert refused.status_code == 422


async def test_both_faults_are_told_at_once(client, owner):
    response = await client.post(ENDPOINTS, json={"url": "ftp://x", "events": ["no.such"]}, headers=owner.auth)

    assert set((await response.get_json())["errors"]) == {"url", "events"}


async def test_a_change_leaves_the_rest_and_the_secret_alone(client, owner, subscribe):
    made = await subscribe("https://hooks.example.com/in", ["order.created"])

    response = await client.patch(path(made), json={"events": ["menu.*"]}, headers=owner.auth)

    secret = made.pop("secret")
    assert await response.get_json() == {**made, "events": ["menu.*"]}
    stored = await sql.fetch_value("SELECT secret FROM webhooks_endpoint WHERE id = $1", made["id"])
    assert decrypt_secret(stored, owner.id, made["id"]) == secret


async def test_a_wrong_change_changes_nothing(client, owner, subscribe):
    made = await subscribe("https://hooks.example.com/in", ["order.created"])

    response = await client.patch(
        path(made), json={"paused": True, "events": ["no.such"], "url": "https://10.1.1.1/"}, headers=owner.auth
    )

    assert response.status_code == 422
    shown = await (await client.get(path(made), headers=owner.auth)).get_json()
    assert shown == {key: value for key, value in made.items() if key != "secret"}


@pytest.mark.parametrize("field", ["paused", "is_paused"])
async def test_pausing_stops_deliveries_and_resuming_lets_waiting_ones_go(
    client, owner, inbox, subscribe, happen, sender, rows, field
):
    made = await subscribe(inbox.url)
    await happen(count=2)

    paused = await (await client.patch(path(made), json={field: True}, headers=owner.auth)).get_json()
    await happen()
    assert await sender.send_due() == 0
    resumed = await (await client.patch(path(made), json={field: False}, headers=owner.auth)).get_json()
    assert await sender.send_due() == 2

    assert (paused["is_paused"], resumed["is_paused"]) == (True, False)
    assert len(await rows(made)) == len(inbox.received) == 2
    assert all(received.verify(made["secret"]) for received in inbox.received)


async def test_resuming_clears_what_was_counted(client, owner, subscribe):
    made = await subscribe("https://hooks.example.com/in")
    await sql.execute(
        """UPDATE webhooks_endpoint SET is_paused = true, disabled_reason = 'failing', failure_count = 12,
           failing_since = now(), warned_at = now() WHERE id = $1""",
        made["id"],
    )

    resumed = await (await client.patch(path(made), json={"paused": False}, headers=owner.auth)).get_json()

    assert (resumed["is_paused"], resumed["disabled_reason"], resumed["failure_count"]) == (False, None, 0)
    row = await sql.fetch_one("SELECT failing_since, warned_at FROM webhooks_endpoint WHERE id = $1", made["id"])
    assert tuple(row) == (None, None)


async def test_a_deleted_endpoint_is_gone_and_gets_nothing(client, owner, inbox, subscribe, happen, sender):
    made = await subscribe(inbox.url)
    await happen()

    response = await client.delete(path(made), headers=owner.auth)

    assert response.status_code == 204
    await happen()
    assert await sender.send_due() == 0
    assert (await client.get(path(made), headers=owner.auth)).status_code == 404
    assert (await client.delete(path(made), headers=owner.auth)).status_code == 404
    assert (await (await client.get(ENDPOINTS, headers=owner.auth)).get_json())["data"] == []
    row = await sql.fetch_one("SELECT url, secret, old_secrets FROM webhooks_endpoint WHERE id = $1", made["id"])
    assert tuple(row) == ("", "", "")


async def test_two_requests_at_once_do_not_pass_the_limit(client, owner, subscribe):
    for number in range(MAX_ENDPOINTS - 1):
        await subscribe(f"https://hooks.example.com/{number}")

    body = {"url": "https://hooks.example.com/last", "events": ["*"]}
    answers = await asyncio.gather(*(client.post(ENDPOINTS, json=body, headers=owner.auth) for _ in range(3)))

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    refused = await next(answer for answer in answers if answer.status_code == 409).get_json()
    assert (refused["code"], refused["limits"]) == ("conflict", {"webhook_endpoints": MAX_ENDPOINTS})


async def test_after_a_rotation_both_secrets_verify_for_a_day(client, owner, inbox, subscribe, happen, sender, clock):
    made = await subscribe(inbox.url)

    rotated = await (await client.post(path(made, "/rotate-secret"), headers=owner.auth)).get_json()
    await happen()
    await sender.send_due()

    [received] = inbox.received
    assert rotated["secret"] != made["secret"]
    assert len(received.headers["webhook-signature"].split(" ")) == 2
    assert received.verify(rotated["secret"]) == received.verify(made["secret"])
    clock.advance(hours=24, seconds=1)
    await happen()
    await sender.send_due()
    assert len(inbox.received[-1].headers["webhook-signature"].split(" ")) == 1


async def test_at_most_two_old_secrets_live(client, owner, inbox, subscribe, happen, sender):
    made = await subscribe(inbox.url)
    secrets = [made["secret"]]
    for _ in range(3):
        rotated = await (await client.post(path(made, "/rotate-secret"), headers=owner.auth)).get_json()
        secrets.append(rotated["secret"])
    await happen()

    await sender.send_due()

    [received] = inbox.received
    assert len(received.headers["webhook-signature"].split(" ")) == 3
    assert all(received.verify(secret) for secret in secrets[1:])
    with pytest.raises(Exception, match="No matching signature"):
        received.verify(secrets[0])


async def test_another_owners_endpoint_looks_missing_and_stays_as_it_is(client, owner, other_owner, subscribe, happen):
    foreign = await subscribe("https://hooks.example.com/in", auth=other_owner.auth)
    await happen(of=other_owner)
    delivery = await sql.fetch_value("SELECT id FROM webhooks_delivery WHERE endpoint_id = $1", foreign["id"])
    await sql.execute(
        "UPDATE webhooks_delivery SET status = 'failed', finished_at = now(), next_attempt_at = NULL WHERE id = $1",
        delivery,
    )

    async def state():
        return [
            [tuple(row) for row in await sql.fetch(f"SELECT * FROM {table} WHERE owner_id = $1", other_owner.id)]
            for table in ("webhooks_endpoint", "webhooks_delivery")
        ]

    before = await state()
    calls = [
        ("GET", "", None),
        ("PATCH", "", {"paused": True}),
        ("PATCH", "", {"events": ["no.such"]}),
        ("DELETE", "", None),
        ("POST", "/test", None),
        ("POST", "/rotate-secret", None),
        ("POST", "/replay", {"since": "2020-01-01T00:00:00Z", "status": "all"}),
        ("GET", "/deliveries", None),
        ("GET", f"/deliveries/{delivery}", None),
        ("POST", f"/deliveries/{delivery}/redeliver", None),
    ]
    for method, rest, body in calls:
        response = await client.open(path(foreign, rest), method=method, json=body, headers=owner.auth)
        assert response.status_code == 404, (method, rest)
        assert (await response.get_json())["code"] == "not_found"

    assert await state() == before
    assert (await (await client.get(ENDPOINTS, headers=owner.auth)).get_json())["total"] == 0


@pytest.mark.parametrize(
    ("method", "rest", "scope"),
    [
        ("GET", "", "webhooks:read"),
        ("GET", "/deliveries", "webhooks:read"),
        ("PATCH", "", "webhooks:write"),
        ("POST", "/test", "webhooks:write"),
        ("POST", "/rotate-secret", "webhooks:write"),
        ("POST", "/replay", "webhooks:write"),
    ],
)
async def test_each_route_wants_its_scope(client, owner, subscribe, method, rest, scope):
    made = await subscribe("https://hooks.example.com/in")
    body = {"since": "2020-01-01T00:00:00Z"} if method != "GET" else None

    allowed = await client.open(path(made, rest), method=method, json=body, headers=await owner.token_with(scope))
    insufficient = await owner.token_with("webhooks:read" if scope == "webhooks:write" else "orders:write")
    refused = await client.open(path(made, rest), method=method, json=body, headers=insufficient)

    assert allowed.status_code in (200, 202)
    assert refused.status_code == 403
    assert (await refused.get_json())["code"] == "forbidden"


async def test_an_endpoint_of_a_suspended_owner_rests_until_the_owner_is_back(
    owner, inbox, subscribe, happen, sender, rows
):
    made = await subscribe(inbox.url)
    await happen()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    await happen()
    assert await sender.send_due() == 0
    await tasks.sweep_endpoints()
    assert await sender.send_due() == 0

    await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", owner.id)
    await tasks.sweep_endpoints()

    assert await sender.send_due() == 1
    assert len(await rows(made)) == 1


async def test_no_secret_is_logged(client, owner, subscribe, capfd):
    made = await subscribe("https://hooks.example.com/in")
    rotated = await (await client.post(path(made, "/rotate-secret"), headers=owner.auth)).get_json()

    out, err = capfd.readouterr()
    for secret in (made["secret"], rotated["secret"]):
        assert secret not in out + err


async def test_times_are_utc(client, owner, subscribe, clock):
    made = await subscribe("https://hooks.example.com/in")

    assert made["created_at"] == clock().isoformat()
    rotated = await (await client.post(path(made, "/rotate-secret"), headers=owner.auth)).get_json()
    assert rotated["old_secret_expires_at"] == (clock() + timedelta(hours=24)).isoformat()
