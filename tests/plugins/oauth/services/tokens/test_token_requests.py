"""Requests of clients: forms, JSON and who they say they are."""

from base64 import b64encode

import pytest
from comanda_oauth.errors import OAuthError
from comanda_oauth.services.tokens.token_requests import parse_request

FORM = "application/x-www-form-urlencoded"


def test_form_and_json_are_the_same():
    form = parse_request(b"grant_type=x&client_id=a&expiring=1&scope=", f"{FORM}; charset=utf-8", None)
    json = parse_request(
        b'{"grant_type": "x", "client_id": "a", "expiring": true, "scope": null}', "application/json", None
    )

    for request in (form, json):
        assert (request.client_id, request.get("grant_type"), request.get("expiring")) == ("a", "x", "1")
        assert (request.get("scope"), request.get("missing")) == (None, None)


def test_basic_names_the_client():
    header = f"Basic {b64encode(b'a%3Ab:s').decode()}"

    assert parse_request(b"", FORM, header).client_id == "a:b"
    assert parse_request(b"client_id=a:b", FORM, header).client_id == "a:b"
    assert parse_request(b"client_id=x", FORM, "Bearer token").client_id == "x"


@pytest.mark.parametrize("body", [b"client_id=other", b"client_secret=s", b"code=1&code=2"])
def test_contradictions_are_refused(body):
    with pytest.raises(OAuthError) as refused:
        parse_request(body, FORM, f"Basic {b64encode(b'a:s').decode()}")

    assert refused.value.error == "invalid_request"


def test_secrets_are_not_shown():
    request = parse_request(b"client_id=a&client_secret=hidden", FORM, None)

    assert "hidden" not in repr(request)
