"""Which redirect addresses a client may register, and which request matches a registered one."""

import pytest
from comanda.basics import ValidationFailed
from comanda_oauth.services.clients.redirect_uris import matches, normalize_redirect_uris


@pytest.mark.parametrize(
    "uri",
    [
        "https://app.example.com/callback",
        "https://app.example.com:8443/callback?tenant=1",
        "http://127.0.0.1/callback",
        "http://[::1]:3000/callback",
        "http://localhost:8976/oauth",
    ],
)
def test_registrable_addresses(uri):
    assert normalize_redirect_uris((uri,), is_public=False) == [uri]


@pytest.mark.parametrize(
    "uri",
    [
        "http://app.example.com/callback",
        "https://app.example.com/callback#part",
        "https://user@app.example.com/callback",
        "https://*.example.com/callback",
        "https:///callback",
        "https://app.example.com/call back",
        "https://app.example.com\\@evil.example",
        "https://app.example.com:99999/",
        "//app.example.com/callback",
        "/callback",
        "javascript:alert(1)",
        "data:text/html,x",
        "com.example.app:/callback",
        "https://\u0430pp.example.com/",
    ],
)
def test_addresses_that_no_server_may_register(uri):
    with pytest.raises(ValidationFailed):
        normalize_redirect_uris((uri,), is_public=False)


def test_native_app_may_register_a_scheme_of_its_own():
    assert normalize_redirect_uris(("com.example.app:/cb",), is_public=True) == ["com.example.app:/cb"]
    for uri in ("app:/cb", "javascript:/cb", "com.example.app://host/cb"):
        with pytest.raises(ValidationFailed):
            normalize_redirect_uris((uri,), is_public=True)


REGISTERED = "https://app.example.com/callback"


@pytest.mark.parametrize(
    "requested",
    [
        "https://app.example.com/callback/",
        "https://app.example.com/callback?x=1",
        "https://app.example.com/callback#x",
        "https://app.example.com/callback/../evil",
        "https://app.example.com/Callback",
        "https://APP.example.com/callback",
        "https://app.example.com:443/callback",
        "http://app.example.com/callback",
        "https://app.example.com.evil.example/callback",
        "https://app.example.com@evil.example/callback",
        "https://evil.example/https://app.example.com/callback",
        "https://sub.app.example.com/callback",
        "https://app.example.com/callback%00",
        "https://app.example.com/callback\t",
        " https://app.example.com/callback",
        "//app.example.com/callback",
        "",
    ],
)
def test_only_the_registered_address_matches(requested):
    assert matches(REGISTERED, REGISTERED)
    assert not matches(requested, REGISTERED)


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        ("http://127.0.0.1:51234/callback", True),
        ("http://127.0.0.1/callback", True),
        ("http://127.0.0.1:51234/other", False),
        ("http://127.0.0.1:51234/callback?x=1", False),
        ("http://[::1]:51234/callback", False),
        ("http://localhost:51234/callback", False),
        ("http://127.0.0.2:51234/callback", False),
        ("http://127.0.0.1.evil.example:51234/callback", False),
        ("http://127.0.0.1@evil.example/callback", False),
        ("http://x@127.0.0.1:51234/callback", False),
        ("https://127.0.0.1:51234/callback", False),
        ("http://127.0.0.1:0/callback", False),
        ("http://127.0.0.1:99999/callback", False),
    ],
)
def test_port_of_a_loopback_address_is_free(requested, expected):
    assert matches(requested, "http://127.0.0.1:3000/callback") is expected


def test_port_of_localhost_is_free():
    assert matches("http://localhost:51234/callback", "http://localhost:3000/callback")
    assert not matches("http://localhost.evil.example:51234/callback", "http://localhost:3000/callback")
