"""Signing secrets and their rotation."""

import pytest

ENDPOINTS = "/api/v1/webhook-endpoints"


async def test_rotated_secret_is_valid_for_a_day(
    client, owner, inbox, create_endpoint, emit_events, sender, clock, build_path
):
    made = await create_endpoint(inbox.url)

    rotated = await (await client.post(build_path(made, "/rotate-secret"), headers=owner.auth)).get_json()
    await emit_events()
    await sender.process_all_due()

    [received] = inbox.received
    assert rotated["secret"] != made["secret"]
    assert len(received.headers["webhook-signature"].split(" ")) == 2
    assert received.verify(rotated["secret"]) == received.verify(made["secret"])
    clock.advance(hours=24, seconds=1)
    await emit_events()
    await sender.process_all_due()
    assert len(inbox.received[-1].headers["webhook-signature"].split(" ")) == 1


async def test_at_most_two_old_secrets_are_kept(client, owner, inbox, create_endpoint, emit_events, sender, build_path):
    made = await create_endpoint(inbox.url)
    secrets = [made["secret"]]
    for _ in range(3):
        rotated = await (await client.post(build_path(made, "/rotate-secret"), headers=owner.auth)).get_json()
        secrets.append(rotated["secret"])
    await emit_events()

    await sender.process_all_due()

    [received] = inbox.received
    assert len(received.headers["webhook-signature"].split(" ")) == 3
    assert all(received.verify(secret) for secret in secrets[1:])
    with pytest.raises(Exception, match="No matching signature"):
        received.verify(secrets[0])


async def test_secrets_are_not_logged(client, owner, create_endpoint, capfd, build_path):
    made = await create_endpoint("https://hooks.example.com/in")
    rotated = await (await client.post(build_path(made, "/rotate-secret"), headers=owner.auth)).get_json()

    out, err = capfd.readouterr()
    for secret in (made["secret"], rotated["secret"]):
        assert secret not in out + err
