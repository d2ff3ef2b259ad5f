"""Checks that both grants share."""

from dataclasses import replace

import pytest
from authlib.oauth2.rfc6749 import InvalidClientError, InvalidGrantError
from comanda.platform.db import sql
from comanda_oauth.errors import OAuthError
from comanda_oauth.services.tokens.grant_checks import require_enabled, to_oauth_error


def test_refusals_become_errors_of_ours():
    assert to_oauth_error(InvalidClientError()).status == 401
    refused = to_oauth_error(InvalidGrantError("The code was used."))
    assert (refused.status, refused.error, refused.message) == (400, "invalid_grant", "The code was used.")


async def test_suspended_client_and_owner_are_refused(create_client, owner):
    client = (await create_client()).client
    await require_enabled(client, owner.id)

    with pytest.raises(OAuthError) as failed:
        await require_enabled(replace(client, is_enabled=False), owner.id)
    assert failed.value.error == "unauthorized_client"

    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    with pytest.raises(OAuthError) as failed:
        await require_enabled(client, owner.id)
    assert failed.value.error == "invalid_grant"
