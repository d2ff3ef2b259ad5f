"""Registering, changing, rotating and deleting clients."""

import pytest
from comanda.basics import NotFound, ValidationFailed
from comanda.platform.db import sql
from comanda_oauth import api
from comanda_oauth.models import Client
from comanda_oauth.services.clients import client_secrets


async def test_secret_is_shown_once_and_stored_encrypted(create_client, developer):
    issued = await create_client()

    stored = await sql.fetch_one("SELECT * FROM oauth_client WHERE client_id = $1", issued.client.client_id)
    assert stored["secret"].startswith("enc1.")
    assert issued.secret not in repr(issued)
    assert await api.client_signing_key(developer.id, issued.client.id) == issued.secret
    assert await api.get_client(developer.id, issued.client.id) == issued.client


async def test_public_client_has_no_secret(create_client, developer):
    issued = await create_client(kind=api.ClientKind.PUBLIC)

    assert issued.secret is None
    with pytest.raises(NotFound):
        await api.client_signing_key(developer.id, issued.client.id)
    with pytest.raises(ValidationFailed):
        await api.rotate_secret(developer.id, issued.client.id)


async def test_client_of_another_developer_is_not_found(create_client, owner):
    issued = await create_client()

    for attempt in (
        api.get_client(owner.id, issued.client.id),
        api.update_client(owner.id, issued.client.id, api.ClientChanges(name="Mine")),
        api.rotate_secret(owner.id, issued.client.id),
        api.client_signing_key(owner.id, issued.client.id),
        api.delete_client(owner.id, issued.client.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await api.get_client(issued.client.owner_id, issued.client.id) == issued.client


async def test_old_secret_is_valid_for_a_day_after_rotation(create_client, developer, clock):
    issued = await create_client()

    rotated = await api.rotate_secret(developer.id, issued.client.id)

    row = await Client.get(id=issued.client.id)
    valid = [client_secrets.is_valid_secret(row, secret, clock()) for secret in (issued.secret, rotated, "secret_x")]
    clock.advance(hours=24)
    later = [client_secrets.is_valid_secret(row, secret, clock()) for secret in (issued.secret, rotated)]
    assert (valid, later) == ([True, True, False], [False, True])
    assert await api.client_signing_key(developer.id, issued.client.id) == rotated


async def test_changes_leave_other_fields(create_client, developer):
    issued = await create_client()

    changed = await api.update_client(
        developer.id, issued.client.id, api.ClientChanges(name="  Loyalty   2 ", scopes=("restaurant:read",))
    )

    assert (changed.name, changed.scopes) == ("Loyalty 2", ("restaurants:read",))
    assert changed.redirect_uris == issued.client.redirect_uris
    assert await api.client_signing_key(developer.id, issued.client.id) == issued.secret


INVALID_CLIENTS = [
    ("scopes", ("drivers:read",)),
    ("scopes", ("*",)),
    ("name", "  "),
    ("name", "Bank\u2066"),
    ("name", "\u200b"),
    ("name", "a\x07b"),
    ("logo_url", "http://example.com/logo.png"),
    ("logo_url", "https://a.example;frame-ancestors/logo.png"),
    ("logo_url", "https://a.example *;frame-ancestors *"),
    ("redirect_uris", ("https://a.example;script-src/cb",)),
    ("redirect_uris", ("https://a.example,/cb",)),
    ("redirect_uris", ()),
]


async def test_invalid_client_is_refused(create_client, developer, subtests):
    for field, value in INVALID_CLIENTS:
        with subtests.test(field=field, value=value):
            with pytest.raises(ValidationFailed) as refused:
                await create_client(**{field: value})

            assert list(refused.value.errors) == [field]
            assert await Client.filter(owner_id=developer.id).count() == 0


async def test_deleted_client_is_gone(create_client, developer):
    issued = await create_client()

    await api.delete_client(developer.id, issued.client.id)

    assert await api.list_clients(developer.id, [issued.client.id]) == {}
    assert (await Client.get(id=issued.client.id)).secret == ""
