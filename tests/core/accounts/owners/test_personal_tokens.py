"""Personal tokens as their owner manages them."""

from datetime import timedelta

from comanda.accounts.services import issue_token
from comanda.contracts.requests.callers import CallerKind

TOKENS = "/api/v1/tokens"


async def create(client, auth, **body):
    response = await client.post(TOKENS, headers=auth, json={"name": "Books", "scopes": ["orders:read"], **body})
    return response.status_code, await response.get_json()


async def test_a_created_token_works_is_listed_and_can_be_revoked(client, owner, clock):
    ends = clock() + timedelta(days=30)
    status, created = await create(client, owner.auth, expires_at=ends.isoformat())
    auth = {"Authorization": f"Bearer {created['secret']}"}
    used = await client.get("/api/v1/me", headers=auth)
    listed = await (await client.get(TOKENS, headers=owner.auth)).get_json()
    revoked = await client.delete(f"{TOKENS}/{created['id']}", headers=owner.auth)

    assert (status, used.status_code, revoked.status_code) == (201, 200, 204)
    assert next((row["name"], row["scopes"], row["is_current"]) for row in listed["data"]) == (
        "Books",
        ["orders:read"],
        False,
    )
    assert created["secret"] not in str(listed)
    assert listed["data"][-1]["is_current"]
    assert (await client.get("/api/v1/me", headers=auth)).status_code == 401


async def test_a_token_grants_only_what_it_holds(client, owner):
    auth = await owner.token_with("tokens:write", "menu:read")

    status, answer = await create(client, auth, scopes=["menu:read", "orders:read"])
    scopes = await (await client.get(f"{TOKENS}/scopes", headers=auth)).get_json()

    assert (status, answer["required"]) == (403, "orders:read")
    assert {scope["name"] for scope in scopes} == {"tokens:read", "tokens:write", "menu:read"}


async def test_unknown_scopes_and_past_expiry_are_refused(client, owner, clock):
    status, answer = await create(client, owner.auth, scopes=["moon:read"])
    late = await create(client, owner.auth, expires_at=(clock() - timedelta(minutes=1)).isoformat())

    assert (status, list(answer["errors"])) == (422, ["scopes"])
    assert (late[0], list(late[1]["errors"])) == (422, ["expires_at"])


async def test_tokens_of_others_and_of_other_kinds_are_not_found(client, owner, other_owner, store):
    staff = await issue_token(
        CallerKind("staff", "stf_"), owner.id, ["pos"], name="till", store_id=store.id, subject_id=1
    )

    for id, auth in ((owner.token_id, other_owner.auth), (staff.id, owner.auth)):
        assert (await client.delete(f"{TOKENS}/{id}", headers=auth)).status_code == 404
    listed = await (await client.get(TOKENS, headers=owner.auth)).get_json()
    assert staff.id not in [row["id"] for row in listed["data"]]
