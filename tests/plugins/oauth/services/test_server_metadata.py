"""Metadata of the authorization server and of its resources."""

import pytest
from comanda.basics import NotFound
from comanda_oauth.services import resources
from comanda_oauth.services.server_metadata import describe_resource, describe_server
from comanda_oauth.settings import OAuthSettings


def test_issuer_is_the_site_and_endpoints_are_below_it(runtime):
    described = describe_server()

    assert described["issuer"] == runtime.settings.site_url
    endpoints = [value for name, value in described.items() if name.endswith("_endpoint")]
    assert len(endpoints) == 4
    assert all(endpoint.startswith(f"{runtime.settings.site_url}/oauth/") for endpoint in endpoints)


def test_registration_is_described_only_where_it_is_on(app, monkeypatch):
    assert "registration_endpoint" not in describe_server()
    monkeypatch.setattr("comanda_oauth.settings.get_settings", lambda: OAuthSettings(registration=True))
    assert str(describe_server()["registration_endpoint"]).endswith("/oauth/register")


def test_each_resource_names_the_server(runtime):
    for path in resources.list_paths():
        described = describe_resource(path)
        assert described["authorization_servers"] == [runtime.settings.site_url]
        assert described["resource"] == resources.to_address(path)
    with pytest.raises(NotFound):
        describe_resource("/unknown")
