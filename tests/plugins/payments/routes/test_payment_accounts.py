"""Payment accounts over HTTP: what is refused, and nobody else's."""

import pytest
from hosted_checkout import KEY


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"provider": "barter"}, "provider"),
        ({"provider": "cash"}, "provider"),
        ({"provider": "stripe"}, "credentials.secret_key"),
        ({"provider": "stripe", "credentials": {"secret_key": " "}}, "credentials.secret_key"),
        ({"provider": "stripe", "credentials": {"secret_key": KEY, "more": "x"}}, "credentials.more"),
        ({"provider": "stripe", "credentials": {"secret_key": "x" * 501}}, "credentials.secret_key"),
    ],
)
async def test_invalid_account_is_refused(stripe_api, ask, body, field):
    reply = await ask("", "POST", body)

    assert list(reply.errors) == [field]
    assert (await ask())["data"] == []


async def test_account_of_another_owner_is_not_found(gateway, account, ask, other_store, store):
    path = f"/{account['id']}"
    for method, end, body in (
        ("GET", "", None), ("DELETE", "", None), ("POST", "/check", {}),
        ("PUT", "/credentials", {"credentials": {"secret_key": KEY}}),
        ("POST", "/page", {"return_url": "https://a.example"}),
    ):  # fmt: skip
        assert (await ask(path + end, method, body, of=other_store)).status == 404
    assert (await ask(of=other_store))["data"] == []
    body = {"provider": "stripe", "restaurant_id": store.id, "credentials": {"secret_key": KEY}}
    assert (await ask("", "POST", body, of=other_store)).status == 404
    assert (await ask(path))["state"] == "ready"
