"""The validation of storefront tokens."""

import pytest

PATH = "/storefront-tokens"


@pytest.mark.parametrize("scopes", [["orders:write"], ["menu:read", "*"], [], ["menu:write"]])
async def test_unknown_scope_returns_422(store, scopes, list_live_tokens):
    reply = await store.send("POST", PATH, {"name": "x", "scopes": scopes})

    assert list(reply.errors) == ["scopes"]
    assert await list_live_tokens(store) == 0


async def test_duplicate_scope_is_stored_once(store, create_token):
    assert (await create_token(store, scopes=["agent", "menu:read", "agent"]))["scopes"] == ["agent", "menu:read"]


async def test_name_is_required_and_short(store, list_live_tokens):
    for name in (None, "", "  ", "x" * 101):
        reply = await store.send("POST", PATH, {"name": name, "scopes": ["agent"]})
        assert list(reply.errors) == ["name"]
    assert await list_live_tokens(store) == 0
