"""The wallet over REST."""

from types import SimpleNamespace

import pytest
from comanda_wallet.api import EntryKind


@pytest.fixture
def send(client, owner):
    """Return a function that sends a request for a path below ``/wallet``, as the owner unless told otherwise."""

    async def request(path="", body=None, *, auth=None):
        method = "GET" if body is None else "PATCH"
        options = {} if body is None else {"json": body}
        reply = await client.open(f"/api/v1/wallet{path}", method=method, headers=auth or owner.auth, **options)
        return SimpleNamespace(status=reply.status_code, document=await reply.get_json())

    return request


async def test_empty_wallet_is_returned(send, owner):
    reply = await send()

    assert reply.status == 200
    assert reply.document == {
        "balance": 0, "credit_limit": 0, "available": 0, "currency": "EUR", "low_balance": None, "is_low": False,
    }  # fmt: skip


async def test_threshold_is_set_and_removed(send, wallet, owner):
    await wallet.top_up(500)

    raised = await send(body={"low_balance": 7.5})
    unchanged = await send(body={})
    removed = await send(body={"low_balance": None})

    assert (raised.status, raised.document["low_balance"], raised.document["is_low"]) == (200, 7.5, True)
    assert unchanged.document == raised.document
    assert (removed.document["low_balance"], removed.document["is_low"]) == (None, False)


@pytest.mark.parametrize("threshold", [-1, 1.005, "five", True])
async def test_invalid_threshold_is_refused(send, threshold):
    before = await send()

    refused = await send(body={"low_balance": threshold})

    assert (refused.status, list(refused.document["errors"])) == (422, ["low_balance"])
    assert (await send()).document == before.document


async def test_scopes_are_required(send, owner):
    reading = await owner.token_with("wallet:read")
    other = await owner.token_with("menu:read")

    for path in ("", "/entries", "/earnings", "/earnings/entries"):
        assert (await send(path, auth=other)).status == 403
        assert (await send(path, auth=reading)).status == 200
    assert (await send(auth=reading, body={"low_balance": 1})).status == 403
    assert (await send(auth=reading)).document["low_balance"] is None


async def test_entries_are_listed_newest_first(send, wallet, owner, clock):
    await wallet.top_up(1000)
    clock.advance(hours=1)
    moment = clock().isoformat().replace("+00:00", "Z")
    await wallet.charge(250, "first")
    await wallet.charge(100, "first", kind=EntryKind.SUBSCRIPTION)

    whole = (await send("/entries")).document
    usage = (await send("/entries?kind=usage")).document
    late = (await send(f"/entries?from={moment}")).document
    early = (await send(f"/entries?to={moment}&per_page=1")).document

    assert [(each["kind"], each["amount"], each["balance"]) for each in whole["data"]] == [
        ("subscription", -1, 6.5),
        ("usage", -2.5, 7.5),
        ("top_up", 10, 10),
    ]
    assert whole["total"] == 3
    assert [each["reference"] for each in usage["data"]] == ["first"]
    assert [each["kind"] for each in late["data"]] == ["subscription", "usage"]
    assert [each["kind"] for each in early["data"]] == ["top_up"]


async def test_unknown_kind_is_refused(send, owner):
    refused = await send("/entries?kind=gift")

    assert (refused.status, list(refused.document["errors"])) == (422, ["kind"])


async def test_entries_of_other_owner_are_not_listed(send, wallet, other_owner):
    await wallet.top_up(1000)

    listed = await send("/entries", auth=other_owner.auth)

    assert listed.document["data"] == []


async def test_developer_sees_earnings_and_no_owner(send, wallet, owner, other_owner):
    await wallet.top_up(1000)
    await wallet.charge(250, "first", payee=other_owner, share=200)

    earnings = (await send("/earnings", auth=other_owner.auth)).document
    shares = (await send("/earnings/entries", auth=other_owner.auth)).document
    own = (await send("/earnings")).document

    assert earnings == {"balance": 2, "earned": 2, "refunded": 0, "currency": "EUR"}
    [share] = shares["data"]
    assert (share["kind"], share["amount"], share["description"]) == ("usage", 2, "Calls")
    assert share.keys() == {"id", "kind", "amount", "description", "created_at"}
    assert own["balance"] == 0
