"""Programs that register themselves, where the operator permits it."""

import pytest
from comanda.platform.db import sql
from comanda_oauth.settings import OAuthSettings

BODY = {"client_name": "Agent", "redirect_uris": ["http://127.0.0.1:8080/cb"], "scope": "menu:read offline_access"}


@pytest.fixture
def permitted(monkeypatch):
    monkeypatch.setattr(
        "comanda_oauth.settings.get_settings", lambda: OAuthSettings(registration=True, requests_per_minute=1_000_000)
    )


async def test_registration_is_off_by_default(client):
    assert (await client.post("/oauth/register", json=BODY)).status_code == 404


@pytest.mark.usefixtures("permitted")
async def test_registered_client_is_public(client):
    response = await client.post("/oauth/register", json=BODY)

    made = await response.get_json()
    assert (response.status_code, made["scope"], made["token_endpoint_auth_method"]) == (201, "menu:read", "none")
    assert "client_secret" not in made
    row = await sql.fetch_one("SELECT kind, owner_id FROM oauth_client WHERE client_id = $1", made["client_id"])
    assert tuple(row) == ("public", 0)


@pytest.mark.usefixtures("permitted")
@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/#x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://a.example/"}, "invalid_redirect_uri"),
        ({"grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({"response_types": ["token"]}, "invalid_client_metadata"),
        ({"token_endpoint_auth_method": "client_secret_basic"}, "invalid_client_metadata"),
        ([], "invalid_client_metadata"),
    ],
)
async def test_wrong_metadata_is_refused(client, body, error):
    before = await sql.fetch_value("SELECT count(*) FROM oauth_client")

    response = await client.post("/oauth/register", json={**BODY, **body} if isinstance(body, dict) else body)

    assert (response.status_code, (await response.get_json())["error"]) == (400, error)
    assert await sql.fetch_value("SELECT count(*) FROM oauth_client") == before


@pytest.mark.usefixtures("permitted")
@pytest.mark.parametrize("name", ["Bank\x00", "Bank\u202eknaB"])
async def test_name_that_deceives_or_cannot_be_stored_is_refused(client, name):
    before = await sql.fetch_value("SELECT count(*) FROM oauth_client")

    response = await client.post("/oauth/register", json={**BODY, "client_name": name})

    assert (response.status_code, (await response.get_json()).get("error")) == (400, "invalid_client_metadata")
    assert await sql.fetch_value("SELECT count(*) FROM oauth_client") == before
