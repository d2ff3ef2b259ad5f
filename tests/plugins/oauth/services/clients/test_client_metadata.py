"""Metadata of clients that describe themselves."""

import pytest
from comanda.basics import ValidationFailed
from comanda_oauth import scopes
from comanda_oauth.models import ClientKind
from comanda_oauth.services.clients.client_metadata import DEFAULT_NAME, parse_metadata

REDIRECTS = {"redirect_uris": ["https://app.example.com/callback"]}


def test_client_is_public_and_keeps_known_scopes():
    client = parse_metadata({**REDIRECTS, "client_name": "Agent", "scope": "menu:read billing:write"})

    assert client.kind is ClientKind.PUBLIC
    assert (client.name, client.scopes) == ("Agent", ("menu:read",))
    assert client.redirect_uris == ("https://app.example.com/callback",)


def test_defaults_of_what_is_left_out():
    client = parse_metadata({**REDIRECTS, "client_name": " ", "logo_uri": "http://app.example.com/logo.png"})

    assert (client.name, client.scopes, client.logo_url) == (DEFAULT_NAME, scopes.NAMES, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("grant_types", ["client_credentials"]),
        ("grant_types", "authorization_code"),
        ("response_types", ["token"]),
        ("token_endpoint_auth_method", "client_secret_basic"),
        ("redirect_uris", [1]),
    ],
)
def test_unsupported_metadata_is_refused_by_field(field, value):
    with pytest.raises(ValidationFailed) as failed:
        parse_metadata({**REDIRECTS, field: value})

    assert list(failed.value.errors) == [field]
