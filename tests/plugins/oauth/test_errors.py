"""Errors of the OAuth endpoints."""

from comanda_oauth.errors import AppUnavailable, AuthorizationFailed, OAuthError


def test_error_has_both_forms():
    envelope = OAuthError("invalid_grant", "The code has expired.").envelope()

    assert (envelope["error"], envelope["error_description"]) == ("invalid_grant", "The code has expired.")
    assert (envelope["code"], envelope["message"]) == ("bad_request", "The code has expired.")


def test_unknown_client_is_challenged():
    error = OAuthError("invalid_client")

    assert (error.status, error.code) == (401, "unauthenticated")
    assert error.headers["WWW-Authenticate"] == 'Basic realm="oauth"'
    assert OAuthError("invalid_grant").status == 400


def test_refusals_without_a_redirect():
    assert AppUnavailable().status == 403
    assert AuthorizationFailed("https://app.example.com/?error=access_denied").location.endswith("access_denied")
