"""Settings of the authorization server."""

import pytest
from comanda.basics.startup_errors import InvalidSettings
from comanda.platform import read_settings
from comanda_oauth.settings import OAuthSettings


def test_registration_is_off_unless_set(monkeypatch):
    assert not read_settings(OAuthSettings, "COMANDA_OAUTH_").registration
    monkeypatch.setenv("COMANDA_OAUTH_REGISTRATION", "1")
    assert read_settings(OAuthSettings, "COMANDA_OAUTH_").registration


def test_limit_of_zero_requests_stops_the_startup(monkeypatch):
    monkeypatch.setenv("COMANDA_OAUTH_REQUESTS_PER_MINUTE", "0")

    with pytest.raises(InvalidSettings, match="REQUESTS_PER_MINUTE"):
        read_settings(OAuthSettings, "COMANDA_OAUTH_")
