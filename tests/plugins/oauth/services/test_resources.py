"""Resources that tokens are limited to, and where such tokens are valid."""

import pytest
from comanda_oauth.errors import OAuthError
from comanda_oauth.services.resources import accepts, normalize, to_address

SITE = "http://comanda.test"


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("resource", "path"),
    [(None, None), ("", None), (SITE, "/"), (f"{SITE}/", "/"), (f"{SITE}/mcp", "/mcp"), (f"{SITE}/api/v1", "/api/v1")],
)
def test_resources_of_this_host(resource, path):
    assert normalize(resource) == path
    assert to_address(path).rstrip("/") == (resource or SITE).rstrip("/")


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    "resource", ["https://elsewhere.example", f"{SITE}.evil.example", f"{SITE}/mcp/catalog", "/mcp", f"{SITE}/mcp?x"]
)
def test_other_resources_are_refused(resource):
    with pytest.raises(OAuthError) as refused:
        normalize(resource)

    assert refused.value.error == "invalid_target"


@pytest.mark.parametrize(
    ("resource", "path", "expected"),
    [
        (None, "/mcp", True),
        ("/", "/api/app/usage", True),
        ("/mcp", "/mcp", True),
        ("/mcp", "/mcp/other", False),
        ("/mcp", "/api/v1/me", False),
        ("/api/v1", "/api/v1/me", True),
        ("/api/v1", "/api/v10/me", False),
        ("/api/v1", "/mcp", False),
    ],
)
def test_where_a_token_is_valid(resource, path, expected):
    assert accepts(resource, path) is expected
