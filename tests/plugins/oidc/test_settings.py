"""The operator's settings."""

import pytest
from comanda_oidc.settings import OidcSettings, Provider
from pydantic import ValidationError

GOOD = {
    "code": "works",
    "name": "Works",
    "issuer": "https://login.works.example",
    "client_id": "comanda",
    "client_secret": "very secret",
}


@pytest.mark.parametrize(
    "fields",
    [
        {"code": "../x"},
        {"code": "Ä"},
        {"name": ""},
        {"issuer": "login.works.example"},
        {"issuer": "https://x.example?tenant=1"},
        {"email_domains": ["@works.example"]},
        {"email_domains": ["*"]},
        {"scopes": "admin"},
        {"issuer": "https://accounts.google.com"},
        {"issuer": "https://login.microsoftonline.com/common/v2.0"},
    ],
)
def test_provider_that_is_not_complete_is_refused(fields):
    with pytest.raises(ValidationError) as raised:
        Provider(**{**GOOD, **fields})

    assert "very secret" not in str(raised.value)


def test_public_provider_needs_domains():
    with pytest.raises(ValidationError, match="Anybody can have an account at"):
        Provider(**{**GOOD, "issuer": "https://accounts.google.com"})

    assert Provider(**{**GOOD, "issuer": "https://accounts.google.com", "email_domains": ["Works.example"]}).is_allowed(
        "ana@works.example"
    )


def test_providers_have_codes_and_issuers_of_their_own():
    for other in ({"issuer": "https://b.example"}, {"code": "b"}):
        with pytest.raises(ValidationError):
            OidcSettings(providers=[GOOD, {**GOOD, **other}])
    with pytest.raises(ValidationError, match="at most 5"):
        OidcSettings(providers=[{**GOOD, "code": f"c{n}", "issuer": f"https://{n}.example"} for n in range(6)])
